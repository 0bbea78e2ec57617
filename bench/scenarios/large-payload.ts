/*
 * One 100 KB chunk on an idle path, from the moment it is handed in to its apply. A window message of 16,384 bytes
 * or more stalls its receiver for milliseconds, so a path that splits it can be faster than one message.
 */
import { rounds, scaled, type Scenario } from '../lib/scenario.ts';

export const largePayload: Scenario = {
  name: 'large-payload',
  async run(bench) {
    const { sheet } = bench;
    const page = await bench.page();
    const trial = async (rival: string): Promise<{ ms: number }> =>
      page.run('large-payload', {
        rival,
        frames: 'double',
        bytes: 100_000,
        count: scaled(bench, 15, 3),
      });
    const rivals = ['raw', 'window', 'ext'];
    for (const rival of rivals) await trial(rival);
    await rounds(bench, rivals, async (rival) => {
      const { ms } = await trial(rival);
      sheet.add(`large-payload/${rival === 'window' ? 'ours' : rival}`, ms, { unit: 'ms', better: 'lower' });
    });
    sheet.ratio('large-payload/ours÷raw', 'large-payload/ours', 'large-payload/raw', 'lower');
    sheet.ratio('large-payload/ours÷ext', 'large-payload/ours', 'large-payload/ext', 'lower');
    await page.run('throughput', { close: true });
  },
};
