import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyMergePatch,
  canMerge,
  foldContent,
  foldStructured,
  mergeBodies,
  patchesOf,
  readMergeModes,
} from './merge.ts';
import type { ContentBlock, MergeMode, MergeModes, PartialResultBody } from './types.ts';
import { MERGE_META_KEY, PATCHES_META_KEY } from './vocabulary.ts';

const text = (value: string, extra: object = {}): ContentBlock => ({ type: 'text', text: value, ...extra });
const lines = (value: string, uri = 'a2ui://s'): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType: 'application/a2ui+json', text: value },
});

describe('declared modes', () => {
  it('the chunk overrides the tool, part by part; unknown names leave a part unmerged', () => {
    const tool = { [MERGE_META_KEY]: { content: 'append', structuredContent: 'replace' } };
    const chunk = { [MERGE_META_KEY]: { content: 'jsonl', structuredContent: 'shuffle' } };
    expect(readMergeModes(tool, chunk)).toEqual({ content: 'jsonl', structuredContent: 'replace' });
    expect(readMergeModes(undefined, {}, { [MERGE_META_KEY]: 'append' })).toEqual({});
  });
});

describe('content', () => {
  it('adjacent text joins only where its metadata is equal', () => {
    expect(foldContent([text('a')], [text('b'), text('c')], 'append')).toEqual([text('ab'), text('c')]);
    const user = { annotations: { audience: ['user'] } };
    expect(foldContent([text('a')], [text('b', user)], 'append')).toEqual([text('a'), text('b', user)]);
    expect(foldContent([text('a', user)], [text('b', user)], 'append')).toEqual([text('ab', user)]);
  });

  it('message lines of one resource join, of two resources do not', () => {
    expect(foldContent([lines('{}\n')], [lines('{}\n')], 'jsonl')).toEqual([lines('{}\n{}\n')]);
    expect(foldContent([lines('{}\n')], [lines('{}\n', 'a2ui://t')], 'jsonl')).toHaveLength(2);
  });

  it('A2UI messages are never replaced, whatever the mode says (D3)', () => {
    const modes: MergeModes = { content: 'replace' };
    expect(canMerge({ content: [text('a')] }, { content: [text('b')] }, modes)).toBe(true);
    expect(canMerge({ content: [lines('{}\n')] }, { content: [lines('{}\n')] }, modes)).toBe(false);
    expect(canMerge({ content: [lines('{}\n')] }, { content: [text('b')] }, modes)).toBe(false);
  });

  it('an empty text is a value (case 19)', () => {
    expect(foldContent([], [text('')], 'append')).toEqual([text('')]);
    expect(foldContent([text('0')], [text('')], 'append')).toEqual([text('0')]);
  });

  it('without a mode nothing merges', () => {
    expect(canMerge({ content: [text('a')] }, { content: [text('b')] }, {})).toBe(false);
    expect(canMerge({ content: [text('a')] }, { structuredContent: 1 }, {})).toBe(true);
  });

  it('nothing merges onto a final chunk; the flag survives on the last (D3)', () => {
    const modes: MergeModes = { content: 'append' };
    expect(canMerge({ content: [text('a')], final: true }, { content: [text('b')] }, modes)).toBe(false);
    expect(mergeBodies({ content: [text('a')] }, { content: [text('b')], final: true }, modes)).toEqual({
      content: [text('ab')],
      final: true,
    });
  });

  it('chunks whose own metadata differs stay apart', () => {
    const a = { content: [text('a')], _meta: { lang: 'en' } };
    const b = { content: [text('b')], _meta: { lang: 'de' } };
    expect(canMerge(a, b, { content: 'append' })).toBe(false);
  });
});

describe('structured content', () => {
  it('0, false and "" are values', () => {
    for (const value of [0, false, '']) {
      expect(
        mergeBodies({ structuredContent: 1 }, { structuredContent: value }, { structuredContent: 'replace' }),
      ).toEqual({
        structuredContent: value,
      });
    }
  });

  it('merge patches are batched in order and not composed', () => {
    const modes: MergeModes = { structuredContent: 'merge-patch' };
    const merged = mergeBodies(
      { structuredContent: { a: null } },
      { structuredContent: { a: { b: 1 } } },
      modes,
    );
    expect(merged).toEqual({
      structuredContent: { a: null },
      _meta: { [PATCHES_META_KEY]: [{ a: { b: 1 } }] },
    });
    const more = mergeBodies(merged, { structuredContent: { a: 2 } }, modes);
    expect(patchesOf(more)).toEqual([{ a: null }, { a: { b: 1 } }, { a: 2 }]);
  });

  it('a patch never reaches a prototype (case 47)', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":true},"a":{"constructor":{"prototype":{"polluted":true}}}}',
    );
    const result = applyMergePatch({}, patch) as Record<string, unknown>;
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('RFC 7396: %j patched with %j is %j', (target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });
});

