import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleResult, createAssembler, type AssemblerEvent, type AssemblerLimits } from './assemble.ts';
import type { ContentBlock, MergeModes, PartialToolResult } from './types.ts';
import { MERGE_META_KEY, PATCHES_META_KEY, UPSTREAM_META_KEY } from './vocabulary.ts';

function a2ui(text: string, uri = 'a2ui://s', mimeType = 'application/a2ui+json'): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

function chunk(
  seq: number,
  content: ContentBlock[],
  extra: Partial<PartialToolResult> = {},
): PartialToolResult {
  return { partialResultToken: 't', seq, content, ...extra };
}

function setup(modes: MergeModes = {}, limits?: Partial<AssemblerLimits>) {
  const events: AssemblerEvent[] = [];
  const assembler = createAssembler({
    modes,
    onEvent: (event) => events.push(event),
    ...(limits && { limits }),
  });
  const records = (one: PartialToolResult, gap?: { first: number; last: number }) =>
    assembler.push(one, gap).blocks?.flatMap((block) => block.records ?? []);
  return { assembler, events, records };
}

describe('message streams', () => {
  it('whole messages come with the chunk that completes them', () => {
    const { records, assembler } = setup();
    expect(records(chunk(0, [a2ui('{"a":1}\n{"b"')]))).toEqual([{ a: 1 }]);
    expect(assembler.pendingChars).toBe(4);
    expect(records(chunk(1, [a2ui(':2}\n')]))).toEqual([{ b: 2 }]);
    expect(assembler.pendingChars).toBe(0);
  });

  it('each resource is a stream of its own', () => {
    const { records } = setup();
    expect(records(chunk(0, [a2ui('{"a":', 'a2ui://1'), a2ui('{"b":', 'a2ui://2')]))).toEqual([]);
    expect(records(chunk(1, [a2ui('2}', 'a2ui://2'), a2ui('1}', 'a2ui://1')]))).toEqual([{ b: 2 }, { a: 1 }]);
  });

  it.each(['application/a2ui+json', 'application/json+a2ui', 'Application/A2UI+JSON; version=0.9'])(
    'the media type %s names one (case 78)',
    (mimeType) => {
      expect(setup().records(chunk(0, [a2ui('{"a":1}', 'x:y', mimeType)]))).toEqual([{ a: 1 }]);
    },
  );

  it('any text resource is one under the mode jsonl, of the tool or of the chunk', () => {
    const block = a2ui('{"a":1}', 'log:1', 'application/x-ndjson');
    expect(setup().assembler.push(chunk(0, [block])).blocks).toEqual([{ block }]);
    expect(setup({ content: 'jsonl' }).records(chunk(0, [block]))).toEqual([{ a: 1 }]);
    const own = { _meta: { [MERGE_META_KEY]: { content: 'jsonl' } } };
    expect(setup().records(chunk(0, [block], own))).toEqual([{ a: 1 }]);
  });

  it('a bad line is reported with its resource and costs one line', () => {
    const { records, events } = setup();
    expect(records(chunk(0, [a2ui('{"a":1}\n{oops}\n{"b":2}\n')]))).toEqual([{ a: 1 }, { b: 2 }]);
    expect(events).toEqual([
      { type: 'record_problem', problem: 'not_json', uri: 'a2ui://s', sample: '{oops}' },
    ]);
  });

  it('a final chunk and the end report what was left open', () => {
    const { assembler, events } = setup();
    assembler.push(chunk(0, [a2ui('{"a":')], { final: true }));
    expect(events).toMatchObject([{ problem: 'cut_off' }]);
    assembler.push(chunk(1, [a2ui('{"b":')]));
    assembler.end();
    expect(events).toHaveLength(2);
  });
});

