/*
 * The contract page in the engines besides Chromium: `node --import tsx e2e/engines/main.ts [engine…]`.
 * Each group of checks in each engine is one test. The last line is JSON: passed, failed, skipped.
 */
import type { Results } from '../contract/host/check.ts';
import { startContract } from '../contract/server.ts';
import type { Browser, Engine } from './engine.ts';
import { firefox } from './firefox.ts';
import { install, isThere } from './install.ts';
import { webkit } from './webkit.ts';

/** All examples, each in one of the three kinds of run, and fewer points than in Chromium: an engine has minutes. */
const GROUPS = {
  examples: 'only=examples&kinds=one&width=4',
  messages: 'only=messages',
  reloads: 'only=reloads&points=5&width=4',
  unseen: 'only=unseen',
};
/** A page that has found nothing new for this long has hung. */
const PATIENCE_MS = 150_000;

const totals = { passed: 0, failed: 0, skipped: 0 };
const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const engines = [firefox, webkit].filter(({ name }) => asked.length === 0 || asked.includes(name));

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function finished(browser: Browser): Promise<Results> {
  let seen = -1;
  let since = Date.now();
  for (;;) {
    const results = await browser.results();
    if (results?.done) return results;
    const count = results?.checks.length ?? 0;
    if (count !== seen) [seen, since] = [count, Date.now()];
    if (Date.now() - since > PATIENCE_MS) throw new Error(`the page hangs after ${count} checks`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function runEngine(engine: Engine, host: string): Promise<void> {
  let browser: Browser | undefined;
  for (const [group, query] of Object.entries(GROUPS)) {
    const start = Date.now();
    try {
      browser ??= await engine.open();
      await browser.goto(`${host}/?${query}`);
      const { checks, passed, failed } = await finished(browser);
      totals[failed === 0 && passed > 0 ? 'passed' : 'failed']++;
      say(
        `${engine.name} ${group}: ${passed} checks passed, ${failed} failed (${Math.round((Date.now() - start) / 1_000)} s)`,
      );
      for (const { name, ok, detail } of checks) if (!ok) say(`  ✗ ${name}: ${detail}`);
    } catch (error) {
      totals.failed++;
      say(`${engine.name} ${group}: ${String(error)}`);
      await browser?.close().catch(() => undefined);
      browser = undefined;
    }
  }
  await browser?.close();
}

if (!args.includes('--no-install')) install(engines);
const present = engines.filter(isThere);
for (const { name, packages } of engines.filter((engine) => !isThere(engine))) {
  totals.skipped += Object.keys(GROUPS).length;
  say(`${name}: not installed (${packages.join(', ')}), ${Object.keys(GROUPS).length} skipped`);
}
if (present.length > 0) {
  const server = await startContract();
  for (const engine of present) await runEngine(engine, server.host);
  server.stop();
}
console.log(JSON.stringify(totals));
process.exit(totals.failed === 0 ? 0 : 1);
