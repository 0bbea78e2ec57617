import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/*
 * The checks of one run are made some thousand times, and making an assertion costs more than most of them: it is
 * made only where it fails, or where its own notion of equality has to decide.
 */

export function same(got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect(got).toEqual(wanted);
}

export function atMost(got: number, limit: number): void {
  if (!(got <= limit)) expect(got).toBeLessThanOrEqual(limit);
}

export function atLeast(got: number, limit: number): void {
  if (!(got >= limit)) expect(got).toBeGreaterThanOrEqual(limit);
}
