import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualScheduler } from '../testing/index.ts';
import { createReorder, type ReorderEvent, type ReorderLimits } from './reorder.ts';
import type { SeqRange } from './types.ts';

function setup(limits?: Partial<ReorderLimits>) {
  const scheduler = createManualScheduler();
  const delivered: number[] = [];
  const gaps: SeqRange[] = [];
  const events: ReorderEvent[] = [];
  const reorder = createReorder<number>({
    scheduler,
    ...(limits && { limits }),
    deliver: (item, seq, gap) => {
      expect(item).toBe(seq);
      delivered.push(seq);
      if (gap) gaps.push(gap);
    },
    onEvent: (event) => events.push(event),
  });
  const push = (...seqs: number[]) => seqs.forEach((seq) => reorder.push(seq, seq, 10));
  const pushAfter = (skipped: number, seq: number) => reorder.push(seq, seq, 10, skipped);
  return { scheduler, reorder, delivered, gaps, events, push, pushAfter };
}

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((head, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((tail) => [head, ...tail]),
  );
}

describe('order', () => {
  it('delivers every permutation of 6 chunks in order, each once (S4, case 1)', () => {
    for (const order of permutations([0, 1, 2, 3, 4, 5])) {
      const { push, delivered, events, scheduler } = setup();
      push(...order);
      expect(delivered).toEqual([0, 1, 2, 3, 4, 5]);
      expect(events).toEqual([]);
      expect(scheduler.pending).toBe(0);
    }
  });

  it('drops duplicates of delivered and of held chunks (cases 12, 13)', () => {
    const { push, delivered, events } = setup();
    push(0, 1, 2, 3, 4);
    push(0, 1, 2, 3, 4, 5, 6);
    push(8, 8, 7);
    expect(delivered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events.map((event) => event.type)).toEqual(Array(6).fill('duplicate'));
  });

  it('keeps the order of chunks pushed from inside a delivery', () => {
    const scheduler = createManualScheduler();
    const delivered: number[] = [];
    const reorder = createReorder<number>({
      scheduler,
      onEvent: () => {},
      deliver: (item) => {
        delivered.push(item);
        if (item === 0) [1, 2].forEach((seq) => reorder.push(seq, seq, 1));
      },
    });
    reorder.push(3, 3, 1);
    reorder.push(0, 0, 1);
    expect(delivered).toEqual([0, 1, 2, 3]);
  });
});

