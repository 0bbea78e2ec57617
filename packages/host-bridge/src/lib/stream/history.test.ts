import { expect, test } from 'vitest';
import { createHistory, type HistoryLimits } from './history.ts';
import type { OutputChunk } from './types.ts';

const LETTER_BYTES = 100;

function chunk(seq: number, content: 'append' | 'replace' | undefined, value = 'x'): OutputChunk {
  return {
    range: { first: seq, last: seq },
    gaps: 0,
    body: { content: [{ type: 'text', text: value }] },
    modes: content ? { content } : {},
    bytes: LETTER_BYTES,
  };
}

function setup(limits: Partial<HistoryLimits> = {}) {
  const overflows: Array<{ bytes: number; items: number }> = [];
  return {
    overflows,
    history: createHistory({ limits, onOverflow: (bytes, items) => overflows.push({ bytes, items }) }),
  };
}

test('neighbours that may merge are kept as one, so that a replay is short', () => {
  const { history } = setup();
  for (let seq = 0; seq < 50; seq++) history.push(chunk(seq, 'append', `${seq},`));
  expect(history.chunks).toHaveLength(1);
  expect(history.chunks[0]!.range).toEqual({ first: 0, last: 49 });
});

test('of a replaced value only the latest is kept', () => {
  const { history } = setup({ maxItems: 1 });
  for (let seq = 0; seq < 50; seq++) history.push(chunk(seq, 'replace', `${seq}`));
  expect(history.chunks.map(({ body }) => body.content![0]!.text)).toEqual(['49']);
});

test.each([
  ['items', { maxItems: 4 }],
  ['bytes', { maxBytes: 4 * LETTER_BYTES }],
])('over its cap in %s it forgets all, once, rather than keep a stream with a hole', (_, limits) => {
  const { history, overflows } = setup(limits);
  for (let seq = 0; seq < 4; seq++) history.push(chunk(seq, undefined));
  expect(history.overflowed).toBe(false);
  for (let seq = 4; seq < 10; seq++) history.push(chunk(seq, undefined));
  expect(overflows).toEqual([{ bytes: 5 * LETTER_BYTES, items: 5 }]);
  expect(history.overflowed).toBe(true);
  expect(history.chunks).toEqual([]);
  expect(history.bytes).toBe(0);
});

test('after it was cleared it keeps what comes next, though it had overflowed before', () => {
  const { history } = setup({ maxItems: 1 });
  for (let seq = 0; seq < 3; seq++) history.push(chunk(seq, undefined));
  history.clear();
  history.push(chunk(0, undefined));
  expect(history.overflowed).toBe(false);
  expect(history.chunks).toHaveLength(1);
});

test('what has been handed out is never changed by what follows', () => {
  const { history } = setup();
  history.push(chunk(0, 'append', 'a'));
  const before = history.chunks[0]!;
  const copy = structuredClone(before);
  history.push(chunk(1, 'append', 'b'));
  expect(before).toEqual(copy);
});
