import type { Parameters } from 'fast-check';

/* In Node the variable of that name, in a browser what Vite makes of `VITE_FUZZ_RUNS`. */
const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
const { env } = import.meta as { env?: Record<string, string | undefined> };
const factor = Number(process?.env?.['FUZZ_RUNS'] ?? env?.['VITE_FUZZ_RUNS'] ?? 1);

/**
 * How often a property is tried: `FUZZ_RUNS=100` tries each a hundred times as often. A failure prints its
 * seed and path; repeat it with those in `fc.assert`.
 */
export function runs<T>(inSuite: number): Parameters<T> {
  return { numRuns: Math.ceil(inSuite * (factor > 0 ? factor : 1)) };
}
