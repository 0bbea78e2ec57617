import { protocolSuite } from './protocol-suite.mjs';
import { run } from './run.mjs';
import { startServer } from './server-process.mjs';

/** @typedef {import('./reports.mjs').Totals} Totals */

const CLI = 'conformance/src/cli.ts';
/** Tools of the demo's report server that stream; the checks call each some fifteen times. */
const TOOLS = ['write_report', 'generate_dashboard'];

/**
 * The published suite of the protocol, then our own of SEP-2998.
 * @param {(line: string) => void} log
 * @returns {Promise<Totals>}
 */
export async function conformance(log) {
  const protocol = await protocolSuite(log);
  const partials = await partialResults(log);
  return {
    passed: protocol.passed + partials.passed,
    failed: protocol.failed + partials.failed,
    skipped: protocol.skipped + partials.skipped,
  };
}

/**
 * Runs the conformance command against the demo's report server. Checks that HTTP hides from anybody
 * are not counted; the command's own tests make them over stdio.
 * @param {(line: string) => void} log
 * @returns {Promise<Totals>}
 */
async function partialResults(log) {
  const server = await startServer('report', 'demo/src/report/main.ts', {
    env: { DEMO_REPORT_PORT: '0', DEMO_PACE_MS: '2' },
    onUnexpectedEnd: (name, code) => log(`the ${name} server ended with ${code}`),
  });
  const totals = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const tool of TOOLS) {
      const url = server.urls['url'] ?? '';
      const args = ['server', '--json', '--url', url, '--tool', tool];
      const { stdout, output } = await run(process.execPath, ['--import', 'tsx', CLI, ...args]);
      const results = read(stdout);
      if (!results) {
        log(output.trimEnd());
        totals.failed++;
        continue;
      }
      for (const { id, rule, status, message } of results) {
        if (status === 'SKIPPED') continue;
        // A warning is about a SHOULD, or about what cannot be told from outside.
        if (status === 'SUCCESS' || status === 'WARNING') totals.passed++;
        else {
          totals.failed++;
          log(`✗ ${tool}: ${rule} ${id} ${status}: ${message}`);
        }
      }
    }
  } finally {
    server.stop();
    await server.ended;
  }
  return totals;
}

/**
 * @param {string} json
 * @returns {{ id: string, rule: string, status: string, message: string }[] | undefined}
 */
function read(json) {
  try {
    const { results } = JSON.parse(json);
    return results.length > 0 ? results : undefined;
  } catch {
    return undefined;
  }
}
