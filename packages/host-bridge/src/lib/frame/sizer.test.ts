import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSizer } from './sizer.ts';
import type { SizeEvent, Sizer } from './sizer.ts';

function setup(answer?: (applied: number, sizer: Sizer) => void) {
  const scheduler = createManualScheduler();
  const applied: number[] = [];
  const events: SizeEvent[] = [];
  const sizer: Sizer = createSizer({
    scheduler,
    limits: { minHeight: 40, maxHeight: 2000 },
    onEvent: (event) => events.push(event),
    apply(height) {
      applied.push(height);
      if (answer) scheduler.delay(16, () => answer(height, sizer));
    },
  });
  return { scheduler, applied, events, sizer };
}

test('a report is applied at once, rounded up', () => {
  const { sizer, applied } = setup();
  sizer.report(310.2);
  expect(applied).toEqual([311]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -5, '400', null, {}])(
  '%o is refused and reported (case 72)',
  (value) => {
    const { sizer, applied, events } = setup();
    sizer.report(300);
    sizer.report(value);
    expect(applied).toEqual([300]);
    expect(events).toEqual([{ type: 'size_refused', height: value }]);
  },
);

test('heights are clamped to the limits (case 72)', () => {
  const { sizer, applied, scheduler } = setup();
  sizer.report(1e9);
  scheduler.advance(300);
  sizer.report(1);
  expect(applied).toEqual([2000, 40]);
});

test('a burst is applied first and last only, four times a second at most (case 73)', () => {
  const { sizer, applied, scheduler } = setup();
  for (let height = 100; height <= 200; height++) sizer.report(height);
  expect(applied).toEqual([100]);
  scheduler.advance(250);
  expect(applied).toEqual([100, 200]);
});

test('an echo of the applied height changes nothing (case 71)', () => {
  const { sizer, applied, scheduler } = setup((height, sizer) => sizer.report(height));
  sizer.report(300);
  scheduler.advance(5000);
  expect(applied).toEqual([300]);
});

test.each([8, -1])('a view that answers each resize with %i more settles (case 71)', (step) => {
  const { sizer, applied, events, scheduler } = setup((height, sizer) => sizer.report(height + step));
  sizer.report(400);
  scheduler.advance(60_000);
  const probe = 400 + 3 * step + Math.sign(step);
  expect(applied).toEqual([400, 400 + step, 400 + 2 * step, probe]);
  expect(events).toEqual([{ type: 'size_loop', height: probe + step }]);
});

test('a view that swings between two heights settles at the larger one', () => {
  const { sizer, applied, events, scheduler } = setup((height, sizer) =>
    sizer.report(height === 400 ? 380 : 400),
  );
  sizer.report(400);
  scheduler.advance(60_000);
  expect(sizer.height).toBe(400);
  expect(applied.length).toBeLessThanOrEqual(7);
  expect(events).toContainEqual({ type: 'size_loop', height: 380 });
});

test.each([100, 300, 400, 520, 700, 740, 3000])(
  'content that grows by equal lines every %i ms is followed to its end',
  (everyMs) => {
    const { sizer, scheduler, events } = setup();
    for (let line = 1; line <= 40; line++) {
      sizer.report(100 + 18 * line);
      scheduler.advance(everyMs);
    }
    scheduler.advance(2000);
    expect(sizer.height).toBe(100 + 18 * 40);
    expect(events).toEqual([]);
  },
);

test('a view that swings is stopped after a few heights, however late within a second it answers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 900 }),
      fc.integer({ min: 40, max: 2000 }),
      fc.integer({ min: 40, max: 2000 }),
      (answersAfterMs, one, other) => {
        const { scheduler, sizer, applied } = setup((height) =>
          scheduler.delay(answersAfterMs, () => sizer.report(height === one ? other : one)),
        );
        sizer.report(one);
        scheduler.advance(60_000);
        expect(applied.length).toBeLessThanOrEqual(7);
        expect(sizer.height).toBe(Math.max(one, other));
      },
    ),
  );
});

test('content that goes to and fro by itself, at whatever pace, has the height it ends with', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 480 }), { maxLength: 20 }),
      (everyMs, times, pauses) => {
        const { sizer, scheduler, events } = setup();
        const swings = [...Array<number>(times).fill(everyMs), ...pauses];
        for (const [i, pauseMs] of swings.entries()) {
          sizer.report(i % 2 === 0 ? 1915 : 1868);
          scheduler.advance(pauseMs);
        }
        scheduler.advance(2000);
        expect(sizer.height).toBe(swings.length % 2 === 1 ? 1915 : 1868);
        expect(events).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});

test('after a refused chase the view may still take another size', () => {
  const { sizer, scheduler } = setup((height, sizer) => sizer.report(height >= 400 ? height + 8 : height));
  sizer.report(400);
  scheduler.advance(60_000);
  sizer.report(200);
  scheduler.advance(1000);
  expect(sizer.height).toBe(200);
});

test('a person who opens and closes a panel again and again is followed', () => {
  const { sizer, scheduler } = setup();
  for (let i = 0; i < 9; i++) {
    sizer.report(i % 2 === 0 ? 300 : 500);
    scheduler.advance(1500);
    expect(sizer.height).toBe(i % 2 === 0 ? 300 : 500);
  }
});

test('nothing is applied after close and no timer stays', () => {
  const { sizer, applied, scheduler } = setup();
  sizer.report(100);
  sizer.report(200);
  sizer.close();
  scheduler.advance(1000);
  sizer.report(300);
  expect([applied, scheduler.pending]).toEqual([[100], 0]);
});

test('whatever is reported, the height stays within the limits and a lone last report wins in the end', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.oneof(fc.double(), fc.integer({ min: -10, max: 3000 })),
          fc.integer({ min: 0, max: 900 }),
        ),
      ),
      fc.integer({ min: 40, max: 2000 }),
      (reports, last) => {
        const { sizer, applied, scheduler } = setup();
        for (const [height, pause] of reports) {
          sizer.report(height);
          scheduler.advance(pause);
        }
        scheduler.advance(2000);
        sizer.report(last);
        scheduler.advance(2000);
        expect(applied.every((height) => height >= 40 && height <= 2000)).toBe(true);
        expect(sizer.height).toBe(last);
      },
    ),
  );
});
