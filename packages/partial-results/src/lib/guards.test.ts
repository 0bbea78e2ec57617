import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isToken, parsePartialToolResult } from './guards.ts';

const good = { partialResultToken: 't', seq: 0 };

function rejectionOf(params: unknown) {
  const parsed = parsePartialToolResult(params);
  return parsed.ok ? undefined : parsed.rejection;
}

describe('a good chunk', () => {
  it.each([
    ['the least', good],
    ['token 0', { partialResultToken: 0, seq: 0 }],
    ['an empty token', { partialResultToken: '', seq: 7 }],
    ['falsy values', { ...good, content: [{ type: 'text', text: '' }], structuredContent: 0, final: false }],
    [
      'every field',
      { ...good, content: [], structuredContent: { a: 1 }, final: true, taskId: 'k', _meta: { x: 1 } },
    ],
    ['a scalar structuredContent', { ...good, structuredContent: '' }],
    [
      'every known block',
      {
        ...good,
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
          { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'https://a.test/', name: 'a' },
          { type: 'resource', resource: { uri: 'a2ui://s', text: '' } },
          { type: 'resource', resource: { uri: 'x://y', blob: 'AA==' } },
        ],
      },
    ],
    ['a block type of the future', { ...good, content: [{ type: 'hologram', beam: 1 }] }],
  ])('%s comes back as sent (case 19)', (_name, params) => {
    expect(parsePartialToolResult(params)).toEqual({ ok: true, value: params });
  });

  it('null fields count as absent, unknown ones are left out (case 89)', () => {
    const params = {
      ...good,
      content: null,
      structuredContent: null,
      final: null,
      taskId: null,
      _meta: null,
      'x-new': 1,
    };
    expect(parsePartialToolResult(params)).toEqual({ ok: true, value: good });
  });
});

describe('a bad chunk names the field and why (case 9)', () => {
  it.each([
    [null, 'not_an_object', '$'],
    [5, 'not_an_object', '$'],
    ['x', 'not_an_object', '$'],
    [[], 'not_an_object', '$'],
    [{ seq: 0 }, 'missing_field', '$.partialResultToken'],
    [{ partialResultToken: null, seq: 0 }, 'wrong_type', '$.partialResultToken'],
    [{ partialResultToken: 1.5, seq: 0 }, 'wrong_type', '$.partialResultToken'],
    [{ partialResultToken: {}, seq: 0 }, 'wrong_type', '$.partialResultToken'],
    [{ partialResultToken: 't' }, 'missing_field', '$.seq'],
    [{ ...good, seq: '1' }, 'wrong_type', '$.seq'],
    [{ ...good, seq: -1 }, 'out_of_range', '$.seq'],
    [{ ...good, seq: 1.5 }, 'out_of_range', '$.seq'],
    [{ ...good, seq: 9e99 }, 'out_of_range', '$.seq'],
    [{ ...good, seq: NaN }, 'out_of_range', '$.seq'],
    [{ ...good, content: {} }, 'wrong_type', '$.content'],
    [{ ...good, content: [null] }, 'wrong_type', '$.content[0]'],
    [{ ...good, content: [{}] }, 'wrong_type', '$.content[0].type'],
    [{ ...good, content: [{ type: 'text' }] }, 'wrong_type', '$.content[0].text'],
    [
      {
        ...good,
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'AA==' },
        ],
      },
      'wrong_type',
      '$.content[1].mimeType',
    ],
    [{ ...good, content: [{ type: 'resource' }] }, 'wrong_type', '$.content[0].resource'],
    [
      { ...good, content: [{ type: 'resource', resource: { text: 'a' } }] },
      'wrong_type',
      '$.content[0].resource.uri',
    ],
    [
      { ...good, content: [{ type: 'resource', resource: { uri: 'a' } }] },
      'wrong_type',
      '$.content[0].resource.text',
    ],
    [
      { ...good, content: [{ type: 'resource', resource: { uri: 'a', blob: 1 } }] },
      'wrong_type',
      '$.content[0].resource.blob',
    ],
    [{ ...good, final: 'yes' }, 'wrong_type', '$.final'],
    [{ ...good, taskId: 1 }, 'wrong_type', '$.taskId'],
    [{ ...good, _meta: [] }, 'wrong_type', '$._meta'],
  ])('%j', (params, code, path) => {
    const rejection = rejectionOf(params);
    expect(rejection).toMatchObject({ code, path });
    expect(rejection?.message).toContain(path);
  });
});

describe('for every value', () => {
  it('parsing never throws, and what it accepts keeps the rules', () => {
    const nearMiss = fc.record(
      {
        partialResultToken: fc.anything(),
        seq: fc.oneof(fc.integer(), fc.double(), fc.anything()),
        content: fc.oneof(
          fc.anything(),
          fc.array(fc.record({ type: fc.constantFrom('text', 'resource', 'toString', '__proto__') })),
        ),
        structuredContent: fc.anything(),
        final: fc.oneof(fc.boolean(), fc.anything()),
        _meta: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true }), nearMiss), (params) => {
        const parsed = parsePartialToolResult(params);
        if (parsed.ok) {
          expect(isToken(parsed.value.partialResultToken)).toBe(true);
          expect(Number.isSafeInteger(parsed.value.seq) && parsed.value.seq >= 0).toBe(true);
        } else {
          expect(parsed.rejection.message).toContain(parsed.rejection.path);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the cost of a check', () => {
  /** How often each property of an object, or of what it holds, was read. */
  function counted(value: object, reads: Map<string, number>, path = '$'): object {
    return new Proxy(value, {
      get(target, key, receiver) {
        const inner: unknown = Reflect.get(target, key, receiver);
        const at = `${path}.${String(key)}`;
        reads.set(at, (reads.get(at) ?? 0) + 1);
        return typeof inner === 'object' && inner !== null ? counted(inner, reads, at) : inner;
      },
    });
  }

  it('is one read a field: what was checked is what is handed on', () => {
    const reads = new Map<string, number>();
    const chunk = { ...good, content: [], structuredContent: {}, final: true, taskId: 'k', _meta: {} };
    expect(parsePartialToolResult(counted(chunk, reads)).ok).toBe(true);
    for (const key of Object.keys(chunk)) expect([key, reads.get(`$.${key}`)]).toEqual([key, 1]);
  });

  it('is type and text of a text block, and nothing else of it', () => {
    const reads = new Map<string, number>();
    const content = [{ type: 'text', text: 'a', resource: { uri: 1 }, annotations: { audience: [] } }];
    expect(parsePartialToolResult(counted({ ...good, content }, reads)).ok).toBe(true);
    const ofBlock = [...reads].filter(([at]) => at.startsWith('$.content.0.'));
    expect(ofBlock).toEqual([
      ['$.content.0.type', 1],
      ['$.content.0.text', 1],
    ]);
  });
});
