/*
 * The contract page and the attacks in the engines besides Chromium: `node --import tsx e2e/engines/main.ts [engine…]`.
 * Each group of checks in each engine is one test. The last line is JSON: passed, failed, skipped.
 */
import { startAttacks } from '../attacks/server.ts';
import { startContract } from '../contract/server.ts';
import type { Browser, Engine } from './engine.ts';
import { finished, within } from './finished.ts';
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
/** Each attack without the guard and with it. */
const ATTACKS = { attacks: '' };
const totals = { passed: 0, failed: 0, skipped: 0 };
const args = process.argv.slice(2);
const asked = args.filter((arg) => !arg.startsWith('--'));
const engines = [firefox, webkit].filter(({ name }) => asked.length === 0 || asked.includes(name));

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function runEngine(engine: Engine, host: string, groups: Record<string, string>): Promise<void> {
  let browser: Browser | undefined;
  for (const [group, query] of Object.entries(groups)) {
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
      await close(browser);
      browser = undefined;
    }
  }
  await close(browser);
}

/** What the group found stands, however its browser ends. */
async function close(browser: Browser | undefined): Promise<void> {
  const closed = browser?.close() ?? Promise.resolve();
  await within(20_000, closed, () => 'the browser does not close').catch((error: unknown) =>
    say(String(error)),
  );
}

if (!args.includes('--no-install')) install(engines);
const present = engines.filter(isThere);
for (const { name, packages } of engines.filter((engine) => !isThere(engine))) {
  const { length } = Object.keys(GROUPS);
  totals.skipped += length;
  say(`${name}: not installed (${packages.join(', ')}), ${length} skipped`);
}
if (present.length > 0) {
  const contract = await startContract();
  for (const engine of present) await runEngine(engine, contract.host, GROUPS);
  contract.stop();
  // By hand for now, with `--attacks`: see e2e/attacks/README.md.
  if (args.includes('--attacks')) {
    const attacks = await startAttacks();
    for (const engine of present) await runEngine(engine, attacks.host, ATTACKS);
    attacks.stop();
  }
}
console.log(JSON.stringify(totals));
process.exit(totals.failed === 0 ? 0 : 1);
