import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregate, batches, change, createAggregate, previousQuarter, WEEKS } from './aggregate.ts';
import type { Query } from './aggregate.ts';
import { loadRows } from './load-rows.ts';
import { parseRows, PRODUCTS, REGIONS } from './rows.ts';

const rows = loadRows();
const queries: Query[] = ([1, 2, 3, 4] as const).flatMap((quarter) => [
  { year: 2025, quarter },
  ...REGIONS.map((region) => ({ year: 2025, quarter, region })),
]);

/** The same sum by the plainest code there is, to compare with. */
function revenueOf(year: number, quarter: number, region?: string): number {
  let sum = 0;
  for (const row of rows) {
    if (row.year === year && row.quarter === quarter && (region ?? row.region) === row.region)
      sum += row.revenue;
  }
  return sum;
}

describe('the shipped rows', () => {
  test('cover every week, region and product of five quarters once', () => {
    const keys = new Set(rows.map((row) => `${row.weekEnding}|${row.region}|${row.product}`));
    expect(keys.size).toBe(rows.length);
    expect(rows.length).toBe(5 * WEEKS * REGIONS.length * PRODUCTS.length);
  });

  test('a broken line is refused with its number', () => {
    const csv = 'header\n2025-01-04,2025,Q1,Europe,Platform,1,2,3\n2025-01-04,2025,Q1,Mars,Platform,1,2,3\n';
    expect(() => parseRows(csv)).toThrow('line 3');
  });
});

describe('aggregate', () => {
  test.each(queries)('of $year Q$quarter $region agrees with a plain sum', (query) => {
    const totals = aggregate(rows, query);
    const before = previousQuarter(query);
    expect(totals.current.revenue).toBe(revenueOf(query.year, query.quarter, query.region));
    expect(totals.previous.revenue).toBe(revenueOf(before.year, before.quarter, query.region));
    expect(totals.groups.reduce((sum, group) => sum + group.current.orders, 0)).toBe(totals.current.orders);
    expect(totals.weeks.current).toHaveLength(WEEKS);
    expect(totals.weeks.current.reduce((sum, week) => sum + week, 0)).toBe(totals.current.revenue);
    expect(totals.rows).toBe(batches(rows, query).flat().length);
  });

  test('does not depend on how the rows are cut into batches', () => {
    const query: Query = { year: 2025, quarter: 2 };
    const all = batches(rows, query).flat();
    const expected = aggregate(rows, query);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const work = createAggregate(query);
        for (let at = 0, turn = 0; at < all.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          work.add(all.slice(at, at + size));
          at += size;
        }
        expect(work.totals).toEqual(expected);
      }),
    );
  });

  test('of a quarter that is not in the file is empty', () => {
    expect(batches(rows, { year: 1999, quarter: 2 })).toEqual([]);
    expect(change(5, 0)).toBeUndefined();
  });
});
