import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench } from './bench.mjs';
import { conformance } from './conformance.mjs';
import { engines } from './engines.mjs';
import { packageChecks } from './packages.mjs';
import { playwrightTotals, vitestTotals } from './reports.mjs';
import { ensureRedis } from './redis.mjs';
import { run } from './run.mjs';
import { script, tool } from './tool.mjs';

/**
 * @typedef {import('./reports.mjs').Totals} Totals
 * @typedef {import('./tool.mjs').Check} Check
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {boolean} [browser] needs Chromium
 * @property {(log: (line: string) => void) => Promise<Totals>} run
 */

/** In the order in which they run: the cheap ones first. @type {readonly Suite[]} */
export const SUITES = [
  { name: 'lint', run: checks([tool('oxlint', 'oxlint')]) },
  { name: 'format', run: checks([tool('oxfmt --check', 'oxfmt', '--check', '.')]) },
  { name: 'types', run: (log) => checks([tool('tsc -b', 'tsc', '-b'), ...testProjects()])(log) },
  { name: 'knip', run: checks([tool('knip', 'knip')]) },
  { name: 'docs', run: checks([script('field-case table', 'scripts/field-cases.mjs', '--check')]) },
  { name: 'packages', browser: true, run: (log) => checks(packageChecks())(log) },
  { name: 'unit', run: unit },
  { name: 'conformance', run: conformance },
  { name: 'browser', browser: true, run: vitest('browser') },
  { name: 'e2e', browser: true, run: playwright },
  { name: 'bench', browser: true, run: bench },
  { name: 'engines', run: engines },
];

/** Everything `tsc -b` does not build: tests, demo, scripts. @returns {Check[]} */
function testProjects() {
  const packages = readdirSync('packages').map((name) => join('packages', name, 'tsconfig.test.json'));
  const rest = ['scripts', 'demo', 'e2e', 'conformance', 'conformance/protocol', 'bench'].flatMap(
    (folder) => [join(folder, 'tsconfig.json'), join(folder, 'tsconfig.test.json')],
  );
  return [...packages, ...rest]
    .filter((file) => existsSync(file))
    .map((file) => tool(`tsc -p ${file}`, 'tsc', '-p', file));
}

/**
 * @param {readonly Check[]} list
 * @returns {Suite['run']}
 */
function checks(list) {
  return async (log) => {
    const totals = { passed: 0, failed: 0, skipped: 0 };
    for (const check of list) {
      const { ok, output } = await check.run().catch(thrown);
      if (ok) totals.passed++;
      else {
        totals.failed++;
        log(`✗ ${check.name}\n${output.trimEnd()}`);
      }
    }
    return totals;
  };
}

/** @param {unknown} error @returns {import('./tool.mjs').Verdict} */
function thrown(error) {
  return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** @type {Suite['run']} */
async function unit(log) {
  await ensureRedis(log);
  return vitest('unit')(log);
}

/**
 * @param {string} project
 * @returns {Suite['run']}
 */
function vitest(project) {
  return (log) =>
    withReport(async (file) => {
      const args = [
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ];
      const { code, output } = await run(join('node_modules', '.bin', 'vitest'), args);
      if (code !== 0) log(output.trimEnd());
      return vitestTotals(readReport(file), code);
    });
}

/** @type {Suite['run']} */
function playwright(log) {
  return withReport(async (file) => {
    const args = ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'];
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
    const { code, output } = await run(join('node_modules', '.bin', 'playwright'), args, {
      env,
      timeoutMs: 1_500_000,
    });
    if (code !== 0) log(output.trimEnd());
    return playwrightTotals(readReport(file), code);
  });
}

/**
 * @template T
 * @param {(file: string) => Promise<T>} body
 * @returns {Promise<T>}
 */
async function withReport(body) {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  try {
    return await body(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file @returns {any} undefined when the run wrote none */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
