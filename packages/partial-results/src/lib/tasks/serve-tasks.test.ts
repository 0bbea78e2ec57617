import { describe, expect, test } from 'vitest';
import { createMemoryTaskStore } from './memory-store.ts';
import { serveTasksOn } from './serve-tasks.ts';
import type { TaskRecord, TaskStore } from './store.ts';

const LOG = 'io.github.mcp-apps-bridge/task-log';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const optedIn = { [CAPABILITIES]: { partialResults: {} } };

const now = new Date(0).toISOString();
const record: TaskRecord = {
  taskId: 'task-1',
  status: 'working',
  createdAt: now,
  lastUpdatedAt: now,
  ttlMs: 60_000,
  pollIntervalMs: 10,
};
const first = { seq: 0, body: { content: [{ type: 'text', text: 'first' }] } };

/** A transport with its tap: what is sent to it, what the SDK still sees, what goes out. */
async function serve(store: TaskStore = createMemoryTaskStore()): Promise<{
  ask(message: object): Promise<Record<string, unknown>>;
  seen: unknown[];
  sent: Record<string, unknown>[];
  stopped: string[];
  send(message: unknown): Promise<void>;
  errors: unknown[];
}> {
  await store.create(record, [first]).catch(() => {});
  const sent: Record<string, unknown>[] = [];
  const seen: unknown[] = [];
  const stopped: string[] = [];
  const errors: unknown[] = [];
  const transport = {
    onmessage: (message: unknown): void => void seen.push(message),
    send: async (message: unknown): Promise<void> => void sent.push(message as Record<string, unknown>),
  };
  serveTasksOn(transport, {
    store,
    stop: (taskId) => stopped.push(taskId),
    onStoreError: (error) => errors.push(error),
  });
  return {
    seen,
    sent,
    stopped,
    errors,
    send: async (message) => transport.send(message),
    async ask(message) {
      transport.onmessage({ jsonrpc: '2.0', id: 7, ...message });
      await expect.poll(() => sent.length).toBe(1);
      return sent[0]!;
    },
  };
}

describe('tasks/get', () => {
  const get = (meta: object): object => ({ method: 'tasks/get', params: { taskId: 'task-1', _meta: meta } });

  test('describes the task as the extension says, with the log above the cursor under a key of ours', async () => {
    const { ask, seen } = await serve();
    const page = { chunks: [first], nextSeq: 1 };
    expect(await ask(get({ ...optedIn, [LOG]: { afterSeq: -1 } }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { resultType: 'complete', ...record, _meta: { [LOG]: page } },
    });
    expect(seen).toEqual([]);
  });

  test.each([
    ['did not opt in (S1)', { [LOG]: { afterSeq: -1 } }],
    [
      'opted in under extensions only',
      { [CAPABILITIES]: { extensions: { partialResults: {} } }, [LOG]: { afterSeq: -1 } },
    ],
    ['did not ask for it', optedIn],
    ['has no cursor that is one', { ...optedIn, [LOG]: { afterSeq: '-1' } }],
    ['has a cursor below the beginning', { ...optedIn, [LOG]: { afterSeq: -2 } }],
  ])('gives no log to a request that %s', async (_, meta) => {
    const { ask } = await serve();
    expect((await ask(get(meta)))['result']).not.toHaveProperty('_meta');
  });

  test.each([{ taskId: 'task-2' }, { taskId: 1 }, {}, undefined])('refuses %j', async (params) => {
    const { ask } = await serve();
    expect((await ask({ method: 'tasks/get', params }))['error']).toMatchObject({ code: -32602 });
  });
});

test('tasks/cancel ends the task, stops its work here, and is answered when it comes again', async () => {
  const store = createMemoryTaskStore();
  const once = await serve(store);
  expect(await once.ask({ method: 'tasks/cancel', params: { taskId: 'task-1' } })).toMatchObject({
    result: {},
  });
  expect(once.stopped).toEqual(['task-1']);
  expect((await store.get('task-1'))?.status).toBe('cancelled');
  const { ask } = await serve(store);
  expect(await ask({ method: 'tasks/cancel', params: { taskId: 'task-1' } })).toMatchObject({ result: {} });
});

test('a store that cannot be reached is an error to the caller and reported, without its words', async () => {
  const down = async (): Promise<never> => Promise.reject(new Error('redis at 10.0.0.7 is down'));
  const { ask, errors } = await serve({ create: down, get: down, append: down, read: down, finish: down });
  const { error } = await ask({ method: 'tasks/get', params: { taskId: 'task-1' } });
  expect(error).toEqual({ code: -32603, message: 'The task store cannot be reached.' });
  expect(errors).toHaveLength(1);
});

test('all else passes untouched, both ways', async () => {
  const { ask, seen, sent, send } = await serve();
  void ask;
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [], _meta: { other: 1 } } };
  await send(answer);
  await send('no message at all');
  expect(sent).toEqual([answer, 'no message at all']);
  expect(seen).toEqual([]);
});

test('a result that stands for a task leaves as its handle, and nothing of ours with it', async () => {
  const { sent, send } = await serve();
  const _meta = { 'io.github.mcp-apps-bridge/task-handle': record, other: 1 };
  await send({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'x' }], isError: true, _meta },
  });
  expect(sent).toEqual([
    { jsonrpc: '2.0', id: 1, result: { resultType: 'task', ...record, _meta: { other: 1 } } },
  ]);
});
