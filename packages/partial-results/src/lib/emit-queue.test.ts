import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualScheduler, type ManualScheduler } from '../testing/index.ts';
import { DEFAULT_EMIT_LIMITS, type EmitLimits } from './emit-limits.ts';
import { createEmitQueue, type EmitQueue } from './emit-queue.ts';
import { foldContent, foldStructured } from './merge.ts';
import { estimateSize } from './size.ts';
import type { ContentBlock, MergeModes, PartialResultBody } from './types.ts';

interface Bench {
  queue: EmitQueue;
  scheduler: ManualScheduler;
  /** What was handed to the transport: each body with the number it would get. */
  sent: Array<{ seq: number; body: PartialResultBody }>;
  merged: () => number;
  dropped: Array<[count: number, reason: string]>;
  /** Lets the transport finish its send in hand. */
  drain(): Promise<void>;
  drainAll(): Promise<void>;
}

function bench(modes: MergeModes = {}, limits: Partial<EmitLimits> = {}): Bench {
  const scheduler = createManualScheduler();
  const sent: Bench['sent'] = [];
  const dropped: Bench['dropped'] = [];
  const pending: Array<() => void> = [];
  let merged = 0;
  let next = 0;
  const queue = createEmitQueue({
    send(body, skipped) {
      next += skipped;
      sent.push({ seq: next++, body });
      return new Promise((resolve) => pending.push(resolve));
    },
    onMerged: () => merged++,
    onDropped: (count, reason) => dropped.push([count, reason]),
    modes,
    limits: { ...DEFAULT_EMIT_LIMITS, ...limits },
    scheduler,
  });
  async function drain(): Promise<void> {
    pending.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  }
  async function drainAll(): Promise<void> {
    while (pending.length > 0) await drain();
  }
  return { queue, scheduler, sent, merged: () => merged, dropped, drain, drainAll };
}

const word = (text: string): PartialResultBody => ({ content: [{ type: 'text', text }] });
const words = (sent: Bench['sent']): string[] =>
  sent.map(({ body }) => body.content!.map((b) => b.text).join('|'));

describe('order', () => {
  it('hands over the first at once and each further one when the one before has left', async () => {
    const { queue, sent, drain } = bench();
    for (const text of ['a', 'b', 'c']) void queue.push(word(text));
    expect(words(sent)).toEqual(['a']);
    await drain();
    expect(words(sent)).toEqual(['a', 'b']);
    await drain();
    expect(words(sent)).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });
});

describe('merging', () => {
  it('joins what waits, under the modes of the tool', async () => {
    const { queue, sent, drainAll, merged } = bench({ content: 'append' });
    for (const text of ['a', 'b', 'c', 'd']) void queue.push(word(text));
    await drainAll();
    expect(words(sent)).toEqual(['a', 'bcd']);
    expect(merged()).toBe(2);
  });

  it('joins nothing when the tool declares no mode', async () => {
    const { queue, sent, drainAll } = bench();
    for (const text of ['a', 'b', 'c']) void queue.push(word(text));
    await drainAll();
    expect(words(sent)).toEqual(['a', 'b', 'c']);
  });

  it('lets the mode of a chunk override the mode of the tool', async () => {
    const { queue, sent, drainAll } = bench({ content: 'append' });
    const replacing = { 'io.github.mcp-apps-bridge/merge': { content: 'replace' } };
    for (const text of ['a', 'b', 'c']) void queue.push({ ...word(text), _meta: replacing });
    await drainAll();
    expect(words(sent)).toEqual(['a', 'c']);
  });

  it('never joins merge patches, which do not compose', async () => {
    const { queue, sent, drainAll } = bench({ structuredContent: 'merge-patch' });
    for (const n of [1, 2, 3]) void queue.push({ structuredContent: { n } });
    await drainAll();
    expect(sent.map(({ body }) => body)).toEqual([1, 2, 3].map((n) => ({ structuredContent: { n } })));
  });

  it('keeps a merged message within its cap', async () => {
    const cap = estimateSize(word('x'.repeat(10)));
    const { queue, sent, drainAll } = bench({ content: 'append' }, { maxMergedBytes: cap });
    for (let i = 0; i < 10; i++) void queue.push(word('xxxx'));
    await drainAll();
    expect(words(sent)).toEqual(['xxxx', 'xxxxxxxx', 'xxxxxxxx', 'xxxxxxxx', 'xxxxxxxx', 'xxxx']);
  });

  it('never joins across a chunk that was dropped', async () => {
    const { queue, sent, drain, drainAll } = bench(
      { content: 'append' },
      { maxQueued: 1, maxMergedBytes: 0 },
    );
    for (const text of ['a', 'b', 'lost']) void queue.push(word(text));
    await drain();
    void queue.push(word('c'));
    await drainAll();
    expect(sent.map(({ seq, body }) => [seq, body.content![0]!.text])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [3, 'c'],
    ]);
  });
});

