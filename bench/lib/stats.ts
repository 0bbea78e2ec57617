/** What repeated measurements say: the middle one and how far the middle half spreads. */
export interface Summary {
  median: number;
  q1: number;
  q3: number;
  rounds: number;
}

/** The value below which a share `p` of the samples lies, linearly interpolated; NaN without samples. */
export function quantile(samples: readonly number[], p: number): number {
  const sorted = samples.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  // Also for infinite ones, whose difference is no number.
  return low === high ? low : low + (high - low) * (at - Math.floor(at));
}

export function summarize(samples: readonly number[]): Summary {
  return {
    median: quantile(samples, 0.5),
    q1: quantile(samples, 0.25),
    q3: quantile(samples, 0.75),
    rounds: samples.length,
  };
}

/** Round by round, so that what slowed a whole round slows both sides of its ratio. */
export function pairedRatios(over: readonly number[], under: readonly number[]): number[] {
  return over.slice(0, under.length).map((value, round) => value / under[round]!);
}
