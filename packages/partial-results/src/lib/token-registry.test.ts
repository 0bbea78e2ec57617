import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClaimEvent,
  createTokenRegistry,
  type TokenOwner,
  type TokenRegistry,
} from './token-registry.ts';
import type { PartialToolResult } from './types.ts';

function owner(): TokenOwner & { chunks: PartialToolResult[]; events: ClaimEvent[] } {
  const chunks: PartialToolResult[] = [];
  const events: ClaimEvent[] = [];
  return { chunks, events, deliver: (chunk) => chunks.push(chunk), report: (event) => events.push(event) };
}

const chunk = (partialResultToken: unknown, seq = 0, more: object = {}) => ({
  partialResultToken,
  seq,
  ...more,
});

it('issues tokens nobody can guess, each once', () => {
  const registry = createTokenRegistry();
  const tokens = Array.from({ length: 500 }, () => registry.issue(owner()));
  expect(new Set(tokens).size).toBe(500);
  for (const token of tokens) expect(token).toMatch(/^prt-[0-9a-f]{32}$/);
});

it('delivers to the owner of the token, checked, and to nobody else', () => {
  const registry = createTokenRegistry();
  const [a, b] = [owner(), owner()];
  const token = registry.issue(a);
  registry.issue(b);
  expect(registry.claim({ ...chunk(token), content: null, structuredContent: 0 })).toBe(true);
  expect(a.chunks).toEqual([{ partialResultToken: token, seq: 0, structuredContent: 0 }]);
  expect([a.events, b.chunks, b.events]).toEqual([[], [], []]);
});

describe('a token not issued here', () => {
  it.each(['tool-call-7', '', 0, 42])(
    '%j is left to others, counted, and told to each call in flight once',
    (token) => {
      const registry = createTokenRegistry();
      const [a, b] = [owner(), owner()];
      registry.issue(a);
      registry.issue(a);
      registry.issue(b);
      expect(registry.claim(chunk(token))).toBe(false);
      expect([a.events, b.events]).toEqual([[{ type: 'unknown_token' }], [{ type: 'unknown_token' }]]);
      expect(registry.counters).toMatchObject({ unknownToken: 1, delivered: 0 });
    },
  );

  it('is not the number that reads like one that was', () => {
    const registry = createTokenRegistry();
    const a = owner();
    const token = registry.issue(a);
    expect(registry.claim(chunk(`${token} `))).toBe(false);
    expect(registry.claim(chunk('__proto__'))).toBe(false);
    expect(a.chunks).toEqual([]);
  });

  it('is one of another connection', () => {
    const [here, there] = [createTokenRegistry(), createTokenRegistry()];
    const a = owner();
    expect(here.claim(chunk(there.issue(a)))).toBe(false);
    expect(a.chunks).toEqual([]);
  });
});

describe('a retired token', () => {
  it('is late, not unknown, and told to the call it belonged to', () => {
    const registry = createTokenRegistry();
    const [a, b] = [owner(), owner()];
    const token = registry.issue(a);
    registry.issue(b);
    registry.retire(token);
    expect(registry.claim(chunk(token, 9))).toBe(true);
    expect(a.events).toEqual([{ type: 'retired_token', seq: 9 }]);
    expect([a.chunks, b.events]).toEqual([[], []]);
    expect(registry.counters).toMatchObject({ retiredToken: 1, unknownToken: 0 });
  });

  it('is forgotten, oldest first, beyond the cap', () => {
    const registry = createTokenRegistry(2);
    const a = owner();
    const tokens = [registry.issue(a), registry.issue(a), registry.issue(a)];
    for (const token of tokens) registry.retire(token);
    expect(tokens.map((token) => registry.claim(chunk(token)))).toEqual([false, true, true]);
    expect(registry.counters).toMatchObject({ unknownToken: 1, retiredToken: 2 });
    expect(registry.active).toBe(0);
  });

  it('may be retired again, or never have been issued', () => {
    const registry = createTokenRegistry();
    const token = registry.issue(owner());
    registry.retire(token);
    registry.retire(token);
    registry.retire('never issued');
    expect(registry.claim(chunk('never issued'))).toBe(false);
  });
});

describe('the token of a call that went on as a task', () => {
  it('is neither late nor delivered: each chunk is counted and told, with its task (S15)', () => {
    const registry = createTokenRegistry();
    const a = owner();
    const token = registry.issue(a);
    registry.claim(chunk(token, 0));
    registry.retire(token, 'T');
    for (const [seq, taskId] of [undefined, 'T', 'other'].entries())
      expect(registry.claim(chunk(token, seq + 1, taskId === undefined ? {} : { taskId }))).toBe(true);
    expect(a.chunks.map(({ seq }) => seq)).toEqual([0]);
    expect(a.events).toEqual([
      { type: 'task_chunk', seq: 1, taskId: 'T' },
      { type: 'task_chunk', seq: 2, taskId: 'T' },
      { type: 'foreign_task', seq: 3, taskId: 'other' },
    ]);
    expect(registry.counters).toMatchObject({ delivered: 1, taskChunk: 2, foreignTask: 1, retiredToken: 0 });
  });
});

describe('a malformed chunk', () => {
  it.each<[string, (token: string) => unknown]>([
    ['null', () => null],
    ['a list', () => []],
    ['a string seq', (token) => chunk(token, '1' as unknown as number)],
    ['a negative seq', (token) => chunk(token, -1)],
    ['a fractional seq', (token) => chunk(token, 1.5)],
    ['an unsafe seq', (token) => chunk(token, 9e99)],
    ['content that is no list', (token) => chunk(token, 0, { content: {} })],
    ['no token', () => ({ seq: 0 })],
    ['a null token', () => chunk(null)],
  ])('is refused with its reason: %s', (_what, make) => {
    const registry = createTokenRegistry();
    const a = owner();
    const token = registry.issue(a);
    registry.claim(make(token));
    expect(a.chunks).toEqual([]);
    expect(a.events).toMatchObject([{ type: 'invalid', rejection: { path: expect.stringMatching(/^\$/) } }]);
    expect(registry.counters).toMatchObject({ invalid: 1, delivered: 0 });
    expect(registry.claim(chunk(token))).toBe(true);
    expect(a.chunks.length).toBe(1);
  });

  it('is told to its own call when its token says whose it is', () => {
    const registry = createTokenRegistry();
    const [a, b] = [owner(), owner()];
    const token = registry.issue(a);
    registry.issue(b);
    registry.claim(chunk(token, -1));
    expect([a.events.length, b.events.length]).toEqual([1, 0]);
  });
});

it('drops chunks of another task under the right token', () => {
  const registry = createTokenRegistry();
  const a = owner();
  const token = registry.issue(a);
  for (const [seq, taskId] of [undefined, 'T', undefined, 'other', 'T'].entries()) {
    registry.claim(chunk(token, seq, taskId === undefined ? {} : { taskId }));
  }
  expect(a.chunks.map(({ seq }) => seq)).toEqual([0, 1, 2, 4]);
  expect(a.events).toEqual([{ type: 'foreign_task', seq: 3, taskId: 'other' }]);
});

it('whatever comes in is counted exactly once and never throws', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.anything(), fc.record({ partialResultToken: fc.anything(), seq: fc.anything() }))),
      (all) => {
        const registry: TokenRegistry = createTokenRegistry();
        const a = owner();
        registry.issue(a);
        for (const params of all) registry.claim(params);
        const counts = Object.values(registry.counters);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
        expect(a.chunks).toEqual([]);
      },
    ),
  );
});
