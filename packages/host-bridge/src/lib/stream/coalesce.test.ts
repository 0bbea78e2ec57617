import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  estimateSize,
  foldContent,
  foldStructured,
  patchesOf,
} from '@mcp-apps-bridge/partial-results/stream';
import type { ContentBlock, MergeModes, PartialResultBody } from '@mcp-apps-bridge/partial-results';
import { mergeChunks } from './chunk.ts';
import { createCoalescer } from './coalesce.ts';
import { createHistory } from './history.ts';
import type { OutputChunk } from './types.ts';

function chunk(seq: number, body: PartialResultBody, modes: MergeModes = {}, gaps = 0): OutputChunk {
  return { range: { first: seq, last: seq }, gaps, body, modes, bytes: estimateSize(body) };
}

const text = (value: string): PartialResultBody => ({ content: [{ type: 'text', text: value }] });
const APPEND: MergeModes = { content: 'append' };

function drain(queue: { shift(): OutputChunk | undefined }): OutputChunk[] {
  const all: OutputChunk[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) all.push(next);
  return all;
}

test('case 6: a hundred queued deltas leave as one message that says which they were', () => {
  const queue = createCoalescer();
  const outcomes = Array.from({ length: 100 }, (_, seq) => queue.push(chunk(seq, text(`${seq},`), APPEND)));
  expect(outcomes.filter((outcome) => outcome === 'merged')).toHaveLength(99);
  const [only, ...rest] = drain(queue);
  expect(rest).toEqual([]);
  expect(only!.range).toEqual({ first: 0, last: 99 });
  expect(only!.gaps).toBe(0);
  expect(only!.body.content![0]!.text).toBe(Array.from({ length: 100 }, (_, seq) => `${seq},`).join(''));
});

test('a batch stays below the size at which a window message stalls its receiver', () => {
  const queue = createCoalescer();
  for (let seq = 0; seq < 500; seq++) queue.push(chunk(seq, text('漢'.repeat(100)), APPEND));
  const batches = drain(queue);
  expect(batches.length).toBeGreaterThan(1);
  for (const batch of batches) expect(batch.bytes).toBeLessThanOrEqual(12_000);
});

test('one chunk above the batch size travels alone and untouched', () => {
  const queue = createCoalescer();
  const large = chunk(1, text('x'.repeat(20_000)), APPEND);
  queue.push(chunk(0, text('a'), APPEND));
  queue.push(large);
  queue.push(chunk(2, text('b'), APPEND));
  expect(drain(queue)).toEqual([chunk(0, text('a'), APPEND), large, chunk(2, text('b'), APPEND)]);
});

test('without a declared mode nothing merges', () => {
  const queue = createCoalescer();
  queue.push(chunk(0, text('a')));
  expect(queue.push(chunk(1, text('b')))).toBe('queued');
});

test('nothing merges across a loss, but for a value that is replaced whole', () => {
  expect(mergeChunks(chunk(0, text('a'), APPEND), chunk(2, text('b'), APPEND, 1), 12_000)).toBeUndefined();
  const replace: MergeModes = { content: 'replace' };
  const merged = mergeChunks(chunk(0, text('a'), replace), chunk(2, text('b'), replace, 1), 12_000);
  expect(merged).toMatchObject({ range: { first: 0, last: 2 }, gaps: 1, body: text('b') });
});

test('replaced values drop to the latest, however large', () => {
  const queue = createCoalescer({ limits: { maxBytes: 200_000 } });
  const replace: MergeModes = { structuredContent: 'replace' };
  for (let seq = 0; seq < 50; seq++)
    queue.push(chunk(seq, { structuredContent: 'x'.repeat(40_000 + seq) }, replace));
  expect(queue.items).toBe(1);
  expect(queue.shift()!.body.structuredContent).toHaveLength(40_049);
  expect(queue.bytes).toBe(0);
});

