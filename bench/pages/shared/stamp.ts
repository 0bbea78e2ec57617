/**
 * Milliseconds on the wall, finer than the wall clock tells: the processes of one machine share it, while each
 * counts `performance.now()` from a moment of its own.
 */
export function createWallClock(): () => number {
  let before = Date.now();
  let offset = Infinity;
  // The first instant of a new millisecond is the one at which both clocks are known; the least of some is it.
  for (let ticks = 0; ticks < 8;) {
    const now = Date.now();
    if (now === before) continue;
    offset = Math.min(offset, now - performance.now());
    before = now;
    ticks++;
  }
  return () => offset + performance.now();
}

/** A line of `chars` characters that starts with a time. */
export function stamped(now: number, chars: number): string {
  return `@${now.toFixed(2)} `.padEnd(chars - 1, '.').concat('\n');
}

/** The times of all stamped lines in a text. */
export function stampsIn(text: string): number[] {
  return Array.from(text.matchAll(/@(\d+\.\d+) /g), ([, stamp]) => Number(stamp));
}
