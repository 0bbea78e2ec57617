/*
 * From the server's emit to the frame that shows it, over real HTTP: a server of the SDK, its client in the page,
 * and a view in two frames. `raw` is a stream of events read by hand and posted on; `sdk` is server and client of the SDK
 * with plain postMessage behind them, so what `sdk` has over `raw` is none of our doing. `delivered` ends with the apply
 * and is what counts where nothing is painted: behind another tab, or far below the fold.
 */
import { openDebuggedPage, type DebuggedPage, type OpenPage } from '../harness/browser.ts';
import { rounds, scaled, type Bench, type Scenario } from '../lib/scenario.ts';
import { quantile } from '../lib/stats.ts';
import type { Timeline } from '../pages/shared/protocol.ts';

const CHARS = 60;
const RATES = [50, 500, 5_000, 20_000];

interface Trial {
  rival: string;
  perSecond: number;
  where: 'visible' | 'hidden' | 'offscreen';
}

async function measure(bench: Bench, page: OpenPage, { rival, perSecond, where }: Trial): Promise<void> {
  const { sheet } = bench;
  // Slow streams need longer for a p99 that is more than their worst chunk.
  const seconds = scaled(bench, perSecond === 50 ? 40 : 15, 3) / 10;
  const seen = await page.run<Timeline>('latency', { rival, perSecond, seconds, chars: CHARS, where });
  const add = (what: string, value: number): void =>
    sheet.add(`latency/${where}/${perSecond}/${what}/${rival}`, value, { unit: 'ms', better: 'lower' });
  if (where === 'visible') {
    add('p50', quantile(seen.shown, 0.5));
    add('p99', quantile(seen.shown, 0.99));
  }
  add('delivered-p50', quantile(seen.delivered, 0.5));
  add('delivered-p99', quantile(seen.delivered, 0.99));
  if (rival === 'ours' && where !== 'visible') {
    const name = `latency/${where}/${perSecond}/delivered-max`;
    sheet.add(name, Math.max(...seen.delivered), { unit: 'ms', better: 'lower' });
  }
}

async function measureUnseen(bench: Bench, where: 'hidden' | 'offscreen', perSecond: number): Promise<void> {
  const { sheet } = bench;
  const base = `latency/${where}/${perSecond}`;
  const hidden: DebuggedPage | undefined =
    where === 'hidden' ? await openDebuggedPage(bench.servers) : undefined;
  const page = hidden ?? (await bench.page());
  try {
    await hidden?.hide();
    for (const rival of ['ours', 'raw']) {
      for (let i = 0; i < bench.effort.rounds; i++) await measure(bench, page, { rival, perSecond, where });
    }
  } finally {
    await hidden?.close();
  }
  const visible = `latency/visible/${perSecond}/delivered-p50/ours`;
  sheet.ratio(`${base}/delivered-p50÷visible`, `${base}/delivered-p50/ours`, visible, 'lower');
}

export const latency: Scenario = {
  name: 'latency',
  async run(bench) {
    const { sheet } = bench;
    const page = await bench.page();
    const rates = bench.effort.quick ? [500] : RATES;
    for (const perSecond of rates) {
      bench.log(`latency: ${perSecond} chunks/s`);
      await rounds(bench, ['raw', 'sdk', 'ours', 'ext'], (rival) =>
        measure(bench, page, { rival, perSecond, where: 'visible' }),
      );
      for (const p of ['p50', 'p99']) {
        const base = `latency/visible/${perSecond}/${p}`;
        sheet.ratio(`${base}/ours÷raw`, `${base}/ours`, `${base}/raw`, 'lower');
        sheet.ratio(`${base}/ours÷ext`, `${base}/ours`, `${base}/ext`, 'lower');
        sheet.ratio(`${base}/ours÷sdk`, `${base}/ours`, `${base}/sdk`, 'lower');
        sheet.ratio(`${base}/sdk÷raw`, `${base}/sdk`, `${base}/raw`, 'lower');
      }
    }
    bench.log('latency: off screen and hidden');
    await measureUnseen(bench, 'offscreen', 500);
    await measureUnseen(bench, 'hidden', 500);
  },
};
