import { startDemo } from '../../scripts/lib/start-demo.mjs';

/** Where the workers find the URLs of the demo. Set it to the demo's first line to test one that runs already. */
export const URLS_VARIABLE = 'DEMO_URLS';

/** Faster than for a person to watch; what must be seen in between is held back by a gate. */
const PACE_MS = 8;

/** One demo for the whole run, built and started as a user would; stopped at its end. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env[URLS_VARIABLE]) return async () => undefined;
  const demo = await startDemo({ paceMs: PACE_MS });
  process.env[URLS_VARIABLE] = JSON.stringify(demo.urls);
  return async () => {
    const code = await demo.stop();
    if (code !== 0) throw new Error(`the demo ended with ${code}`);
  };
}