test('its size is that of what is queued, after every push and take', () => {
  const queue = createCoalescer();
  const chunks = ['a', 'bb', 'ccc'].map((value, seq) => chunk(seq, text(value)));
  for (const next of chunks) queue.push(next);
  queue.shift();
  expect(queue.bytes).toBe(chunks[1]!.bytes + chunks[2]!.bytes);
  expect(queue.items).toBe(2);
});

test('final survives merging and closes the message', () => {
  const merged = mergeChunks(
    chunk(0, text('a'), APPEND),
    chunk(1, { ...text('b'), final: true }, APPEND),
    12_000,
  )!;
  expect(merged.body.final).toBe(true);
  expect(mergeChunks(merged, chunk(2, text('c'), APPEND), 12_000)).toBeUndefined();
});

test('chunks of different tasks stay apart', () => {
  const a = { ...chunk(0, text('a'), APPEND), taskId: 'T' };
  expect(mergeChunks(a, chunk(1, text('b'), APPEND), 12_000)).toBeUndefined();
});

test.each([
  ['items', { maxItems: 3 }],
  ['bytes', { maxBytes: 300 }],
])('over its cap in %s it takes no more, and counts what the caller drops', (_, limits) => {
  const queue = createCoalescer({ limits });
  const outcomes = Array.from({ length: 8 }, (_, seq) => queue.push(chunk(seq, text('abcdefgh'))));
  expect(outcomes).toContain('overflow');
  expect(outcomes.slice(outcomes.indexOf('overflow')).every((outcome) => outcome === 'overflow')).toBe(true);
  const queued = queue.items;
  expect(queue.clear()).toBe(queued);
  expect(queue.items).toBe(0);
  expect(queue.bytes).toBe(0);
});

/* Any stream, any way of queueing and taking: what comes out folds to what went in. */
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('image'), data: fc.constant('AAAA'), mimeType: fc.constant('image/png') }),
);
const value: fc.Arbitrary<unknown> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(
    fc.integer(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.record({ x: fc.integer() }),
  ),
);
const modes: fc.Arbitrary<MergeModes> = fc.record(
  {
    content: fc.constantFrom('append', 'replace', 'jsonl'),
    structuredContent: fc.constantFrom('append', 'replace', 'merge-patch'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<MergeModes>;

function fold(chunks: readonly OutputChunk[], mode: MergeModes): unknown {
  let content: ContentBlock[] = [];
  let structured: unknown;
  for (const { body } of chunks) {
    if (body.content) content = foldContent(content, body.content, mode.content);
    for (const update of patchesOf(body))
      structured = foldStructured(structured, update, mode.structuredContent);
  }
  return { content, structured };
}

test('property: any interleaving of pushes and takes folds to the same value, within the batch size', () => {
  fc.assert(
    fc.property(
      modes,
      fc.array(
        fc.record(
          { content: fc.array(block, { maxLength: 3 }), structuredContent: value },
          { requiredKeys: [] },
        ),
        { maxLength: 30 },
      ),
      fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 50, max: 1_000 }),
      (mode, bodies, takes, batchBytes) => {
        const queue = createCoalescer({ limits: { batchBytes } });
        const history = createHistory({ limits: { batchBytes }, onOverflow: () => undefined });
        const out: OutputChunk[] = [];
        const input = bodies.map((body, seq) => chunk(seq, body, mode));
        const largest = Math.max(0, ...input.map(({ bytes }) => bytes));
        for (const [i, next] of input.entries()) {
          queue.push(next);
          history.push(next);
          const taken = takes[i] ? queue.shift() : undefined;
          if (taken) out.push(taken);
        }
        out.push(...drain(queue));
        const expected = fold(input, mode);
        expect(fold(out, mode)).toEqual(expected);
        expect(fold(history.chunks, mode)).toEqual(expected);
        expect(out.reduce((next, { range }) => (expect(range.first).toBe(next), range.last + 1), 0)).toBe(
          input.length,
        );
        for (const { bytes } of out) expect(bytes).toBeLessThanOrEqual(Math.max(batchBytes, largest * 2));
      },
    ),
  );
});
