/*
 * How the stages grow, without frames: microseconds a chunk from 10² to 10⁶ chunks on either side, and a chunk and
 * view from 1 to 50 views of one call. Flat is linear; what grows here would be felt as a page that gets slower.
 */
import type { Scenario } from '../lib/scenario.ts';

export const growth: Scenario = {
  name: 'growth',
  async run(bench) {
    const { sheet, effort } = bench;
    const page = await bench.page();
    const sizes = effort.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000, 1_000_000];
    const about = { unit: 'µs', better: 'lower' } as const;
    for (const part of ['host', 'view'] as const) {
      for (const chunks of sizes) {
        // The longest says enough when run twice: it is its own average.
        const times = Math.min(effort.rounds, chunks >= 1_000_000 ? 2 : effort.rounds);
        for (let i = 0; i < times; i++) {
          sheet.add(
            `growth/${part}/${chunks}`,
            await page.run<number>('growth', { part, chunks, views: 1 }),
            about,
          );
        }
      }
      const base = `growth/${part}`;
      sheet.ratio(`${base}/1000000÷10000`, `${base}/1000000`, `${base}/10000`, 'lower');
    }
    const chunks = effort.quick ? 500 : 5_000;
    for (let round = 0; round < effort.rounds; round++) {
      for (const views of effort.quick ? [1, 3] : [1, 5, 20, 50]) {
        sheet.add(
          `growth/views/${views}`,
          await page.run<number>('growth', { part: 'views', chunks, views }),
          about,
        );
      }
    }
    sheet.ratio('growth/views/50÷1', 'growth/views/50', 'growth/views/1', 'lower');
  },
};
