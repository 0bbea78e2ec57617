/*
 * What drawing costs: frames dropped against 60 a second, the longest frames, tasks over 50 ms and React commits,
 * for a view with a runtime and, for text, one that sets state with each message.
 */
import { scaled, type Bench, type Scenario } from '../lib/scenario.ts';
import { quantile } from '../lib/stats.ts';
import type { PaintReport } from '../pages/shared/protocol.ts';

const FRAME_MS = 1_000 / 60;
const KINDS = [
  { name: 'text', draws: 'text', perChunk: false, perSecond: 10_000 },
  { name: 'text-per-chunk', draws: 'text', perChunk: true, perSecond: 10_000 },
  { name: 'log', draws: 'log', perChunk: false, perSecond: 10_000 },
  { name: 'table', draws: 'table', perChunk: false, perSecond: 1_000 },
  { name: 'a2ui', draws: 'a2ui', perChunk: false, perSecond: 1_000 },
] as const;

async function measure(bench: Bench, { name, ...trial }: (typeof KINDS)[number]): Promise<void> {
  const { sheet } = bench;
  const page = await bench.page();
  const seconds = scaled(bench, 20, 3) / 10;
  const seen = await page.run<PaintReport & { ms: number }>('rendering', { ...trial, seconds });
  const { frames, longTasks, commits, updates, heapMb, ms } = seen;
  const base = `rendering/${name}`;
  const add = (what: string, value: number, unit = ''): void =>
    sheet.add(`${base}/${what}`, value, { unit, better: 'lower' });
  add('dropped', Math.max(0, 1 - frames.length / (ms / FRAME_MS)));
  add('p99', quantile(frames, 0.99), 'ms');
  add('long-tasks', longTasks);
  add('commits-a-frame', commits / Math.max(1, frames.length));
  add('heap', heapMb, 'MB');
  if (trial.perChunk) return;
  // Besides frames a publication may come at the end of the stream, and every 100 ms where no frame comes.
  const most = frames.length + Math.ceil(ms / 100) + 1;
  bench.assert(`${base}: at most one apply a frame`, updates <= most, { updates, frames: frames.length });
  bench.assert(`${base}: at most one commit an apply`, commits <= updates + 2, { commits, updates });
}

export const rendering: Scenario = {
  name: 'rendering',
  async run(bench) {
    const kinds = bench.effort.quick ? KINDS.filter(({ perChunk }) => !perChunk) : KINDS;
    for (let round = 0; round < bench.effort.rounds; round++) {
      for (const kind of kinds) await measure(bench, kind);
    }
    const of = 'rendering/text-per-chunk/p99';
    bench.sheet.ratio('rendering/text/p99÷per-chunk', 'rendering/text/p99', of, 'lower');
  },
};