describe('caps', () => {
  it('drops the newest over the count, reports it and leaves a hole in the numbers', async () => {
    const { queue, sent, dropped, drain, drainAll } = bench({}, { maxQueued: 2 });
    for (const text of ['a', 'b', 'c', 'lost 1', 'lost 2']) void queue.push(word(text));
    expect(dropped).toEqual([
      [1, 'count'],
      [1, 'count'],
    ]);
    await drain();
    void queue.push(word('d'));
    await drainAll();
    expect(sent.map(({ seq }) => seq)).toEqual([0, 1, 2, 5]);
    expect(words(sent)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('drops over the bytes, at the documented boundary', async () => {
    const size = estimateSize(word('12345'));
    const { queue, dropped } = bench({}, { maxQueuedBytes: 2 * size });
    void queue.push(word('on its way'));
    void queue.push(word('12345'));
    void queue.push(word('12345'));
    expect(dropped).toEqual([]);
    void queue.push(word(''));
    expect(dropped).toEqual([[1, 'bytes']]);
  });

  it('lets one chunk wait however large it is', async () => {
    const { queue, sent, dropped, drainAll } = bench({}, { maxQueuedBytes: 10 });
    void queue.push(word('a'));
    void queue.push(word('far above the cap'));
    await drainAll();
    expect(words(sent)).toEqual(['a', 'far above the cap']);
    expect(dropped).toEqual([]);
  });
});

describe('waiting', () => {
  async function settled(promise: Promise<void>): Promise<boolean> {
    let done = false;
    void promise.then(() => (done = true));
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return done;
  }

  it('lets the tool go on only after a turn of the event loop', async () => {
    const { queue, scheduler, drain } = bench();
    const emitted = queue.push(word('a'));
    await drain();
    expect(await settled(emitted)).toBe(false);
    scheduler.flush();
    expect(await settled(emitted)).toBe(true);
    expect(scheduler.pending).toBe(0);
  });

  it('holds the tool up no longer than maxWaitMs', async () => {
    const { queue, scheduler } = bench({}, { maxWaitMs: 50 });
    const emitted = queue.push(word('a'));
    scheduler.advance(49);
    expect(await settled(emitted)).toBe(false);
    scheduler.advance(1);
    expect(await settled(emitted)).toBe(true);
  });

  it('lets a tool that floods yield even when its chunk is dropped', async () => {
    const { queue, scheduler } = bench({}, { maxQueued: 1 });
    void queue.push(word('a'));
    void queue.push(word('b'));
    const lost = queue.push(word('lost'));
    expect(await settled(lost)).toBe(false);
    scheduler.flush();
    expect(await settled(lost)).toBe(true);
  });

  it('flushes until nothing waits, or until maxFlushMs', async () => {
    const fast = bench();
    void fast.queue.push(word('a'));
    void fast.queue.push(word('b'));
    const flushed = fast.queue.flush();
    await fast.drain();
    expect(await settled(flushed)).toBe(false);
    await fast.drain();
    expect(await settled(flushed)).toBe(true);

    const stuck = bench({}, { maxFlushMs: 80 });
    void stuck.queue.push(word('a'));
    const given = stuck.queue.flush();
    stuck.scheduler.advance(79);
    expect(await settled(given)).toBe(false);
    stuck.scheduler.advance(1);
    expect(await settled(given)).toBe(true);
  });

  it('on close discards what waits, counts it and lets every waiter go, once', async () => {
    const { queue, sent, scheduler, dropped, drainAll } = bench({ content: 'append' });
    const waiters = ['a', 'b', 'c'].map((text) => queue.push(word(text)));
    const flushed = queue.flush();
    queue.close();
    queue.close();
    expect(await Promise.all([...waiters, flushed].map(settled))).toEqual([true, true, true, true]);
    expect(dropped).toEqual([[2, 'closed']]);
    await drainAll();
    void queue.push(word('d'));
    expect(words(sent)).toEqual(['a']);
    scheduler.flush();
    expect(scheduler.pending).toBe(0);
  });
});

describe('behind a transport that never takes anything', () => {
  /** A tool that awaits nothing. */
  function flood({ queue }: Bench, count: number): Set<Promise<void>> {
    const waits = new Set<Promise<void>>();
    for (let i = 0; i < count; i++) waits.add(queue.push(word(String(i))));
    return waits;
  }

  it('keeps one promise and one timer for all who wait for the same message', () => {
    const stuck = bench({ content: 'replace' });
    expect(flood(stuck, 1000).size).toBe(2); // one for what is being sent, one for what waits
    expect(stuck.scheduler.pending).toBe(2);
  });

  it('keeps neither after the time-out, and begins anew with the next', () => {
    const stuck = bench({ content: 'replace' });
    flood(stuck, 1000);
    stuck.scheduler.advance(DEFAULT_EMIT_LIMITS.maxWaitMs);
    expect(stuck.scheduler.pending).toBe(0);
    expect(flood(stuck, 1000).size).toBe(1);
    expect(stuck.scheduler.pending).toBe(1);
    stuck.queue.close();
    expect(stuck.scheduler.pending).toBe(0);
  });

  it('keeps one for all whose chunk was dropped, and one for all who flush', () => {
    const stuck = bench({}, { maxQueued: 1 });
    expect(flood(stuck, 1000).size).toBe(3);
    const flushes = new Set(Array.from({ length: 1000 }, () => stuck.queue.flush()));
    expect(flushes.size).toBe(1);
    expect(stuck.scheduler.pending).toBe(4);
  });

  it('holds on to nobody who was let go: their promises are collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const stuck = bench({ content: 'replace' });
    const gone: Array<WeakRef<Promise<void>>> = [];
    // In a function of its own, which leaves nothing on the stack.
    const round = (): void => {
      for (const wait of [...flood(stuck, 100), stuck.queue.flush()]) gone.push(new WeakRef(wait));
      stuck.scheduler.advance(DEFAULT_EMIT_LIMITS.maxWaitMs);
    };
    for (let i = 0; i < 20; i++) round();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(gone.length).toBe(41);
    expect(gone.filter((wait) => wait.deref()).length).toBe(0);
    expect(stuck.sent.length).toBe(1);
  });
});

describe('for every pattern of emits and sends', () => {
  const body = fc.oneof(
    fc.string({ maxLength: 6 }).map(word),
    fc
      .record({ list: fc.array(fc.integer(), { maxLength: 2 }) })
      .map((value) => ({ structuredContent: value })),
    fc.constant<PartialResultBody>({ content: [{ type: 'image', data: '', mimeType: 'image/png' }] }),
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: body.map((value) => ({ emit: value })) },
    { weight: 1, arbitrary: fc.constant({ emit: undefined }) },
  );
  const modes = fc.record(
    {
      content: fc.constantFrom('append', 'replace', 'jsonl') as fc.Arbitrary<'append'>,
      structuredContent: fc.constantFrom('append', 'replace', 'merge-patch') as fc.Arbitrary<'append'>,
    },
    { requiredKeys: [] },
  );

  it('what arrives reads like what was emitted, less what a hole stands for', async () => {
    await fc.assert(
      fc.asyncProperty(
        modes,
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (declared, steps, maxQueued) => {
          const { queue, sent, dropped, merged, drain, drainAll } = bench(declared, { maxQueued });
          const kept: PartialResultBody[] = [];
          let lost = 0;
          for (const { emit } of steps) {
            if (!emit) {
              await drain();
              continue;
            }
            void queue.push(emit);
            if (dropped.length === lost) kept.push(emit);
            lost = dropped.length;
          }
          await drainAll();
          expect(
            fold(
              sent.map((message) => message.body),
              declared,
            ),
          ).toEqual(fold(kept, declared));
          expect(sent.length + merged()).toBe(kept.length);
          const numbers = sent.map(({ seq }) => seq);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          // Every hole is a loss; losses after the last message leave none.
          expect((numbers.at(-1) ?? -1) + 1 - sent.length).toBeLessThanOrEqual(lost);
        },
      ),
    );
  });

  function fold(bodies: PartialResultBody[], declared: MergeModes): [ContentBlock[], unknown] {
    let content: ContentBlock[] = [];
    let structured: unknown;
    for (const each of bodies) {
      if (each.content) content = foldContent(content, each.content, declared.content);
      structured = foldStructured(structured, each.structuredContent, declared.structuredContent);
    }
    return [content, structured];
  }
});
