/*
 * Sizes of what is really posted on the window path: no coalesced partial may reach 16,384 bytes, where the
 * receiver stalls. Every message is serialized as a browser does, at one byte a character and at two. Runs the
 * stages alone, so the figures are counts and the same on every machine.
 */
import { serialize } from 'node:v8';
import { createToolOutput, createViewFeed } from '@mcp-apps-bridge/host-bridge';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { createRandom } from '@mcp-apps-bridge/partial-results/testing';
import type { Scenario } from '../lib/scenario.ts';

const CLIFF = 16_384;

/** Bytes of one batch on the wire, as v8 writes it, and whether several chunks are in it. */
async function batchesOf(
  texts: readonly string[],
  modes: object,
): Promise<{ bytes: number; merged: boolean }[]> {
  const batches: { bytes: number; merged: boolean }[] = [];
  const output = createToolOutput({ modes });
  const feed = createViewFeed({
    output,
    notify(method, params) {
      if (!method.endsWith('partial')) return;
      const meta = params['_meta'];
      const range = isPlainObject(meta)
        ? (Object.entries(meta).find(([key]) => key.endsWith('/upstream'))?.[1] as [number, number])
        : [0, 0];
      batches.push({
        bytes: serialize({ jsonrpc: '2.0', method, params }).byteLength,
        merged: range[1]! > range[0]!,
      });
      const { partialResultToken, seq } = params;
      setImmediate(() => feed.ack({ partialResultToken, epoch: 0, seq }));
    },
  });
  feed.open({ acks: true });
  for (const [seq, text] of texts.entries()) {
    output.push({ partialResultToken: 't', seq, content: [{ type: 'text', text }] });
    // A sender without end would pass the cap of the queue; this one waits, and leaves enough to merge.
    while (seq % 100 === 99 && feed.counters.queued > 50)
      await new Promise((resolve) => setImmediate(resolve));
  }
  const settled = (): boolean => feed.counters.queued === 0 && feed.counters.inFlight === 0;
  for (let i = 0; i < 100_000 && !settled(); i++) await new Promise((resolve) => setImmediate(resolve));
  const { counters } = feed;
  feed.close();
  output.close();
  if (counters.discarded > 0) throw new Error(`${counters.discarded} batches were discarded`);
  return batches;
}

export const batches: Scenario = {
  name: 'batches',
  async run({ sheet, assert }) {
    const random = createRandom(11);
    const texts: Record<string, string[]> = {
      'ascii-200': Array.from({ length: 5_000 }, () => 'x'.repeat(200)),
      'cjk-200': Array.from({ length: 5_000 }, () => '汉'.repeat(200)),
      mixed: Array.from({ length: 5_000 }, () =>
        (random() < 0.5 ? 'é' : '汉').repeat(Math.ceil(random() * 3_000)),
      ),
      tiny: Array.from({ length: 20_000 }, () => '.'),
    };
    let over = 0;
    for (const modes of [{ content: 'append' }, { content: 'replace' }]) {
      for (const [name, list] of Object.entries(texts)) {
        const sent = await batchesOf(list, modes);
        const merged = sent.filter((batch) => batch.merged);
        const large = merged.filter(({ bytes }) => bytes >= CLIFF).length;
        over += large;
        assert(`batches/${modes.content}/${name}: no coalesced batch reaches ${CLIFF} B`, large === 0, {
          large,
        });
        sheet.add(`batches/${modes.content}/${name}/chunks-a-message`, list.length / sent.length, {
          better: 'higher',
          kind: 'ratio',
        });
      }
    }
    sheet.add('batches/at-or-over-16384', over, { better: 'lower', kind: 'count' });
  },
};
