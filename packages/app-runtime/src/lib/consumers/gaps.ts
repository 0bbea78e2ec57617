/** Places of losses that a state remembers, the latest. */
const MAX_GAPS = 1_000;

/** @param at where something is missing; several losses at one place are one. */
export function addGap(gaps: readonly number[], at: number): readonly number[] {
  if (gaps.at(-1) === at) return gaps;
  return [...(gaps.length < MAX_GAPS ? gaps : gaps.slice(1 - MAX_GAPS)), at];
}
