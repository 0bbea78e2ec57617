import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTaskLogReader, type TaskLogEvent } from './task-log-reader.ts';

function read(pages: unknown[], afterSeq = -1): { seen: number[]; events: TaskLogEvent[]; more: boolean[] } {
  const seen: number[] = [];
  const events: TaskLogEvent[] = [];
  const reader = createTaskLogReader({
    taskId: 'task-1',
    afterSeq,
    deliver: (chunk) => seen.push(chunk.seq),
    onEvent: (event) => events.push(event),
  });
  return { more: pages.map((page) => reader.read(page)), seen, events };
}

const chunk = (seq: unknown): unknown => ({ seq, body: { content: [] } });

describe('a page of a log', () => {
  test('says whether there is more', () => {
    expect(read([{ chunks: [chunk(0), chunk(1)], nextSeq: 4 }]).more).toEqual([true]);
    expect(read([{ chunks: [chunk(0), chunk(3)], nextSeq: 4 }]).more).toEqual([false]);
  });

  test('that brings nothing new is no reason to ask again at once', () => {
    expect(
      read(
        [
          { chunks: [], nextSeq: 9 },
          { chunks: [chunk(0)], nextSeq: 9 },
        ],
        3,
      ).more,
    ).toEqual([false, false]);
  });

  test('tells once what the server gave up', () => {
    const page = { chunks: [chunk(5)], nextSeq: 6, truncatedBefore: 5 };
    const { seen, events } = read([page, page]);
    expect(seen).toEqual([5]);
    expect(events).toEqual([{ type: 'truncated', first: 0, last: 4 }]);
  });

  test('gives up a chunk that is none, and no other', () => {
    const page = {
      chunks: [chunk(0), chunk('1'), null, chunk(2), { seq: 3, body: { content: 1 } }, chunk(4)],
      nextSeq: 5,
    };
    const { seen, events } = read([page]);
    expect(seen).toEqual([0, 2, 4]);
    expect(events.map(({ type }) => type)).toEqual(['invalid', 'invalid', 'invalid']);
  });

  test('may be anything', () => {
    fc.assert(
      fc.property(fc.array(fc.anything(), { maxLength: 5 }), (pages) => {
        expect(read(pages).seen.every((seq, i, all) => i === 0 || seq > all[i - 1]!)).toBe(true);
      }),
    );
  });
});

test('each chunk is delivered once and in order, whatever pages are repeated or overlap', () => {
  const start = fc.nat(20);
  fc.assert(
    fc.property(fc.array(fc.tuple(start, fc.nat(8)), { maxLength: 30 }), (spans) => {
      const pages = spans.map(([from, length]) => ({
        chunks: Array.from({ length }, (_, i) => chunk(from + i)),
        nextSeq: 28,
      }));
      const { seen } = read(pages);
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    }),
  );
});
