#!/usr/bin/env node
/*
 * Every check of the repository, on a fresh clone with only Node and npm:
 *
 *   npm test                              all of them
 *   node scripts/test.mjs unit e2e        some of them
 *   node scripts/test.mjs --no-install    without looking after dependencies and browser
 *
 * The last line is `N passed, N failed` (and `, N skipped` where there are some); the exit code is 0
 * only when nothing failed.
 */
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { ensureChromium, findChromium } from './lib/chromium.mjs';
import { installDependencies } from './lib/install.mjs';
import { sum, totalsLine } from './lib/reports.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

// What the suites started stands in groups of its own and is ended at this process's exit.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** @param {string} line */
const log = (line) => console.log(line);
const args = process.argv.slice(2);
const names = args.filter((arg) => arg !== '--no-install');
const install = names.length === args.length;

/** @type {import('./lib/reports.mjs').Totals[]} */
const all = [];
try {
  if (install) await installDependencies();
  // Not before: the suites import what has just been installed.
  const { SUITES } = await import('./lib/suites.mjs');
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    throw new Error(`unknown: ${unknown.join(', ')}; there are ${SUITES.map(({ name }) => name).join(', ')}`);
  }
  const chosen = SUITES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (chosen.some((suite) => suite.browser)) {
    const path = install ? await ensureChromium(log) : await findChromium();
    if (!path) throw new Error('no Chromium found and none could be installed; set CHROMIUM_PATH');
    process.env['CHROMIUM_PATH'] = path;
  }
  for (const suite of chosen) {
    const start = Date.now();
    const totals = await suite.run(log);
    all.push(totals);
    log(`${suite.name.padEnd(11)} ${totalsLine(totals)} (${Math.round((Date.now() - start) / 1000)} s)`);
  }
} catch (error) {
  // What could not run has failed; the line with the totals must come all the same.
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  all.push({ passed: 0, failed: 1, skipped: 0 });
}

const totals = sum(all);
log(totalsLine(totals));
process.exitCode = totals.failed === 0 ? 0 : 1;
