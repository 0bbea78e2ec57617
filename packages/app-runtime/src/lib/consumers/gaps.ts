import { ownList } from './own.ts';

/** Places of losses that a state remembers, the latest. */
const MAX_GAPS = 1_000;

/** Where something is missing in what a stream has shown so far. */
export interface Gaps {
  gaps: readonly number[];
  olderGaps: number;
}

/** @param at where something is missing; several losses at one place are one. */
export function addGap<S extends Gaps>(state: S, at: number, own: WeakSet<object>): S {
  if (state.gaps.at(-1) === at) return state;
  const gaps = ownList(state.gaps, own);
  gaps.push(at);
  if (gaps.length <= MAX_GAPS) return { ...state, gaps };
  gaps.shift();
  return { ...state, gaps, olderGaps: state.olderGaps + 1 };
}
