import type { Cancel, Scheduler } from './scheduler.ts';
import type { SeqRange } from './types.ts';

export interface ReorderLimits {
  /** How long a missing number is waited for, in milliseconds, once a later one is here. Default 2,000. */
  maxWaitMs: number;
  /** Chunks held behind a gap. Default 1,024. */
  maxItems: number;
  /** Estimated bytes held behind a gap. Default 4 MiB. */
  maxBytes: number;
  /** How far ahead of the expected number one may be: a wild number must not end the stream. Default 65,536. */
  maxAhead: number;
}

export const REORDER_LIMITS: Readonly<ReorderLimits> = {
  maxWaitMs: 2_000,
  maxItems: 1_024,
  maxBytes: 4 * 1_024 * 1_024,
  maxAhead: 65_536,
};

export type ReorderEvent =
  /** Came before: dropped. */
  | { type: 'duplicate'; seq: number }
  /** Came after its gap had been given up: dropped, since its place is gone. */
  | { type: 'late'; seq: number }
  /** Further ahead than `maxAhead`: dropped. */
  | { type: 'too_far'; seq: number }
  /** Numbers given up, reported once; `reason` is the bound that was reached, `flush`, or `told`: the sender said so. */
  | { type: 'gap'; first: number; last: number; reason: GapReason };

export type GapReason = 'time' | 'items' | 'bytes' | 'flush' | 'told';

export interface ReorderOptions<T> {
  /** Called in `seq` order, each number at most once; `gap` is what was given up just before it. */
  deliver(item: T, seq: number, gap: SeqRange | undefined): void;
  onEvent(event: ReorderEvent): void;
  scheduler: Scheduler;
  limits?: Partial<ReorderLimits>;
}

/** Puts the chunks of one token in order (S4–S6). The host runs one, the view another. */
export interface Reorder<T> {
  /**
   * @param bytes estimated size, counted against `maxBytes` while the item is held.
   * @param skipped how many numbers just before `seq` the sender says will never come. They are not waited
   * for, but only their turn ends them: numbers missing before them still are. Default 0.
   */
  push(seq: number, item: T, bytes: number, skipped?: number): void;
  /** Gives up every open gap and delivers what is held. */
  flush(): void;
  /** Drops what is held and stops the timer; later calls do nothing. */
  close(): void;
  /** The number expected next. */
  readonly next: number;
  readonly held: number;
  readonly heldBytes: number;
}

interface Held<T> {
  item: T;
  bytes: number;
}

/** Ranges of given-up numbers remembered so that a straggler is told from a duplicate. */
const MAX_SKIPPED_RANGES = 256;

export function createReorder<T>(options: ReorderOptions<T>): Reorder<T> {
  const { deliver, onEvent, scheduler } = options;
  const limits = { ...REORDER_LIMITS, ...options.limits };
  const held = new Map<number, Held<T>>();
  const skipped: SeqRange[] = [];
  /** First of the numbers that will never come, and the held one that said so. */
  const told = new Map<number, number>();
  let next = 0;
  let heldBytes = 0;
  let deadline = Infinity;
  let cancelWait: Cancel | undefined;
  let expiring = false;
  let closed = false;

  function deliverRun(gap: SeqRange | undefined): void {
    let skippedBefore = gap;
    for (;;) {
      skippedBefore ??= skipTold();
      const entry = closed ? undefined : held.get(next);
      if (!entry) return;
      const seq = next;
      held.delete(seq);
      told.delete(seq);
      heldBytes -= entry.bytes;
      next = seq + 1;
      deliver(entry.item, seq, skippedBefore);
      skippedBefore = undefined;
    }
  }

  /** What is held among numbers that were said never to come is delivered all the same. */
  function skipTold(): SeqRange | undefined {
    const end = told.get(next);
    if (end === undefined) return undefined;
    const first = next;
    while (next < end && !held.has(next)) told.delete(next++);
    return next > first ? giveUp(first, 'told') : undefined;
  }

  /** The numbers from `first` up to the one expected now. */
  function giveUp(first: number, reason: GapReason): SeqRange {
    const gap = { first, last: next - 1 };
    skipped.push(gap);
    if (skipped.length > MAX_SKIPPED_RANGES) skipped.shift();
    onEvent({ type: 'gap', ...gap, reason });
    return gap;
  }

  function skipGap(reason: GapReason): void {
    // Called from inside a delivery, the next one may be at hand: that is no gap.
    if (held.has(next)) return deliverRun(undefined);
    const first = next;
    let lowest = Infinity;
    for (const seq of held.keys()) if (seq < lowest) lowest = seq;
    next = lowest;
    for (const start of told.keys()) if (start < next) told.delete(start);
    deliverRun(giveUp(first, reason));
  }

  /** The wait starts anew for each gap: when it opens, and when giving one up uncovers another. */
  function settle(gapBefore: number): void {
    if (closed) return;
    if (held.size === 0) return stopWaiting();
    if (deadline !== Infinity && next === gapBefore) return;
    stopWaiting();
    deadline = scheduler.now() + limits.maxWaitMs;
    cancelWait = scheduler.delay(limits.maxWaitMs, expire);
  }

  function stopWaiting(): void {
    deadline = Infinity;
    cancelWait?.();
    cancelWait = undefined;
    expiring = false;
  }

  /** What a throttled tab has queued but not yet dispatched gets its turn before a gap is given up. */
  function expire(): void {
    if (expiring) return;
    cancelWait?.();
    expiring = true;
    cancelWait = scheduler.macrotask(() => {
      const gapBefore = next;
      skipGap('time');
      settle(gapBefore);
    });
  }

  function drop(seq: number): void {
    const late = skipped.some((range) => seq >= range.first && seq <= range.last);
    onEvent({ type: late ? 'late' : 'duplicate', seq });
  }

  return {
    push(seq, item, bytes, skippedBefore = 0) {
      if (closed) return;
      if (seq < next) return drop(seq);
      const gapBefore = next;
      if (seq === next && held.size === 0) {
        next = seq + 1;
        deliver(item, seq, undefined);
        return;
      }
      if (held.has(seq)) return onEvent({ type: 'duplicate', seq });
      if (seq - next > limits.maxAhead) return onEvent({ type: 'too_far', seq });
      held.set(seq, { item, bytes });
      heldBytes += bytes;
      if (skippedBefore > 0) told.set(Math.max(next, seq - skippedBefore), seq);
      if (seq === next || told.has(next)) deliverRun(undefined);
      while (!closed && held.size > 0) {
        if (held.size > limits.maxItems) skipGap('items');
        else if (heldBytes > limits.maxBytes) skipGap('bytes');
        else break;
      }
      settle(gapBefore);
      if (scheduler.now() >= deadline) expire();
    },
    flush() {
      while (!closed && held.size > 0) skipGap('flush');
      stopWaiting();
    },
    close() {
      closed = true;
      held.clear();
      told.clear();
      heldBytes = 0;
      stopWaiting();
    },
    get next() {
      return next;
    },
    get held() {
      return held.size;
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
