import { run } from './run.mjs';

/**
 * The contract page in Firefox and WebKitGTK, installed first where this process may. An engine that is not
 * there counts as skipped.
 * @param {(line: string) => void} log
 * @returns {Promise<import('./reports.mjs').Totals>}
 */
export async function engines(log) {
  const install = process.argv.includes('--no-install') ? ['--no-install'] : [];
  const args = ['--import', 'tsx', 'e2e/engines/main.ts', ...install];
  const { code, output, stdout } = await run(process.execPath, args, { timeoutMs: 1_200_000 });
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  /** @type {import('./reports.mjs').Totals} */
  const totals = line.startsWith('{') ? JSON.parse(line) : { passed: 0, failed: 1, skipped: 0 };
  if (code !== 0 || totals.skipped > 0) log(output.trimEnd());
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}
