/*
 * Time a view spends on one message, from its event to the applied chunk, measured inside the view where no hop
 * between processes drowns it. Un-coalesced: one chunk a message, acks included.
 */
import { rounds, scaled, type Scenario } from '../lib/scenario.ts';

const RIVALS = ['raw', 'plain', 'ext', 'ext-as-shipped'];

export const viewTime: Scenario = {
  name: 'view-time',
  async run(bench) {
    const { sheet } = bench;
    const page = await bench.page();
    const count = scaled(bench, 4_000, 100);
    const sizes = bench.effort.quick ? [200] : [200, 10_000];
    for (const bytes of sizes) {
      const trial = async (rival: string): Promise<number> =>
        page.run<number>('view-time', {
          rival,
          frames: 'double',
          bytes,
          count,
          shipped: rival.endsWith('shipped'),
        });
      const named = (rival: string): string => `view-time/${bytes}/${rival === 'plain' ? 'ours' : rival}`;
      for (const rival of RIVALS) await trial(rival);
      await rounds(bench, RIVALS, async (rival) => {
        sheet.add(named(rival), await trial(rival), { unit: 'µs', better: 'lower' });
      });
      for (const over of ['ext', 'ext-as-shipped', 'raw']) {
        sheet.ratio(`view-time/${bytes}/ours÷${over}`, named('plain'), named(over), 'lower');
      }
    }
    await page.run('throughput', { close: true });
  },
};
