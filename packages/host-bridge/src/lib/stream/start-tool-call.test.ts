import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import {
  MERGE_META_KEY,
  PARTIAL_RESULT_METHOD,
  PARTIAL_RESULT_TOKEN_KEY,
} from '@mcp-apps-bridge/partial-results';
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import { createCallGate } from './call-gate.ts';
import { startToolCall, type ToolCallEvent } from './start-tool-call.ts';
import { createTestView } from './testing/view.ts';
import { createViewFeed } from './view-feed.ts';

interface Context {
  mcpReq: {
    _meta?: Record<string, unknown>;
    signal: AbortSignal;
    notify(notification: object): Promise<void>;
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

/** A real server over a real in-memory transport; `run` is the tool. */
async function connect(
  run: (emit: (seq: number, text: string) => Promise<void>, signal: AbortSignal) => Promise<ToolResult>,
) {
  const server = new McpServer({ name: 'server', version: '1.0.0' });
  server.registerTool('write', { description: 'writes' }, (async (context: Context) => {
    const token = context.mcpReq._meta?.[PARTIAL_RESULT_TOKEN_KEY];
    const emit = (seq: number, text: string) =>
      context.mcpReq.notify({
        method: PARTIAL_RESULT_METHOD,
        params: { partialResultToken: token, seq, content: [{ type: 'text', text }] },
      });
    return run(emit, context.mcpReq.signal);
  }) as never);
  const client = new Client({ name: 'host', version: '1.0.0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return { client, serverSide, close: () => Promise.all([client.close(), server.close()]) };
}

const tool = { name: 'write', _meta: { [MERGE_META_KEY]: { content: 'append' } } };
const done: ToolResult = { content: [{ type: 'text', text: 'all of it' }] };

test('a real call streams into a view and ends with its result', async () => {
  const { client, close } = await connect(async (emit) => {
    for (const [seq, text] of ['a', 'b', 'c'].entries()) await emit(seq, text);
    return done;
  });
  const call = startToolCall(client, { tool, arguments: { topic: 'x' } });
  const chunks: string[] = [];
  call.subscribe({ chunk: ({ body }) => chunks.push(body.content![0]!.text!) });
  const view = createTestView();
  const feed = createViewFeed({ output: call, notify: view.receive });
  feed.open({ acks: true });
  const outcome = await call.done;
  expect(outcome).toEqual({ status: 'complete', result: done });
  expect(chunks.join('')).toBe('abc');
  expect(call.counters).toMatchObject({ received: 3, delivered: 3 });
  expect(view.methods[0]).toBe('tool-input');
  expect(view.messages[0]!.params).toEqual({ arguments: { topic: 'x' } });
  expect(view.result).toMatchObject(done);
  feed.close();
  await close();
});

test('without partials nothing is asked for, and the end is the same (S17)', async () => {
  const asked: unknown[] = [];
  const { client, serverSide, close } = await connect(async () => done);
  const receive = serverSide.onmessage!;
  serverSide.onmessage = (message, extra) => {
    if ('params' in message) asked.push(message.params?._meta?.[PARTIAL_RESULT_TOKEN_KEY]);
    receive(message, extra);
  };
  for (const partials of [false, true]) {
    const call = startToolCall(client, { tool }, { partials });
    expect(await call.done).toEqual({ status: 'complete', result: done });
  }
  expect(asked).toEqual([undefined, expect.any(String)]);
  await close();
});

test('cancel tells the server, and `done` resolves', async () => {
  const stopped = deferred();
  const started = deferred();
  const { client, close } = await connect(async (emit, signal) => {
    await emit(0, 'a');
    started.resolve();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    stopped.resolve();
    return done;
  });
  const call = startToolCall(client, { tool });
  await started.promise;
  call.cancel('internal reason');
  expect(await call.done).toEqual({ status: 'cancelled', reason: 'internal reason' });
  await stopped.promise;
  expect(call.status).toBe('cancelled');
  await close();
});

test('the embedder’s signal cancels too, also before the call starts', async () => {
  const { client, close } = await connect(async () => done);
  const call = startToolCall(client, { tool }, { signal: AbortSignal.abort() });
  expect((await call.done).status).toBe('cancelled');
  await close();
});

test('case 82: an error result of the tool fails the call and keeps its text', async () => {
  const { client, close } = await connect(async () => ({ ...done, isError: true }));
  const outcome = await startToolCall(client, { tool }).done;
  expect(outcome).toEqual({ status: 'failed', result: { ...done, isError: true } });
  await close();
});

test('case 85: a server that dies mid-stream interrupts the call; what it streamed stays', async () => {
  const started = deferred();
  const { client, serverSide } = await connect(async (emit) => {
    await emit(0, 'a');
    started.resolve();
    return new Promise<ToolResult>(() => undefined);
  });
  const call = startToolCall(client, { tool });
  await started.promise;
  await serverSide.close();
  const outcome = await call.done;
  expect(outcome.status).toBe('interrupted');
  const late: string[] = [];
  call.subscribe({
    chunk: ({ body }) => late.push(body.content![0]!.text!),
    end: ({ status }) => late.push(status),
  });
  expect(late).toEqual(['a', 'interrupted']);
});

test('case 85: a time-out interrupts it too', async () => {
  const { client, close } = await connect(() => new Promise<ToolResult>(() => undefined));
  const outcome = await startToolCall(client, { tool }, { idleTimeoutMs: 1 }).done;
  expect(outcome.status).toBe('interrupted');
  await close();
});

test('an unknown tool fails with what the server says', async () => {
  const { client, close } = await connect(async () => done);
  const outcome = await startToolCall(client, { tool: { name: 'nope' } }).done;
  expect(outcome.status).toBe('failed');
  expect(JSON.stringify(outcome)).toContain('nope');
  await close();
});

test('calls to one origin wait for a free place, and a waiting one can be cancelled', async () => {
  const release = deferred();
  const { client, close } = await connect(async () => {
    await release.promise;
    return done;
  });
  const events: ToolCallEvent[] = [];
  const options = {
    gate: createCallGate(1),
    origin: 'https://server.test',
    onEvent: (event: ToolCallEvent): void => void events.push(event),
  };
  const first = startToolCall(client, { tool }, options);
  const second = startToolCall(client, { tool }, options);
  const third = startToolCall(client, { tool }, options);
  expect(events.filter(({ type }) => type === 'call_queued')).toHaveLength(2);
  second.cancel();
  expect((await second.done).status).toBe('cancelled');
  release.resolve();
  expect((await first.done).status).toBe('complete');
  expect((await third.done).status).toBe('complete');
  // Told of the one that had to wait and then ran, and of no other.
  expect(events.filter(({ type }) => type === 'call_started')).toEqual([
    { type: 'call_started', origin: 'https://server.test' },
  ]);
  await close();
});

test('closing a running call cancels it and settles `done`', async () => {
  const { client, close } = await connect(() => new Promise<ToolResult>(() => undefined));
  const call = startToolCall(client, { tool });
  call.close();
  call.close();
  expect((await call.done).status).toBe('cancelled');
  await close();
});

test('case 57: a no that comes after the answer of a held call is still a no', async () => {
  const { client, close } = await connect(async () => done);
  const call = startToolCall(client, { tool }, { hold: true });
  const view = createTestView();
  const feed = createViewFeed({ output: call, notify: view.receive });
  feed.open({ acks: false });
  await expect.poll(() => call.status).toBe('complete');
  call.cancel('denied');
  expect(await call.done).toEqual({ status: 'cancelled', reason: 'denied' });
  expect(call.status).toBe('cancelled');
  expect(view.methods).toEqual(['tool-cancelled']);
  feed.close();
  await close();
});

test('closing a call from inside a delivery settles `done` all the same', async () => {
  const { client, close } = await connect(async (emit) => {
    await emit(0, 'a');
    return done;
  });
  const call = startToolCall(client, { tool });
  call.subscribe({ chunk: () => call.close() });
  expect(await call.done).toEqual({ status: 'cancelled' });
  await close();
});

test('a task handle is no result without partials either (D9)', async () => {
  const task = { taskId: 'k', status: 'working' };
  const { client, close } = await connect(async () => ({ content: [], task }));
  const call = startToolCall(client, { tool }, { partials: false, resolveTask: async () => done });
  expect(await call.done).toEqual({ status: 'complete', result: done });
  await close();
});

test.each([
  ['without content', { task: { taskId: 'k', status: 'working' } }],
  ['without content, of the extension', { resultType: 'task', taskId: 'k', status: 'working' }],
  [
    'with empty content, of the extension',
    { content: [], resultType: 'task', taskId: 'k', status: 'working' },
  ],
])('a task handle is no result of a client of another make either, %s (D9)', async (_how, answer) => {
  const taken: unknown[] = [];
  const call = startToolCall(
    { callTool: async () => answer },
    { tool },
    {
      resolveTask: async ({ taskId }) => {
        taken.push(taskId);
        return done;
      },
    },
  );
  expect(await call.done).toEqual({ status: 'complete', result: done });
  expect(taken).toEqual(['k']);
});

test('a result of another make that names a task and has content is a result', async () => {
  const answer = { ...done, task: { taskId: 'k' } };
  const call = startToolCall({ callTool: async () => answer }, { tool });
  expect(await call.done).toMatchObject({ status: 'complete', result: { content: done.content } });
});

test('closing a call that has ended is not reported as a cancel that came too late', async () => {
  const { client, close } = await connect(async () => done);
  const events: ToolCallEvent[] = [];
  const call = startToolCall(client, { tool }, { onEvent: (event) => void events.push(event) });
  await call.done;
  call.close();
  call.close();
  expect(events.filter(({ type }) => type === 'call_ignored')).toEqual([]);
  call.cancel();
  expect(events.filter(({ type }) => type === 'call_ignored')).toEqual([]);
  await close();
});
