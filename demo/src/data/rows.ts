export const REGIONS = ['North America', 'Europe', 'Asia Pacific', 'Latin America'] as const;
export const PRODUCTS = ['Platform', 'Analytics', 'Services'] as const;

export type Region = (typeof REGIONS)[number];
export type Product = (typeof PRODUCTS)[number];
export type Quarter = 1 | 2 | 3 | 4;

/** One week of one product in one region. Money in whole US dollars. */
export interface Row {
  /** ISO date of the Saturday that ends the week. */
  weekEnding: string;
  year: number;
  quarter: Quarter;
  region: Region;
  product: Product;
  orders: number;
  revenue: number;
  cost: number;
}

/**
 * Reads the table of `data/revenue.csv`. The file is our own, without quoted fields; a line that does not
 * fit throws with its number, since figures from half a file would look right.
 */
export function parseRows(csv: string): Row[] {
  const lines = csv.split(/\r?\n/).filter((line) => line !== '');
  return lines.slice(1).map((line, index) => {
    const cells = line.split(',');
    const [weekEnding = '', year, quarter, region, product, orders, revenue, cost] = cells;
    const row = {
      weekEnding,
      year: Number(year),
      quarter: Number(quarter?.slice(1)) as Quarter,
      region: region as Region,
      product: product as Product,
      orders: Number(orders),
      revenue: Number(revenue),
      cost: Number(cost),
    };
    const numbers = [row.year, row.quarter, row.orders, row.revenue, row.cost];
    if (
      cells.length !== 8 ||
      !numbers.every(Number.isInteger) ||
      !isRegion(row.region) ||
      !PRODUCTS.includes(row.product)
    ) {
      throw new Error(`revenue.csv line ${index + 2}: expected 8 fields as in the header, got "${line}"`);
    }
    return row;
  });
}

export function isRegion(value: unknown): value is Region {
  return REGIONS.includes(value as Region);
}
