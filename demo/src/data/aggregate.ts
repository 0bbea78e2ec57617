import { PRODUCTS, REGIONS } from './rows.ts';
import type { Product, Quarter, Region, Row } from './rows.ts';

export const WEEKS = 13;

export interface Query {
  year: number;
  quarter: Quarter;
  /** All regions when absent. */
  region?: Region | undefined;
}

/** Sums over rows. Money in whole US dollars. */
export interface Sums {
  revenue: number;
  orders: number;
  cost: number;
}

/** One bar, one table row: a region, or a product when one region was asked for. */
export interface Group {
  name: Region | Product;
  current: Sums;
  previous: Sums;
}

export interface Totals {
  /** Rows taken in so far. */
  rows: number;
  current: Sums;
  previous: Sums;
  groups: Group[];
  /** Revenue a week, up to {@link WEEKS} entries; a week appears with its first row. */
  weeks: { current: number[]; previous: number[] };
}

/** A step of the work: the rows of one week and one group, from both quarters. */
export type Batch = readonly Row[];

export function previousQuarter(query: Query): Query {
  return query.quarter === 1
    ? { ...query, year: query.year - 1, quarter: 4 }
    : { ...query, quarter: (query.quarter - 1) as Quarter };
}

function within(row: Row, query: Query): boolean {
  return (
    row.year === query.year &&
    row.quarter === query.quarter &&
    (query.region === undefined || row.region === query.region)
  );
}

/** Weeks of a quarter in the order of their dates; the position is the week's number. */
function weeksOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map((row) => row.weekEnding))].toSorted();
}

/**
 * The rows a query needs, its quarter and the one before, in the order in which they are worked off: week
 * by week, group by group. Empty when the year has no such quarter.
 */
export function batches(rows: readonly Row[], query: Query): Batch[] {
  const current = rows.filter((row) => within(row, query));
  const previous = rows.filter((row) => within(row, previousQuarter(query)));
  const currentWeeks = weeksOf(current);
  const previousWeeks = weeksOf(previous);
  const result: Batch[] = [];
  for (let week = 0; week < currentWeeks.length; week++) {
    for (const group of groupNames(query)) {
      const pick = (row: Row, end: string | undefined): boolean =>
        row.weekEnding === end && groupOf(row, query) === group;
      result.push([
        ...current.filter((row) => pick(row, currentWeeks[week])),
        ...previous.filter((row) => pick(row, previousWeeks[week])),
      ]);
    }
  }
  return result;
}

export function groupNames(query: Query): readonly (Region | Product)[] {
  return query.region === undefined ? REGIONS : PRODUCTS;
}

function groupOf(row: Row, query: Query): Region | Product {
  return query.region === undefined ? row.region : row.product;
}

/** Takes rows one batch at a time; `totals` is right after each. */
export function createAggregate(query: Query): { add(batch: Batch): void; readonly totals: Totals } {
  const none = (): Sums => ({ revenue: 0, orders: 0, cost: 0 });
  const groups = groupNames(query).map((name) => ({ name, current: none(), previous: none() }));
  const totals: Totals = {
    rows: 0,
    current: none(),
    previous: none(),
    groups,
    weeks: { current: [], previous: [] },
  };
  const seen = { current: new Map<string, number>(), previous: new Map<string, number>() };
  return {
    totals,
    add(batch) {
      for (const row of batch) {
        const side = within(row, query) ? 'current' : 'previous';
        const group = groups.find(({ name }) => name === groupOf(row, query));
        for (const sums of [totals[side], group?.[side]]) {
          if (sums === undefined) continue;
          sums.revenue += row.revenue;
          sums.orders += row.orders;
          sums.cost += row.cost;
        }
        let week = seen[side].get(row.weekEnding);
        if (week === undefined) {
          week = seen[side].size;
          seen[side].set(row.weekEnding, week);
        }
        totals.weeks[side][week] = (totals.weeks[side][week] ?? 0) + row.revenue;
        totals.rows++;
      }
    },
  };
}

/** All of a query at once. */
export function aggregate(rows: readonly Row[], query: Query): Totals {
  const work = createAggregate(query);
  for (const batch of batches(rows, query)) work.add(batch);
  return work.totals;
}

/** Relative change, or `undefined` where there is nothing to compare with. */
export function change(current: number, previous: number): number | undefined {
  return previous === 0 ? undefined : current / previous - 1;
}

/** Gross margin as a share of revenue, 0 without revenue. */
export function margin(sums: Sums): number {
  return sums.revenue === 0 ? 0 : (sums.revenue - sums.cost) / sums.revenue;
}