describe('gaps', () => {
  it('waits for a missing number, then skips it and reports it once (S6, case 7)', () => {
    const { push, delivered, gaps, events, scheduler } = setup({ maxWaitMs: 1_000 });
    push(0, 1, 3, 4);
    scheduler.advance(999);
    expect(delivered).toEqual([0, 1]);
    scheduler.advance(1);
    expect(delivered).toEqual([0, 1, 3, 4]);
    expect(gaps).toEqual([{ first: 2, last: 2 }]);
    push(2, 5);
    expect(delivered).toEqual([0, 1, 3, 4, 5]);
    expect(events).toEqual([
      { type: 'gap', first: 2, last: 2, reason: 'time' },
      { type: 'late', seq: 2 },
    ]);
    expect(scheduler.pending).toBe(0);
  });

  it('waits anew for the next gap that a skip uncovers', () => {
    const { push, delivered, scheduler } = setup({ maxWaitMs: 100 });
    push(1, 3);
    scheduler.advance(100);
    expect(delivered).toEqual([1]);
    scheduler.advance(99);
    expect(delivered).toEqual([1]);
    scheduler.advance(1);
    expect(delivered).toEqual([1, 3]);
  });

  it('gives what a throttled tab has queued its turn before it skips (D6)', () => {
    const { push, delivered, events, scheduler } = setup({ maxWaitMs: 100 });
    push(1);
    scheduler.macrotask(() => push(0));
    scheduler.advance(5_000);
    expect(delivered).toEqual([0, 1]);
    expect(events).toEqual([]);
  });

  it('notices a passed deadline on arrival when the timer does not fire', () => {
    const { push, reorder, delivered, scheduler } = setup({ maxWaitMs: 100 });
    const frozen = { ...scheduler, now: () => late, delay: () => () => {} };
    let late = 0;
    const seen: number[] = [];
    const stalled = createReorder<number>({
      scheduler: frozen,
      limits: { maxWaitMs: 100 },
      deliver: (item) => seen.push(item),
      onEvent: () => {},
    });
    stalled.push(1, 1, 1);
    late = 101;
    stalled.push(2, 2, 1);
    expect(seen).toEqual([]);
    scheduler.flush();
    expect(seen).toEqual([1, 2]);
    push(0);
    expect(delivered).toEqual([0]);
    expect(reorder.next).toBe(1);
  });

  it('skips when the held count or bytes exceed their cap (S5)', () => {
    const byCount = setup({ maxItems: 3 });
    byCount.push(1, 2, 3);
    expect(byCount.delivered).toEqual([]);
    byCount.push(4);
    expect(byCount.delivered).toEqual([1, 2, 3, 4]);
    expect(byCount.events).toEqual([{ type: 'gap', first: 0, last: 0, reason: 'items' }]);

    const byBytes = setup({ maxBytes: 25 });
    byBytes.push(1, 2, 3);
    expect(byBytes.delivered).toEqual([1, 2, 3]);
    expect(byBytes.events).toMatchObject([{ reason: 'bytes' }]);
  });

  it('never waits when nothing may be held, as a replace stream wants', () => {
    const { push, delivered, gaps } = setup({ maxItems: 0 });
    push(0, 3, 1, 4);
    expect(delivered).toEqual([0, 3, 4]);
    expect(gaps).toEqual([{ first: 1, last: 2 }]);
  });

  it('refuses a wild number instead of jumping to it', () => {
    const { push, delivered, events, scheduler } = setup({ maxAhead: 10 });
    push(0, Number.MAX_SAFE_INTEGER, 12);
    scheduler.advance(60_000);
    push(1, 2);
    expect(delivered).toEqual([0, 1, 2]);
    expect(events).toEqual([
      { type: 'too_far', seq: Number.MAX_SAFE_INTEGER },
      { type: 'too_far', seq: 12 },
    ]);
  });

  it('flush gives up every gap at once', () => {
    const { push, reorder, delivered, gaps, scheduler } = setup();
    push(1, 3, 4, 7);
    reorder.flush();
    expect(delivered).toEqual([1, 3, 4, 7]);
    expect(gaps).toEqual([
      { first: 0, last: 0 },
      { first: 2, last: 2 },
      { first: 5, last: 6 },
    ]);
    expect(scheduler.pending).toBe(0);
  });

  it('flush from inside a delivery finds no gap in front of what comes next anyhow', () => {
    const events: ReorderEvent[] = [];
    const delivered: number[] = [];
    const reorder = createReorder<number>({
      scheduler: createManualScheduler(),
      onEvent: (event) => events.push(event),
      deliver: (item) => {
        delivered.push(item);
        if (item === 1) reorder.flush();
      },
    });
    [1, 2, 3, 0].forEach((seq) => reorder.push(seq, seq, 1));
    expect(delivered).toEqual([0, 1, 2, 3]);
    expect(events).toEqual([]);
  });

  it('close drops what is held, stops the timer and ignores later calls', () => {
    const { push, reorder, delivered, scheduler } = setup();
    push(1, 2);
    reorder.close();
    expect(scheduler.pending).toBe(0);
    push(0);
    reorder.flush();
    expect(delivered).toEqual([]);
    expect(reorder.heldBytes).toBe(0);
  });
});

describe('numbers the sender says will never come', () => {
  it('are passed at once and reported as a gap', () => {
    const { push, pushAfter, delivered, gaps, events, scheduler } = setup();
    push(0);
    pushAfter(2, 3);
    expect(delivered).toEqual([0, 3]);
    expect(gaps).toEqual([{ first: 1, last: 2 }]);
    expect(events).toEqual([{ type: 'gap', first: 1, last: 2, reason: 'told' }]);
    expect(scheduler.pending).toBe(0);
    push(1);
    expect(events.at(-1)).toEqual({ type: 'late', seq: 1 });
  });

  it('do not excuse numbers missing before them, which are still waited for', () => {
    const { push, pushAfter, delivered, gaps, scheduler } = setup();
    push(0);
    pushAfter(1, 3);
    expect(delivered).toEqual([0]);
    push(1);
    expect(delivered).toEqual([0, 1, 3]);
    pushAfter(1, 7);
    scheduler.advance(2_000);
    expect(gaps).toEqual([
      { first: 2, last: 2 },
      { first: 4, last: 6 },
    ]);
  });

  it('that come all the same, before the message that denies them, are delivered', () => {
    const { push, pushAfter, delivered, gaps, scheduler } = setup();
    push(3);
    pushAfter(3, 5);
    push(0, 1);
    expect(delivered).toEqual([0, 1, 3]);
    // A sender that was wrong about some is not believed about the rest.
    scheduler.advance(2_000);
    expect(delivered).toEqual([0, 1, 3, 5]);
    expect(gaps).toEqual([
      { first: 2, last: 2 },
      { first: 4, last: 4 },
    ]);
    expect(scheduler.pending).toBe(0);
  });

  it('make no wait even where nothing may be held', () => {
    const { push, pushAfter, delivered } = setup({ maxItems: 0 });
    push(0);
    pushAfter(1, 2);
    expect(delivered).toEqual([0, 2]);
  });
});

