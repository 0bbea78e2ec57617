import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisMoney, niceAxis } from './scale.ts';

test('an axis holds every value, in few even steps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 26 }),
      fc.integer({ min: 2, max: 6 }),
      (values, count) => {
        const { min, max, ticks } = niceAxis(values, count);
        expect(min).toBeLessThanOrEqual(Math.min(...values));
        expect(max).toBeGreaterThanOrEqual(Math.max(...values));
        expect(ticks.length).toBeLessThanOrEqual(count + 3);
        expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
      },
    ),
  );
});

test('an axis of one value is an axis', () => {
  expect(niceAxis([5], 3).ticks.length).toBeGreaterThan(1);
  expect(niceAxis([0, 0], 3).max).toBeGreaterThanOrEqual(0);
});

test('axis labels are short', () => {
  expect([3_500_000, 2_000_000, 250_000, 0].map(axisMoney)).toEqual(['$3.5M', '$2M', '$250K', '$0']);
});
