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
  if (Math.abs(Math.log(factor)) <= Math.log(1 + noise) || overlap(old, now)) return undefined;
  const up = after > before;
  const kind = now.better === 'neither' ? 'changed' : up === (now.better === 'higher') ? 'better' : 'worse';
  return { name: now.name, before, after, factor, noise, kind };
}

/** Whether the middle halves of both share a value: then either could be the other. */
function overlap(old: Figure, now: Figure): boolean {
  const [a, b] = [summarize(old.samples), summarize(now.samples)];
  return a.q1 <= b.q3 && b.q1 <= a.q3;
}

/** Uncertainty of the median, relative: its own deviation shrinks with the root of the rounds. */
function spread({ samples }: Figure): number {
  const { median } = summarize(samples);
  const deviation = quantile(
    samples.map((value) => Math.abs(value - median)),
    0.5,
  );
  const rounds = Math.max(1, samples.length);
  // Few rounds know little of their own spread.
  return median === 0 ? 0 : (Math.abs(deviation / median) * (1 + 3 / rounds)) / Math.sqrt(rounds);
}
