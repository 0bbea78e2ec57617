/*
 * A view that needs 5 ms for each thing it applies, under 2,000 chunks a second, with the limits as shipped: how
 * late it gets (credit bounds it), how much waits for it, and what the host keeps in memory. A flood of five times
 * as much shows that what waits stays under its caps.
 */
import { scaled, type Scenario } from '../lib/scenario.ts';
import { quantile } from '../lib/stats.ts';
import type { SlowView } from '../pages/host/jobs/slow-view.ts';

export const slowView: Scenario = {
  name: 'slow-view',
  async run(bench) {
    const { sheet, effort } = bench;
    const page = await bench.page();
    for (let round = 0; round < effort.rounds; round++) {
      for (const [name, perSecond] of [
        ['slow-view', 2_000],
        ['flood', 10_000],
      ] as const) {
        const seconds = scaled(bench, 20, 2) / 10;
        const seen = await page.run<SlowView>('slow-view', { perSecond, seconds, chars: 60, applyMs: 5 });
        const { delivered, peaks, caps, heapMb } = seen;
        const over = Number(peaks.queued > caps.queued) + Number(peaks.inFlight > caps.inFlight);
        sheet.add(`${name}/lag-p50`, quantile(delivered, 0.5), { unit: 'ms', better: 'lower' });
        sheet.add(`${name}/lag-p99`, quantile(delivered, 0.99), { unit: 'ms', better: 'lower' });
        sheet.add(`${name}/queued-peak`, peaks.queued, { unit: 'messages', better: 'lower' });
        sheet.add(`${name}/in-flight-peak`, peaks.inFlight, { unit: 'messages', better: 'lower' });
        sheet.add(`${name}/over-caps`, over, { better: 'lower', kind: 'count' });
        sheet.add(`${name}/host-heap-growth`, heapMb.peak - heapMb.before, { unit: 'MB', better: 'lower' });
        bench.assert(`${name}: queues stay under their caps`, over === 0, { peaks, caps });
        bench.assert(`${name}: every chunk arrives`, delivered.length === seen.events, seen.events);
      }
    }
  },
};
