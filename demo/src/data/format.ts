// Fixed locale: the figures of a final result must be the same bytes on every machine.
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `$40.81M`, `$512.3K`, `$87`. */
export function money(value: number): string {
  if (value >= 1_000_000) return `$${(value / 1_000_000).toFixed(2)}M`;
  if (value >= 10_000) return `$${(value / 1_000).toFixed(1)}K`;
  return `$${whole.format(value)}`;
}

export function count(value: number): string {
  return whole.format(value);
}

/** `62.4%`. */
export function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

/** `+10.2%` or `−3.1%` with a real minus sign; an en dash where there is nothing to compare. */
export function signedPercent(value: number | undefined): string {
  if (value === undefined) return '–';
  const text = `${Math.abs(value * 100).toFixed(1)}%`;
  if (text === '0.0%') return '±0.0%';
  return value > 0 ? `+${text}` : `−${text}`;
}

/** The same for a change of a percentage: `+1.3 pt`. */
export function signedPoints(value: number): string {
  const text = `${Math.abs(value * 100).toFixed(1)} pt`;
  if (text === '0.0 pt') return '±0.0 pt';
  return value > 0 ? `+${text}` : `−${text}`;
}
