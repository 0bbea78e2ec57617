import type { Figure } from './figures.ts';
import { quantile, summarize } from './stats.ts';

export interface Change {
  name: string;
  before: number;
  after: number;
  /** After over before. */
  factor: number;
  /** The share by which runs differ without a reason: of the spread of both, at least a tenth. */
  noise: number;
  kind: 'better' | 'worse' | 'changed';
}

/** Below it nothing is reported: the same tree measured twice differs by as much. */
const LEAST_NOISE = 0.1;
/** Median absolute deviations that still count as noise; for normal noise some 1 in 500 lie beyond. */
const DEVIATIONS = 4.5;

/**
 * What changed beyond the noise. Absolute figures tell machines apart rather than versions, so they are left
 * out unless `absolutes` says that both runs are of one machine.
 */
export function compare(before: readonly Figure[], after: readonly Figure[], absolutes = false): Change[] {
  const known = new Map(before.map((figure) => [figure.name, figure]));
  return after.flatMap((figure) => {
    const old = known.get(figure.name);
    if (!old || (figure.kind === 'absolute' && !absolutes)) return [];
    const change = difference(old, figure);
    return change ? [change] : [];
  });
}

function difference(old: Figure, now: Figure): Change | undefined {
  const [before, after] = [summarize(old.samples).median, summarize(now.samples).median];
  if (before === after || Number.isNaN(before) || Number.isNaN(after)) return undefined;
  const factor = after / before;
  const noise =
    now.kind === 'count' ? 0 : Math.max(LEAST_NOISE, DEVIATIONS * Math.hypot(spread(old), spread(now)));
  // Symmetric: half as much and twice as much are equally far.
  if (Math.abs(Math.log(factor)) <= Math.log(1 + noise)) return undefined;
  const up = after > before;
  const kind = now.better === 'neither' ? 'changed' : up === (now.better === 'higher') ? 'better' : 'worse';
  return { name: now.name, before, after, factor, noise, kind };
}

/** Uncertainty of the median, relative: its own deviation shrinks with the root of the rounds. */
function spread({ samples }: Figure): number {
  const { median } = summarize(samples);
  const deviation = quantile(
    samples.map((value) => Math.abs(value - median)),
    0.5,
  );
  return median === 0 ? 0 : Math.abs(deviation / median) / Math.sqrt(Math.max(1, samples.length));
}
