import type { ContentBlock, MergeModes, PartialToolResult } from '@mcp-apps-bridge/partial-results';
import { createAssembler } from '@mcp-apps-bridge/partial-results/stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkOf, text, textChunk } from '../../testing/chunks.ts';
import type { Consumer } from '../types.ts';
import type { Gaps } from './gaps.ts';
import { lineCount, logConsumer, type LogState } from './log.ts';
import { structuredConsumer } from './structured.ts';
import { tableConsumer } from './table.ts';
import { textConsumer } from './text.ts';

/** Runs chunks through the real assembler into a consumer; `lost` numbers are reported as gaps. */
function run<S>(consumer: Consumer<S>, chunks: PartialToolResult[], modes: MergeModes = {}): S {
  const assembler = createAssembler({ modes, onEvent: () => undefined });
  let state = consumer.init();
  let next = 0;
  for (const chunk of chunks) {
    const gap = chunk.seq > next ? { first: next, last: chunk.seq - 1 } : undefined;
    state = consumer.chunk(state, assembler.push(chunk, gap));
    next = chunk.seq + 1;
  }
  return state;
}

/** Cuts a text at the given offsets, which may fall inside a surrogate pair. */
function pieces(value: string, cuts: number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (value.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => value.slice(from, at[i] ?? value.length));
}

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });
const cuts = fc.array(fc.nat(), { maxLength: 8 });

function lines(state: LogState): string[] {
  return state.blocks.flatMap((block) => block.lines);
}

describe('textConsumer', () => {
  it('keeps text byte-identical however it was cut, inside a character too (field cases 21, 93)', () => {
    fc.assert(
      fc.property(anyText, cuts, (value, at) => {
        const state = run(
          textConsumer(),
          pieces(value, at).map((piece, seq) => textChunk(seq, piece)),
        );
        expect(state.text).toBe(value);
        expect(state.parts.join('') + state.tail).toBe(value);
      }),
    );
  });

  it('never ends a part inside a character', () => {
    const value = `x${'😀'.repeat(5_000)}`;
    const { parts, tail } = run(
      textConsumer(),
      pieces(value, [1, 4_096, 4_097, 7_001]).map((piece, seq) => textChunk(seq, piece)),
    );
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part).not.toMatch(/[\uD800-\uDBFF]$/);
      expect(part.length).toBeLessThanOrEqual(4_097);
    }
    expect(parts.join('') + tail).toBe(value);
  });

  it('leaves full parts as they are, so that a view can memoise them', () => {
    const first = run(textConsumer(), [textChunk(0, 'a'.repeat(9_000))]);
    const consumer = textConsumer();
    const next = consumer.chunk(first, createAssembler({ onEvent: () => undefined }).push(textChunk(0, 'b')));
    expect(first.parts).toHaveLength(2);
    expect(next.parts).toBe(first.parts);
    expect(next.tail).toBe(`${first.tail}b`);
  });

  it('starts over with each chunk in mode replace', () => {
    const chunks = [textChunk(0, 'draft'), textChunk(1, 'better')];
    expect(run(textConsumer(), chunks, { content: 'replace' }).text).toBe('better');
  });

  it('marks where text was lost, and shows none of that at the end', () => {
    const state = run(textConsumer(), [textChunk(0, 'ab'), textChunk(2, 'cd')]);
    expect(state).toMatchObject({ text: 'abcd', gaps: [2] });
    expect(textConsumer().final({ content: [text('abXcd')] }).gaps).toEqual([]);
  });

  it.each([textConsumer, logConsumer])(
    'remembers a bounded number of losses, and one place once (%o)',
    (create) => {
      const chunks = Array.from({ length: 1_500 }, (_, i) => textChunk(i * 2 + 1, i % 2 === 0 ? 'a\n' : ''));
      const few = run<Gaps>(create() as never, chunks);
      expect([few.gaps.length, few.olderGaps]).toEqual([751, 0]);
      const more = Array.from({ length: 3_000 }, (_, i) => textChunk(i * 2 + 1, 'a\n'));
      const many = run<Gaps>(create() as never, more);
      expect([many.gaps.length, many.olderGaps]).toEqual([1_000, 2_000]);
    },
  );

  it('reads the empty string, "0" and other blocks for what they are (field case 19)', () => {
    const image: ContentBlock = { type: 'image', data: '', mimeType: 'image/png' };
    const state = run(textConsumer(), [textChunk(0, ''), textChunk(1, '0'), chunkOf(2, [image, text('1')])]);
    expect(state.text).toBe('01');
    expect(textConsumer().final({}).text).toBe('');
  });
});

