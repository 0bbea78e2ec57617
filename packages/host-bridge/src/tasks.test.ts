import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  connect,
  startHttp,
  type HttpFixture,
  type Peer,
} from '@mcp-apps-bridge/partial-results/testing/peers';
import { startToolCall, type ToolCall, type ToolCallEvent } from './lib/stream/start-tool-call.ts';
import type { OutputChunk } from './lib/stream/types.ts';

/* A call that outlives its request, from real servers through the host's pipeline. */

let http: HttpFixture;
const peers: Peer[] = [];
beforeAll(async () => {
  http = await startHttp('server-tasks');
});
afterAll(() => http.stop());
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function join(
  kind: 'v2 modern' | 'v1' = 'v2 modern',
  target: string = http.url,
): Promise<Peer['client']> {
  const peer = await connect(kind, target);
  peers.push(peer);
  return peer.client;
}

const tool = { name: 'count' };

function watch(call: ToolCall): { shown: string[]; numbers: number[]; done: ToolCall['done'] } {
  const shown: string[] = [];
  const numbers: number[] = [];
  call.subscribe({
    chunk({ range, body }: OutputChunk) {
      numbers.push(range.first);
      shown.push(...(body.content ?? []).map(({ text }) => String(text)));
    },
  });
  return { shown, numbers, done: call.done };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Starts a call and waits until it is a task. */
async function startTask(
  client: Peer['client'],
  args: Record<string, unknown>,
): Promise<{ call: ToolCall; taskId: string; events: ToolCallEvent[] }> {
  const events: ToolCallEvent[] = [];
  let announce: (taskId: string) => void;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const call = startToolCall(
    client,
    { tool, arguments: args },
    {
      onEvent(event) {
        events.push(event);
        if (event.type === 'task_started') announce(event.task.taskId);
      },
    },
  );
  return { call, taskId: await announced, events };
}

test('a call that becomes a task streams on, each chunk once and in order, to its result', async () => {
  const { call, events } = await startTask(await join(), { early: 3, count: 10, delayMs: 5 });
  const { shown, numbers, done } = watch(call);
  const end = await done;
  expect(end).toMatchObject({ status: 'complete', result: { content: [{ text: upTo(13).join(' ') }] } });
  expect(numbers).toEqual(upTo(13));
  expect(shown).toEqual(upTo(13).map(String));
  expect(call.counters).toMatchObject({ duplicates: 0, gaps: 0 });
  expect(events.filter(({ type }) => type === 'task')).toEqual([]);
});

test('case 86: after a restart of the client the task is joined by its id, and ends in the same state', async () => {
  const first = await join();
  const { call, taskId } = await startTask(first, { early: 2, count: 20, delayMs: 10 });
  await peers.pop()?.close();
  call.subscribe({});

  const joined = startToolCall(await join(), { tool, arguments: {}, taskId });
  const { numbers, done } = watch(joined);
  const end = await done;
  expect(end).toMatchObject({ status: 'complete', result: { content: [{ text: upTo(22).join(' ') }] } });
  expect(numbers).toEqual(upTo(22));
  call.close();
});

test('a cancel stops the task on the server', async () => {
  const client = await join();
  const { call, taskId } = await startTask(client, { count: 100_000, delayMs: 5 });
  call.cancel();
  expect((await call.done).status).toBe('cancelled');
  const later = startToolCall(client, { tool, taskId });
  expect((await later.done).status).toBe('cancelled');
});

test('a task that fails shows what the server said of it', async () => {
  const { call } = await startTask(await join(), { early: 1, fail: true });
  const end = await call.done;
  expect(end).toMatchObject({ status: 'failed', result: { isError: true } });
  expect(JSON.stringify(end)).toContain('no such site');
});

test('an unknown task fails, and does not hang', async () => {
  const call = startToolCall(await join(), { tool, taskId: 'task-guessed' });
  expect((await call.done).status).toBe('failed');
});

describe('the limit of the whole call', () => {
  test('holds for a task', async () => {
    const call = startToolCall(
      await join(),
      { tool, arguments: { count: 100_000, delayMs: 5 } },
      { timeoutMs: 300 },
    );
    expect((await call.done).status).toBe('interrupted');
  });

  test('holds for what the embedder does for it, and so does a cancel', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const request = { tool, arguments: { count: 1 } };
    const limited = startToolCall(await join(), request, { timeoutMs: 300, resolveTask: never });
    expect((await limited.done).status).toBe('interrupted');
    const cancelled = startToolCall(await join(), request, {
      resolveTask: never,
      onEvent: ({ type }) => type === 'task_started' && queueMicrotask(() => cancelled.cancel()),
    });
    expect((await cancelled.done).status).toBe('cancelled');
  });
});

test('a task of 2025-11-25, which keeps its result apart, is followed too', async () => {
  const client = await join('v1', 'server-v1');
  const call = startToolCall(
    client,
    { tool: { name: 'as_task' } },
    { requestOptions: { task: { ttl: 60_000 } } },
  );
  expect(await call.done).toMatchObject({ status: 'complete', result: { content: [{ text: 'task over' }] } });
});
