import type { Cancel, Scheduler } from '../lib/scheduler.ts';

/** Chances from 0 to 1 per message, and bounds. A fault left out does not happen. */
export interface Faults {
  /** Never delivered. */
  drop?: number;
  /** Drops in a row, at most: a link that takes nothing at all is a peer that is gone. Default: no limit. */
  maxDropsInRow?: number;
  /** Delivered again, up to `maxDelayMs` later. */
  duplicate?: number;
  /** Delivered up to `maxDelayMs` later than it came, so after its successors. */
  delay?: number;
  maxDelayMs?: number;
  /** Everything stops for up to `maxStallMs`, then arrives in one burst. */
  stall?: number;
  maxStallMs?: number;
  /** Nothing is delivered after this many messages: a cut connection. */
  cutAfter?: number;
}

export interface FaultLinkOptions<T> {
  seed: number;
  faults: Faults;
  scheduler: Scheduler;
  deliver(message: T): void;
  /** Messages for which this is false pass at once, whatever is held. Default: all are subject to faults. */
  subject?(message: T): boolean;
}

export interface FaultLink<T> {
  send(message: T): void;
  /** Stops every timer; what is held is lost. */
  close(): void;
  readonly counts: { sent: number; delivered: number; dropped: number; duplicated: number; delayed: number };
}

/** A link that mistreats what passes through it, the same way for the same seed. */
export function createFaultLink<T>(options: FaultLinkOptions<T>): FaultLink<T> {
  const { faults, scheduler, subject } = options;
  const { maxDelayMs = 200, maxStallMs = 500, cutAfter = Infinity, maxDropsInRow = Infinity } = faults;
  const random = createRandom(options.seed);
  const counts = { sent: 0, delivered: 0, dropped: 0, duplicated: 0, delayed: 0 };
  const timers = new Set<Cancel>();
  let stalled: T[] | undefined;
  let dropsInRow = 0;
  let closed = false;

  function later(ms: number, run: () => void): void {
    const cancel = scheduler.delay(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  }

  function deliver(message: T): void {
    if (closed) return;
    if (stalled) {
      stalled.push(message);
      return;
    }
    counts.delivered++;
    options.deliver(message);
  }

  function endStall(): void {
    const burst = stalled ?? [];
    stalled = undefined;
    burst.forEach(deliver);
  }

  return {
    counts,
    send(message) {
      if (closed) return;
      if (subject && !subject(message)) {
        options.deliver(message);
        return;
      }
      counts.sent++;
      // Each message draws the same number of times, so that one fault does not shift the others.
      const [drop, duplicate, delay, stall, wait, again] = Array.from({ length: 6 }, random) as Six;
      if (counts.sent > cutAfter || (drop < (faults.drop ?? 0) && dropsInRow < maxDropsInRow)) {
        counts.dropped++;
        dropsInRow++;
        return;
      }
      dropsInRow = 0;
      if (!stalled && stall < (faults.stall ?? 0)) {
        stalled = [];
        later(wait * maxStallMs, endStall);
      }
      if (duplicate < (faults.duplicate ?? 0)) {
        counts.duplicated++;
        later(again * maxDelayMs, () => deliver(message));
      }
      if (delay < (faults.delay ?? 0)) {
        counts.delayed++;
        later(wait * maxDelayMs, () => deliver(message));
      } else {
        deliver(message);
      }
    },
    close() {
      closed = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}

type Six = [number, number, number, number, number, number];

/** Uniform numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The items in an order that depends on the seed alone. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const swapped = result[i] as T;
    result[i] = result[j] as T;
    result[j] = swapped;
  }
  return result;
}
