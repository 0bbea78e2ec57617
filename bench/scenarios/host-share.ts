/*
 * How much of its main thread the host page gives to a stream, by the browser's own account of its tasks, reading
 * the stream included. Putting the view there costs a stream of one chunk as much and is taken off. The frames have
 * threads of their own.
 */
import { openDebuggedPage } from '../harness/browser.ts';
import { rounds, scaled, type Scenario } from '../lib/scenario.ts';

export const hostShare: Scenario = {
  name: 'host-share',
  async run(bench) {
    const { sheet } = bench;
    const page = await openDebuggedPage(bench.servers);
    try {
      for (const perSecond of bench.effort.quick ? [500] : [500, 5_000, 20_000]) {
        const base = `host-share/${perSecond}`;
        await rounds(bench, ['raw', 'ours', 'ext'], async (rival) => {
          const seconds = scaled(bench, 20, 3) / 10;
          const busyWith = async (stream: { perSecond: number; seconds: number }): Promise<number> => {
            const before = await page.busySeconds();
            await page.run('latency', { rival, ...stream, chars: 60, where: 'visible' });
            return (await page.busySeconds()) - before;
          };
          const setup = await busyWith({ perSecond: 10, seconds: 0.1 });
          const busy = Math.max(0, (await busyWith({ perSecond, seconds })) - setup);
          const name = `${base}/${rival}`;
          sheet.add(name, (busy * 1e6) / (perSecond * seconds), { unit: 'µs/chunk', better: 'lower' });
          sheet.add(`${name}/of-stream-time`, busy / seconds, { better: 'lower' });
        });
        sheet.ratio(`${base}/ours÷raw`, `${base}/ours`, `${base}/raw`, 'lower');
        sheet.ratio(`${base}/ours÷ext`, `${base}/ours`, `${base}/ext`, 'lower');
      }
    } finally {
      await page.close();
    }
  },
};
