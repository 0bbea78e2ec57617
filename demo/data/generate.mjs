// Writes revenue.csv: five quarters of weekly revenue by region and product. Seeded, so that a second
// run writes the same bytes: `node demo/data/generate.mjs`.
import { writeFileSync } from 'node:fs';

const REGIONS = [
  // name, share of the business, growth a week, height of the year-end peak
  ['North America', 1, 0.0042, 0.16],
  ['Europe', 0.72, 0.0031, 0.12],
  ['Asia Pacific', 0.51, 0.0086, 0.08],
  ['Latin America', 0.24, 0.0057, 0.2],
];
const PRODUCTS = [
  // name, revenue a week, revenue an order, cost share, growth a week
  ['Platform', 512_000, 8_400, 0.27, 0.0024],
  ['Analytics', 268_000, 3_150, 0.22, 0.0061],
  ['Services', 174_000, 12_600, 0.58, -0.0012],
];
const FIRST_WEEK_END = Date.UTC(2024, 9, 5);
const WEEK = 7 * 24 * 3600 * 1000;

let state = 0x5eed2998;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

/** About normal, mean 0, deviation 1. */
function noise() {
  return random() + random() + random() + random() + random() + random() - 3;
}

const lines = ['week_ending,year,quarter,region,product,orders,revenue_usd,cost_usd'];
for (let week = 0; week < 65; week++) {
  const end = new Date(FIRST_WEEK_END + week * WEEK);
  const quarterIndex = Math.floor(week / 13);
  const year = quarterIndex === 0 ? 2024 : 2025;
  const quarter = quarterIndex === 0 ? 4 : quarterIndex;
  for (const [region, share, regionGrowth, peak] of REGIONS) {
    for (const [product, base, perOrder, costShare, productGrowth] of PRODUCTS) {
      const trend = (1 + regionGrowth + productGrowth) ** week;
      const weekOfQuarter = week % 13;
      const quarterEnd = 1 + 0.09 * Math.max(0, weekOfQuarter - 9) * (product === 'Services' ? 0.2 : 1);
      const season = 1 + (quarter === 4 ? peak * (weekOfQuarter / 12) : quarter === 3 ? -0.05 : 0);
      const revenue = Math.round(base * share * trend * quarterEnd * season * (1 + 0.055 * noise()));
      const orders = Math.max(1, Math.round((revenue / perOrder) * (1 + 0.06 * noise())));
      const cost = Math.round(revenue * costShare * (1 + 0.03 * noise()));
      lines.push(
        [end.toISOString().slice(0, 10), year, `Q${quarter}`, region, product, orders, revenue, cost].join(
          ',',
        ),
      );
    }
  }
}
writeFileSync(new URL('./revenue.csv', import.meta.url), `${lines.join('\n')}\n`);
