import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, startRedis, type RedisFixture } from '../../testing/redis.ts';
import { createMemoryTaskStore } from './memory-store.ts';
import { createRedisTaskStore } from './redis-store.ts';
import type { LoggedChunk, TaskLogLimits, TaskRecord, TaskStore } from './store.ts';

/* One contract for every store. Redis runs where it is installed. */

let redis: RedisFixture | undefined;
let count = 0;
beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined;
});
afterAll(() => redis?.stop());

const stores: [string, (limits?: Partial<TaskLogLimits>) => TaskStore][] = [
  ['memory', (limits) => createMemoryTaskStore({ limits })],
  ['Redis', (limits) => createRedisTaskStore({ command: (args) => redis!.command(args), limits })],
];

function record(ttlMs = 60_000): TaskRecord {
  const now = new Date(0).toISOString();
  const times = { createdAt: now, lastUpdatedAt: now, ttlMs, pollIntervalMs: 10 };
  return { taskId: `task-${count++}`, status: 'working', ...times };
}

const chunk = (seq: number, words = `chunk ${seq}`): LoggedChunk => ({
  seq,
  body: { content: [{ type: 'text', text: words }] },
});

async function numbers(store: TaskStore, taskId: string, afterSeq = -1): Promise<number[] | undefined> {
  return (await store.read(taskId, afterSeq))?.chunks.map(({ seq }) => seq);
}

describe.each(hasRedis ? stores : stores.slice(0, 1))('tasks in %s', (_, create) => {
  test('are found once created, with what was logged before', async () => {
    const store = create();
    const task = record();
    await store.create(task, [chunk(0), chunk(1)]);
    expect(await store.get(task.taskId)).toEqual(task);
    expect(await store.read(task.taskId, -1)).toEqual({ chunks: [chunk(0), chunk(1)], nextSeq: 2 });
  });

  test('nobody created are unknown', async () => {
    const store = create();
    expect(await store.get('task-of-nobody')).toBeUndefined();
    expect(await store.read('task-of-nobody', -1)).toBeUndefined();
    expect(await store.append('task-of-nobody', chunk(0))).toBe(false);
    expect(await store.finish('task-of-nobody', { status: 'cancelled' }, '')).toBe(false);
  });

  test('are read above a cursor, and what is appended twice is kept once', async () => {
    const store = create();
    const task = record();
    await store.create(task, []);
    for (const seq of [0, 1, 1, 0, 4, 3, 5]) expect(await store.append(task.taskId, chunk(seq))).toBe(true);
    expect(await numbers(store, task.taskId)).toEqual([0, 1, 4, 5]);
    expect(await numbers(store, task.taskId, 1)).toEqual([4, 5]);
    expect(await store.read(task.taskId, 5)).toEqual({ chunks: [], nextSeq: 6 });
  });

  test('give a log in pages, each with at least one chunk', async () => {
    const byCount = create({ maxPageChunks: 2 });
    const task = record();
    await byCount.create(
      task,
      [0, 1, 2, 3, 4].map((seq) => chunk(seq)),
    );
    expect(await numbers(byCount, task.taskId)).toEqual([0, 1]);
    expect(await numbers(byCount, task.taskId, 3)).toEqual([4]);

    const byBytes = create({ maxPageBytes: 1 });
    const other = record();
    await byBytes.create(other, [chunk(0), chunk(1)]);
    expect(await byBytes.read(other.taskId, -1)).toEqual({ chunks: [chunk(0)], nextSeq: 2 });
  });

  test('keep the newest chunks within the caps, and say where the log begins', async () => {
    const byCount = create({ maxChunks: 3 });
    const task = record();
    await byCount.create(
      task,
      [0, 1, 2, 3, 4].map((seq) => chunk(seq)),
    );
    const page = await byCount.read(task.taskId, -1);
    expect(page).toEqual({ chunks: [chunk(2), chunk(3), chunk(4)], nextSeq: 5, truncatedBefore: 2 });

    const byBytes = create({ maxBytes: 200 });
    const other = record();
    await byBytes.create(other, [
      chunk(0, 'a'.repeat(90)),
      chunk(1, 'b'.repeat(90)),
      chunk(2, 'c'.repeat(500)),
    ]);
    expect(await numbers(byBytes, other.taskId)).toEqual([2]);
  });

  test('end once, keep their log, and take no more', async () => {
    const store = create();
    const task = record();
    const result = { content: [{ type: 'text', text: 'done' }] };
    await store.create(task, [chunk(0)]);
    expect(await store.finish(task.taskId, { status: 'completed', result }, '2026-01-01')).toBe(true);
    expect(await store.finish(task.taskId, { status: 'cancelled' }, '2026-01-02')).toBe(false);
    expect(await store.append(task.taskId, chunk(1))).toBe(false);
    const ended = { ...task, status: 'completed', result, lastUpdatedAt: '2026-01-01' };
    expect(await store.get(task.taskId)).toEqual(ended);
    expect(await numbers(store, task.taskId)).toEqual([0]);
  });

  test('expire with their log', async () => {
    const store = create();
    const task = record(30);
    await store.create(task, [chunk(0)]);
    await expect.poll(() => store.get(task.taskId), { timeout: 5000 }).toBeUndefined();
    expect(await store.read(task.taskId, -1)).toBeUndefined();
  });

  test('hand over the whole log however it was written and is read', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 30 }),
        fc.nat(30),
        fc.integer({ min: 1, max: 7 }),
        async (words, split, maxPageChunks) => {
          const store = create({ maxPageChunks });
          const task = record();
          const all = words.map((word, seq) => chunk(seq, word));
          await store.create(task, all.slice(0, split));
          for (const each of all.slice(split)) await store.append(task.taskId, each);
          const seen: LoggedChunk[] = [];
          for (let page = await store.read(task.taskId, -1); page!.chunks.length > 0;) {
            seen.push(...page!.chunks);
            page = await store.read(task.taskId, seen.at(-1)!.seq);
          }
          expect(seen).toEqual(all);
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('a full memory makes room for a task by one that has ended, never by one at work', async () => {
  const store = createMemoryTaskStore({ maxTasks: 2 });
  const [first, second, third, fourth] = [record(), record(), record(), record()];
  await store.create(first, []);
  await store.create(second, []);
  await expect(store.create(third, [])).rejects.toThrow(/raise maxTasks/);
  await store.finish(second.taskId, { status: 'cancelled' }, '');
  await store.create(fourth, []);
  expect(await store.get(second.taskId)).toBeUndefined();
  expect(await store.get(first.taskId)).toBeDefined();
});
