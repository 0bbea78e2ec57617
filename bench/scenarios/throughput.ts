/*
 * Throughput of the whole path, chunk by chunk and coalesced, beside plain postMessage and the peers.
 *
 * `plain` is claim → intake → reorder → assemble → check → forward → proxy → runtime → no-op apply with merging and
 * credit switched off, so one chunk is one message: the price of the path. `window` is the path as shipped, on
 * window messages. A trial ends when the view has applied the last character.
 */
import { COALESCE_LIMITS } from '@mcp-apps-bridge/host-bridge';
import { rounds, scaled, type Bench, type Scenario } from '../lib/scenario.ts';

/** The bridge has no port path yet; see `pages/host/rivals/all.ts`. */
const PORT_PATH = false;
const COUNTS: Readonly<Record<number, number>> = { 200: 4_000, 1_000: 3_000, 10_000: 800, 100_000: 50 };
const TWO_FRAMES = ['raw', 'plain', 'window', ...(PORT_PATH ? ['port'] : []), 'ext', 'ext-as-shipped'];
const ONE_FRAME = [...TWO_FRAMES, 'penpal', 'comlink'];
const BURST = 16;

interface Answer {
  ms: number;
  messages?: number;
}

async function measure(bench: Bench, frames: 'single' | 'double', bytes: number): Promise<void> {
  const { sheet } = bench;
  const page = await bench.page();
  const count = scaled(bench, COUNTS[bytes]!, 20);
  const rivals = frames === 'single' ? ONE_FRAME : TWO_FRAMES;
  const trial = async (rival: string, size = count): Promise<Answer> =>
    page.run<Answer>('throughput', {
      rival,
      frames,
      bytes,
      count: size,
      burst: BURST,
      shipped: rival === 'ext-as-shipped',
    });
  const base = `throughput/${frames}/${bytes}`;
  for (const rival of rivals) await trial(rival, Math.ceil(count / 4));
  await rounds(bench, rivals, async (rival) => {
    const { ms, messages } = await trial(rival);
    sheet.add(`${base}/${rival}`, (count / ms) * 1_000, { unit: 'chunks/s', better: 'higher' });
    if (messages === undefined) return;
    if (rival !== 'plain') return sheet.add(`${base}/${rival}/chunks-a-message`, count / messages);
    bench.assert(`${base}: un-coalesced is one message a chunk`, messages === count, { messages, count });
  });
  for (const rival of rivals.slice(1)) sheet.ratio(`${base}/${rival}÷raw`, `${base}/${rival}`, `${base}/raw`);
  for (const rival of ['plain', 'window', 'port']) {
    sheet.ratio(`${base}/${rival}÷ext`, `${base}/${rival}`, `${base}/ext`);
    sheet.ratio(`${base}/${rival}÷ext-as-shipped`, `${base}/${rival}`, `${base}/ext-as-shipped`);
  }
  if (!PORT_PATH)
    for (const over of ['raw', 'ext']) sheet.skip(`${base}/port÷${over}`, 'the port path is not built');
}

export const throughput: Scenario = {
  name: 'throughput',
  async run(bench) {
    const sizes = bench.effort.quick ? [200] : Object.keys(COUNTS).map(Number);
    for (const frames of ['double', 'single'] as const) {
      for (const bytes of sizes) {
        bench.log(`throughput: ${frames}, ${bytes} B`);
        await measure(bench, frames, bytes);
      }
      await (await bench.page()).run('throughput', { close: true });
    }
    bench.assert('a batch is under the cliff by its own limit', COALESCE_LIMITS.batchBytes < 16_384);
  },
};