describe('the law: folding a merged chunk equals folding its parts', () => {
  const block = fc.oneof(
    fc.constantFrom('', '0', 'ab', 'é😀').map((value) => text(value)),
    fc.constantFrom('x').map((value) => text(value, { annotations: { audience: ['user'] } })),
    fc.constantFrom('{"a":1}\n').map((value) => lines(value)),
    fc.constantFrom('{"b":1}\n').map((value) => lines(value, 'a2ui://t')),
    fc.constant<ContentBlock>({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
  );
  const structured = fc.oneof(
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(
        fc.array(fc.nat(9), { maxLength: 2 }),
        fc.constantFrom(0, 'x', null, false),
        fc.constant({ d: 1 }),
      ),
      { maxKeys: 3 },
    ),
    fc.constantFrom(0, '', false),
  );
  const body: fc.Arbitrary<PartialResultBody> = fc.record(
    { content: fc.array(block, { maxLength: 3 }), structuredContent: structured },
    { requiredKeys: [] },
  );
  const modes: fc.Arbitrary<MergeModes> = fc.record(
    {
      content: fc.constantFrom('append', 'replace', 'jsonl'),
      structuredContent: fc.constantFrom('append', 'replace', 'merge-patch'),
    },
    { requiredKeys: [] },
  );

  function fold(bodies: PartialResultBody[], by: MergeModes) {
    let content: ContentBlock[] = [];
    let value: unknown;
    for (const one of bodies) {
      if (one.content) content = foldContent(content, one.content, by.content);
      for (const update of patchesOf(one)) value = foldStructured(value, update, by.structuredContent);
    }
    return { content, value };
  }

  function coalesce(bodies: PartialResultBody[], by: MergeModes, stops: boolean[]): PartialResultBody[] {
    const out: PartialResultBody[] = [];
    bodies.forEach((next, i) => {
      const prev = out.at(-1);
      if (prev && !stops[i] && canMerge(prev, next, by)) out[out.length - 1] = mergeBodies(prev, next, by);
      else out.push(next);
    });
    return out;
  }

  it('for every stream, mode and grouping', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 10 }), modes, fc.array(fc.boolean()), (bodies, by, stops) => {
        const merged = coalesce(bodies, by, stops);
        expect(fold(merged, by)).toEqual(fold(bodies, by));
      }),
      { numRuns: 5_000 },
    );
  });

  it('folding with objects of its own comes to the same, and leaves what it was given as it was', () => {
    const mode = fc.constantFrom<MergeMode | undefined>(
      'append',
      'replace',
      'merge-patch',
      'jsonl',
      undefined,
    );
    const updates = fc.array(
      fc.tuple(fc.oneof(structured, fc.jsonValue({ maxDepth: 3 })), mode, fc.boolean()),
    );
    fc.assert(
      fc.property(updates, (list) => {
        const given = JSON.stringify(list);
        const shown: Array<{ value: unknown; text: string | undefined }> = [];
        let own = new WeakSet<object>();
        let value: unknown;
        let expected: unknown;
        for (const [next, by, shows] of list) {
          value = foldStructured(value, next, by, own);
          expected = foldStructured(expected, next, by);
          expect(value).toEqual(expected);
          if (!shows) continue;
          shown.push({ value, text: JSON.stringify(value) });
          own = new WeakSet();
        }
        expect(JSON.stringify(list)).toBe(given);
        for (const each of shown) expect(JSON.stringify(each.value)).toBe(each.text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('merging leaves its inputs as they were', () => {
    fc.assert(
      fc.property(body, body, modes, (a, b, by) => {
        const before = JSON.stringify([a, b]);
        if (canMerge(a, b, by)) mergeBodies(a, b, by);
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });
});

describe('the cost of a fold', () => {
  /** Reads and writes of the properties of a value while updates are folded onto it. */
  function touches(value: object, updates: unknown[], mode: MergeMode): number {
    let count = 0;
    const counting = <T extends object>(inner: T): T =>
      new Proxy(inner, {
        get: (target, key) => (count++, Reflect.get(target, key)),
        set: (target, key, next) => (count++, Reflect.set(target, key, next)),
      });
    const own = new WeakSet<object>();
    const root = counting(value);
    own.add(root);
    let state: unknown = root;
    for (const update of updates) state = foldStructured(state, update, mode, own);
    expect(state).toBe(root);
    return count;
  }

  it('is that of the patches, not of the object they grow', () => {
    const patches = Array.from({ length: 2_000 }, (_, i) => ({ [`k${i}`]: i }));
    expect(touches({}, patches, 'merge-patch')).toBeLessThan(2_000 * 4);
  });

  it('is that of what is appended, not of the list it grows', () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => [i]);
    expect(touches([], rows, 'append')).toBeLessThan(2_000 * 8);
  });
});

describe('what is nested without end', () => {
  const nest = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

  it('is patched', () => {
    const patched = applyMergePatch(nest(200_000), nest(200_000)) as { a: unknown };
    expect(patched.a).toBeTypeOf('object');
  });

  it('in metadata keeps two blocks apart, and two messages', () => {
    const [a, b] = [{ deep: nest(200_000) }, { deep: nest(200_000) }];
    expect(foldContent([text('a', a)], [text('b', b)], 'append')).toHaveLength(2);
    expect(canMerge({ content: [], _meta: a }, { content: [], _meta: b }, { content: 'append' })).toBe(false);
    const [c, d] = [{ deep: nest(10) }, { deep: nest(10) }];
    expect(foldContent([text('a', c)], [text('b', d)], 'append')).toHaveLength(1);
  });
});
