import { describe, expect, test } from 'vitest';
import type { PartialToolResult } from '@mcp-apps-bridge/partial-results';
import { createIntake, type IntakeLimits, type IntakeRejection } from './intake.ts';

function setup(options: { taskId?: string; limits?: Partial<IntakeLimits> } = {}) {
  const accepted: PartialToolResult[] = [];
  const sizes: number[] = [];
  const rejected: IntakeRejection[] = [];
  const intake = createIntake({
    ...options,
    accept: (chunk, bytes) => {
      accepted.push(chunk);
      sizes.push(bytes);
    },
    reject: (rejection) => rejected.push(rejection),
  });
  return { intake, accepted, rejected, sizes };
}

const text = (seq: number, value: string) => ({
  partialResultToken: 't1',
  seq,
  content: [{ type: 'text', text: value }],
});

test('case 9: each bad frame is refused with its reason and the next good one flows', () => {
  const { intake, accepted, rejected } = setup();
  const token = 't1';
  const frames: Array<[unknown, string, string]> = [
    [null, 'not_an_object', '$'],
    [5, 'not_an_object', '$'],
    ['x', 'not_an_object', '$'],
    [[], 'not_an_object', '$'],
    [undefined, 'not_an_object', '$'],
    [{ partialResultToken: token, seq: '1' }, 'wrong_type', '$.seq'],
    [{ partialResultToken: token, seq: -1 }, 'out_of_range', '$.seq'],
    [{ partialResultToken: token, seq: 1.5 }, 'out_of_range', '$.seq'],
    [{ partialResultToken: token, seq: 9e99 }, 'out_of_range', '$.seq'],
    [{ partialResultToken: token, seq: 1, content: {} }, 'wrong_type', '$.content'],
    [{ seq: 1 }, 'missing_field', '$.partialResultToken'],
  ];
  intake.push(text(0, 'a'));
  for (const [frame] of frames) intake.push(frame);
  intake.push(text(1, 'b'));
  expect(rejected.map(({ code, path }) => [code, path])).toEqual(
    frames.map(([, code, path]) => [code, path]),
  );
  expect(accepted.map(({ seq }) => seq)).toEqual([0, 1]);
});

describe('case 88: what cannot be posted is refused at once, with its place', () => {
  class Node {
    readonly parent = null;
  }
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  test.each<[string, unknown, string, string]>([
    ['a function', { a: () => 1 }, 'not_cloneable', '$.structuredContent.a'],
    ['a symbol', { a: [Symbol('x')] }, 'not_cloneable', '$.structuredContent.a[0]'],
    ['a bigint', 1n, 'not_cloneable', '$.structuredContent'],
    ['an Error', { e: new Error('x') }, 'not_cloneable', '$.structuredContent.e'],
    ['a class instance', new Node(), 'not_cloneable', '$.structuredContent'],
    ['a Map', new Map(), 'not_cloneable', '$.structuredContent'],
    ['a SharedArrayBuffer', new SharedArrayBuffer(8), 'not_cloneable', '$.structuredContent'],
    ['a cycle', cyclic, 'too_deep', '$.structuredContent.self'],
  ])('%s', (_, structuredContent, code, path) => {
    const { intake, accepted, rejected } = setup();
    intake.push({ partialResultToken: 't1', seq: 0, structuredContent });
    intake.push(text(1, 'next'));
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ code });
    expect(rejected[0]!.path.startsWith(path)).toBe(true);
    expect(accepted.map(({ seq }) => seq)).toEqual([1]);
  });

  test('a proxy that throws is unreadable; one over plain data is read', () => {
    const { intake, accepted, rejected } = setup();
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new TypeError('no');
        },
      },
    );
    intake.push(hostile);
    intake.push(new Proxy(text(0, 'reactive'), {}));
    expect(rejected).toEqual([{ code: 'unreadable', path: '$', message: '$: reading it threw TypeError' }]);
    expect(accepted).toHaveLength(1);
  });
});

test('case 87: the limit is inclusive and counted in estimated bytes', () => {
  const { intake, sizes } = setup();
  intake.push(text(0, 'x'.repeat(100)));
  const size = sizes[0]!;
  for (const [maxChunkBytes, code] of [
    [size - 1, 'too_large'],
    [size, undefined],
    [size + 1, undefined],
  ] as const) {
    const limited = setup({ limits: { maxChunkBytes } });
    limited.intake.push(text(0, 'x'.repeat(100)));
    expect(limited.rejected[0]?.code).toBe(code);
  }
});

test('case 86: a chunk that names another task is refused, whoever named the first', () => {
  const first = setup();
  first.intake.push({ ...text(0, 'a'), taskId: 'T' });
  first.intake.push({ ...text(1, 'b'), taskId: 'other' });
  first.intake.push(text(2, 'c'));
  expect(first.accepted.map(({ seq }) => seq)).toEqual([0, 2]);
  expect(first.rejected[0]).toMatchObject({ code: 'foreign_task', path: '$.taskId' });

  const told = setup({ taskId: 'T' });
  told.intake.push({ ...text(0, 'a'), taskId: 'other' });
  expect(told.rejected).toHaveLength(1);
});

test('case 19: token 0, seq 0 and empty text are values', () => {
  const { intake, accepted } = setup();
  intake.push({ partialResultToken: 0, seq: 0, content: [{ type: 'text', text: '' }], structuredContent: 0 });
  expect(accepted).toEqual([
    { partialResultToken: 0, seq: 0, content: [{ type: 'text', text: '' }], structuredContent: 0 },
  ]);
});

test('case 89: null fields count as absent and unknown ones do no harm', () => {
  const { intake, accepted } = setup();
  intake.push({
    ...text(0, 'a'),
    structuredContent: null,
    _meta: null,
    final: null,
    taskId: null,
    'x-new': 1,
  });
  expect(accepted).toEqual([text(0, 'a')]);
});

test('case 35: a misspelt or impossible limit throws', () => {
  expect(() => setup({ limits: { maxChunkByte: 1 } as never })).toThrow(/maxChunkByte/);
  expect(() => setup({ limits: { maxChunkBytes: 0 } })).toThrow(/above 0/);
});