describe('for every feed', () => {
  const feed = fc.record({
    total: fc.integer({ min: 1, max: 40 }),
    picks: fc.array(
      // Number, pause after it, and how many before it are said to be lost, truly or not.
      fc.tuple(fc.nat(), fc.integer({ min: 0, max: 400 }), fc.oneof(fc.constant(0), fc.nat({ max: 5 }))),
      { maxLength: 120 },
    ),
    limits: fc.record({
      maxWaitMs: fc.integer({ min: 1, max: 500 }),
      maxItems: fc.integer({ min: 0, max: 20 }),
      maxBytes: fc.integer({ min: 0, max: 200 }),
    }),
  });

  it('delivers in rising order, at most once, over reported gaps only, within its caps; counts add up', () => {
    fc.assert(
      fc.property(feed, ({ total, picks, limits }) => {
        const { pushAfter, reorder, delivered, gaps, events, scheduler } = setup(limits);
        for (const [pick, pause, skipped] of picks) {
          pushAfter(skipped, pick % total);
          expect(reorder.held).toBeLessThanOrEqual(limits.maxItems);
          expect(reorder.heldBytes).toBeLessThanOrEqual(limits.maxBytes);
          if (pause > 350) scheduler.advance(pause);
        }
        scheduler.advance(limits.maxWaitMs * (total + 1));
        expect(reorder.held).toBe(0);
        expect(scheduler.pending).toBe(0);

        const reported = events.filter((event) => event.type === 'gap');
        expect(reported.map(({ first, last }) => ({ first, last }))).toEqual(gaps);
        const skipped = gaps.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, i) => first + i),
        );
        const accounted = [...delivered, ...skipped].sort((a, b) => a - b);
        expect(accounted).toEqual(accounted.map((_, i) => i));
        expect(delivered).toEqual([...delivered].sort((a, b) => a - b));
        const dropped = events.filter((event) => event.type === 'duplicate' || event.type === 'late');
        expect(delivered.length + dropped.length).toBe(picks.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('told of every loss it ends as one that waits, in any order of arrival, and waits for nothing', () => {
    const stream = fc
      .array(fc.tuple(fc.oneof(fc.constant(0), fc.nat({ max: 4 }))), { minLength: 1, maxLength: 40 })
      .map((losses) => {
        let seq = -1;
        return losses.map(([skipped]) => ({ seq: (seq += skipped + 1), skipped }));
      })
      .chain((items) => fc.shuffledSubarray(items, { minLength: items.length }));
    fc.assert(
      fc.property(stream, (arrivals) => {
        const told = setup();
        const waiting = setup();
        for (const { seq, skipped } of arrivals) {
          told.pushAfter(skipped, seq);
          waiting.push(seq);
        }
        expect(told.scheduler.pending).toBe(0);
        waiting.scheduler.advance(2_000 * (arrivals.length + 1));
        expect(told.delivered).toEqual(waiting.delivered);
        expect(told.gaps).toEqual(waiting.gaps);
        expect(told.reorder.next).toBe(waiting.reorder.next);
        expect(told.events.every((event) => event.type === 'gap' && event.reason === 'told')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('without loss every shuffle with duplicates delivers all, in order, without a gap', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...Array(60).keys()], { minLength: 60 }),
        fc.array(fc.nat(59), { maxLength: 40 }),
        (order, extra) => {
          const { push, delivered, events } = setup();
          order.forEach((seq, i) => push(seq, ...(extra[i] === undefined ? [] : [extra[i]])));
          expect(delivered).toEqual([...Array(60).keys()]);
          expect(events.some((event) => event.type === 'gap')).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});