describe('documents that are not one message a line', () => {
  it('a pretty-printed message and an array come whole, with the form they had', () => {
    const pretty = JSON.stringify({ a: { b: 1 } }, null, 2);
    const list = JSON.stringify([{ a: 1 }, { b: 2 }], null, 2);
    const [one, many] = assembleResult(
      { content: [a2ui(pretty), a2ui(list, 'a2ui://t')] },
      { onEvent: () => {} },
    );
    expect(one).toMatchObject({ records: [{ a: { b: 1 } }], form: 'lines' });
    expect(many).toMatchObject({ records: [{ a: 1 }, { b: 2 }], form: 'array' });
  });

  it('a broken array falls back to its lines, none of which is a message', () => {
    const { records, events } = setup();
    expect(records(chunk(0, [a2ui('[{"a":1},\n{"b":2}')]))).toEqual([{ b: 2 }]);
    expect(events).toMatchObject([{ problem: 'not_json' }]);
  });

  it('too deep a document is refused without overflowing', () => {
    const events: AssemblerEvent[] = [];
    const bomb = `{\n"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const blocks = assembleResult({ content: [a2ui(bomb)] }, { onEvent: (event) => events.push(event) });
    expect(blocks[0]?.records).toEqual([]);
    expect(events.length).toBeGreaterThan(0);
  });
});

describe('after a gap', () => {
  it('no two halves join, in a known stream or in one first seen after it', () => {
    const { records } = setup();
    records(chunk(0, [a2ui('{"a":1}\n{"left":')]));
    const after = chunk(2, [a2ui('{"x":1}}\n{"b":2}\n'), a2ui('"y":{"z":1}}\n{"c":3}\n', 'a2ui://new')]);
    expect(records(after, { first: 1, last: 1 })).toEqual([{ b: 2 }, { c: 3 }]);
  });

  it('a view keeps all that a bridge sends, which is whole messages, in a known stream and in a new one', () => {
    const assembler = createAssembler({ bridged: true, onEvent: () => undefined });
    const bridged = { _meta: { [UPSTREAM_META_KEY]: [2, 2] } };
    const records = (one: PartialToolResult) =>
      assembler.push(one, { first: 1, last: 1 }).blocks?.flatMap((block) => block.records ?? []);
    assembler.push(chunk(0, [a2ui('{"left":')]));
    const whole = [a2ui('{"b":2}\n'), a2ui('{"c":3}\n', 'a2ui://new')];
    expect(records(chunk(2, whole, bridged))).toEqual([{ b: 2 }, { c: 3 }]);
    expect(records(chunk(3, whole))).toEqual([]);
  });

  it('a host does not take the word of a server for it', () => {
    const { records } = setup();
    const forged = chunk(2, [a2ui('{"b":2}\n{"c":3}\n')], { _meta: { [UPSTREAM_META_KEY]: [2, 2] } });
    expect(records(forged, { first: 1, last: 1 })).toEqual([{ c: 3 }]);
  });

  it('the chunk says what was given up before it', () => {
    const { assembler } = setup();
    expect(assembler.push(chunk(3, []), { first: 1, last: 2 })).toMatchObject({
      range: { first: 3, last: 3 },
      gap: { first: 1, last: 2 },
    });
  });
});

describe('bounds', () => {
  it('streams that are between messages make room; one more open stream is refused and reported', () => {
    const { records, events } = setup({}, { maxStreams: 2 });
    records(chunk(0, [a2ui('{"a":', 'u:1'), a2ui('{"b":1}\n', 'u:2')]));
    expect(records(chunk(1, [a2ui('{"c":', 'u:3')]))).toEqual([]);
    expect(events).toEqual([]);
    expect(records(chunk(2, [a2ui('{"d":1}', 'u:4')]))).toEqual([]);
    expect(events).toEqual([{ type: 'too_many_streams', uri: 'u:4' }]);
    expect(records(chunk(3, [a2ui('1}', 'u:1'), a2ui('2}', 'u:3')]))).toEqual([{ a: 1 }, { c: 2 }]);
  });
});

describe('bounds after a loss', () => {
  it('no stream that is back in step is forgotten, and the one too many is reported', () => {
    const { records, events } = setup({}, { maxStreams: 2 });
    records(chunk(0, [a2ui('{"a":1}\n', 'u:0')]));
    records(chunk(2, [a2ui('lost\n', 'u:0'), a2ui('lost\n{"b":1}\n', 'u:1')]), { first: 1, last: 1 });
    expect(records(chunk(3, [a2ui('{"c":1}\n', 'u:2')]))).toEqual([]);
    expect(events).toEqual([{ type: 'too_many_streams', uri: 'u:2' }]);
    expect(records(chunk(4, [a2ui('{"a":2}\n', 'u:0'), a2ui('{"b":2}\n', 'u:1')]))).toEqual([
      { a: 2 },
      { b: 2 },
    ]);
  });
});

describe('everything else passes as it is', () => {
  it('text, structured content, patches, flags and metadata', () => {
    const text = { type: 'text', text: '{"not":"a message"}' };
    const patches = { [PATCHES_META_KEY]: [{ b: 2 }] };
    const { assembler } = setup({ structuredContent: 'merge-patch' });
    expect(
      assembler.push(
        chunk(4, [text], { structuredContent: { a: 1 }, _meta: patches, taskId: 'k', final: true }),
      ),
    ).toEqual({
      range: { first: 4, last: 4 },
      blocks: [{ block: text }],
      structuredContent: { a: 1 },
      patches: [{ b: 2 }],
      taskId: 'k',
      final: true,
      modes: { structuredContent: 'merge-patch' },
      meta: patches,
    });
  });
});

describe('for every cut', () => {
  it('chunks of a stream yield what the whole yields (D4)', () => {
    const line = fc.oneof(
      fc
        .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
        .map((o) => JSON.stringify(o)),
      fc.constantFrom('oops', '{"a":', '}', '[1]', ''),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 6 }), (lines, cuts) => {
        const text = lines.map((one) => `${one}\n`).join('');
        const points = [...new Set(cuts.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...points].map((from, i) => text.slice(from, points[i] ?? text.length));
        fc.pre(![text, ...pieces].some(isDocument));
        const whole = setup();
        const cut = setup();
        const expected = whole.records(chunk(0, [a2ui(text)]));
        const got = pieces.flatMap((piece, seq) => cut.records(chunk(seq, [a2ui(piece)])) ?? []);
        whole.assembler.end();
        cut.assembler.end();
        expect(got).toEqual(expected);
        expect(cut.events).toEqual(whole.events);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** One JSON value over several lines: read as such only when it comes whole (decision 001). */
function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return text.trim().includes('\n');
  } catch {
    return false;
  }
}
