/** An axis: where it starts and ends, and the values to write beside it. */
export interface Axis {
  min: number;
  max: number;
  ticks: number[];
}

/**
 * An axis with about `count` steps of 1, 2, 2.5 or 5 times a power of ten, around all values. It need not
 * start at 0: it is for lines, not for bars.
 */
export function niceAxis(values: readonly number[], count: number): Axis {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const span = high - low || Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (([1, 2, 2.5, 5, 10] as const).find((factor) => factor * power >= rough) ?? 10) * power;
  const min = Math.floor(low / step) * step;
  const ticks: number[] = [];
  for (let index = 0; ; index++) {
    const tick = min + index * step;
    ticks.push(Number(tick.toPrecision(12)));
    if (tick >= high) break;
  }
  return { min, max: ticks.at(-1) ?? high, ticks };
}

/** `$3.5M`, short enough for an axis. */
export function axisMoney(value: number): string {
  if (Math.abs(value) >= 1_000_000) return `$${Number((value / 1_000_000).toPrecision(3))}M`;
  if (Math.abs(value) >= 1_000) return `$${Number((value / 1_000).toPrecision(3))}K`;
  return `$${value}`;
}