describe('logConsumer', () => {
  it('makes the same lines however the text was cut, with either line end (field case 21)', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !/[\r\n]/.test(value));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), cuts, (written, end, at) => {
        const value = written.map((one) => one + end).join('');
        const state = run(
          logConsumer(),
          pieces(value, at).map((piece, seq) => textChunk(seq, piece)),
        );
        expect(lines(state)).toEqual(written);
        expect(state.open).toBe('');
        expect(lines(logConsumer().final({ content: [text(value)] }))).toEqual(written);
      }),
    );
  });

  it('keeps an unfinished line apart until its end comes; the end state closes it', () => {
    expect(run(logConsumer(), [textChunk(0, 'one\ntwo')])).toMatchObject({
      open: 'two',
      blocks: [{ lines: ['one'] }],
    });
    const end = logConsumer().final({ content: [text('one\ntwo')] });
    expect(lines(end)).toEqual(['one', 'two']);
    expect(end.open).toBe('');
  });

  it('drops the oldest lines beyond its bound and counts them', () => {
    const chunks = Array.from({ length: 50 }, (_, seq) => textChunk(seq, `${seq}\n`.repeat(10)));
    const state = run(logConsumer({ maxLines: 300 }), chunks);
    expect(lineCount(state)).toBe(500);
    expect(state.dropped).toBe(200);
    expect(lines(state)).toHaveLength(300);
    expect(lines(state)[0]).toBe('20');
    expect(state.blocks[0]?.first).toBe(200);
  });

  it('cuts a line that never ends, and counts it once', () => {
    const chunks = Array.from({ length: 40 }, (_, seq) => textChunk(seq, 'x'.repeat(10)));
    const state = run(logConsumer({ maxLineChars: 50 }), chunks);
    expect(state.open.length).toBeLessThanOrEqual(52);
    const closed = run(logConsumer({ maxLineChars: 50 }), [...chunks, textChunk(40, '\nnext\n')]);
    expect(lines(closed)).toEqual(['x'.repeat(50), 'next']);
    expect(closed.cut).toBe(1);
  });

  it('has no gap in front of a text that is replaced whole', () => {
    const chunks = [textChunk(0, 'a\n'), textChunk(2, 'b\n')];
    expect(run(logConsumer(), chunks, { content: 'replace' })).toMatchObject({
      blocks: [{ first: 0, lines: ['b'] }],
      gaps: [],
    });
  });

  it('does not join the half lines around a gap', () => {
    const state = run(logConsumer(), [textChunk(0, 'first ha'), textChunk(2, 'lf of another\n')]);
    expect(lines(state)).toEqual(['first ha', 'lf of another']);
    expect(state.gaps).toEqual([1]);
  });

  it('leaves full blocks as they are, so that a view can memoise them', () => {
    const consumer = logConsumer();
    const assembler = createAssembler({ onEvent: () => undefined });
    const first = consumer.chunk(consumer.init(), assembler.push(textChunk(0, 'a\n'.repeat(150))));
    const next = consumer.chunk(first, assembler.push(textChunk(1, 'b\n')));
    expect(next.blocks[0]).toBe(first.blocks[0]);
    expect(next.blocks[1]?.lines).toHaveLength(51);
  });

  it("hands the result's structured content out beside its lines", () => {
    const state = logConsumer().final({ content: [text('done')], structuredContent: { exitCode: 0 } });
    expect(state).toMatchObject({ summary: { exitCode: 0 }, blocks: [{ lines: ['done'] }] });
  });
});

describe('structuredConsumer', () => {
  const values = (...items: unknown[]): PartialToolResult[] =>
    items.map((structuredContent, seq) => ({ partialResultToken: 't1', seq, structuredContent }));

  it.each<[MergeModes['structuredContent'], unknown]>([
    [undefined, { b: [2] }],
    ['replace', { b: [2] }],
    ['append', { a: 1, b: [1, 2] }],
    ['merge-patch', { a: 1, b: [2] }],
  ])('folds by mode %s', (structuredContent, expected) => {
    const chunks = values({ a: 1, b: [1] }, { b: [2] });
    expect(run(structuredConsumer(), chunks, structuredContent ? { structuredContent } : {})).toEqual(
      expected,
    );
  });

  it('takes falsy values for values (field case 19)', () => {
    for (const value of [0, false, ''])
      expect(run(structuredConsumer(), values({ a: 1 }, value))).toBe(value);
  });

  it('ends with what the result has, nothing from the stream', () => {
    expect(structuredConsumer().final({ structuredContent: { end: true } })).toEqual({ end: true });
    expect(structuredConsumer().final({ structuredContent: null })).toBeUndefined();
  });

  it('stores a hostile key as data and pollutes nothing (field case 47)', () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"x":1},"ok":true}');
    run(structuredConsumer(), values({ a: 1 }, hostile), { structuredContent: 'merge-patch' });
    run(structuredConsumer(), values({ a: 1 }, hostile), { structuredContent: 'append' });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('tableConsumer', () => {
  const chunk = (seq: number, structuredContent: unknown): PartialToolResult => ({
    partialResultToken: 't1',
    seq,
    structuredContent,
  });

  it('appends rows, bare or under their property, and keeps what is beside them', () => {
    const state = run(tableConsumer<number>(), [
      chunk(0, { title: 'T', rows: [1] }),
      chunk(1, [2, 3]),
      chunk(2, { rows: [4] }),
    ]);
    expect(state).toEqual({ rows: [1, 2, 3, 4], dropped: 0, rest: { title: 'T' } });
  });

  it('follows a declared mode', () => {
    const chunks = [chunk(0, { rows: [1] }), chunk(1, { rows: [2] })];
    expect(run(tableConsumer(), chunks, { structuredContent: 'replace' }).rows).toEqual([2]);
  });

  it('keeps the first rows up to its bound and counts the others', () => {
    const state = run(tableConsumer({ maxRows: 3 }), [chunk(0, [1, 2]), chunk(1, [3, 4]), chunk(2, [5])]);
    expect(state).toMatchObject({ rows: [1, 2, 3], dropped: 2 });
  });

  it('ends with the rows of the result alone', () => {
    expect(tableConsumer({ property: 'items' }).final({ structuredContent: { items: [9], n: 1 } })).toEqual({
      rows: [9],
      dropped: 0,
      rest: { n: 1 },
    });
    expect(tableConsumer().final({}).rows).toEqual([]);
  });
});
