import { run } from './run.mjs';

/**
 * The benchmark's harness, small: it asserts structure and counts and no time.
 * @param {(line: string) => void} log
 * @returns {Promise<import('./reports.mjs').Totals>}
 */
export async function bench(log) {
  const { code, output, stdout } = await run(process.execPath, [
    '--import',
    'tsx',
    'bench/main.ts',
    '--quick',
  ]);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  /** @type {import('./reports.mjs').Totals} */
  const totals = line.startsWith('{') ? JSON.parse(line) : { passed: 0, failed: 1, skipped: 0 };
  if (code !== 0) log(output.trimEnd());
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}
