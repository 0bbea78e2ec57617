import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTool, type CallToolEvent } from './client.ts';
import type { PartialToolResult } from './lib/types.ts';
import { PARTIAL_RESULT_METHOD } from './lib/vocabulary.ts';
import { createManualScheduler } from './testing/index.ts';
import {
  connect,
  type HttpFixture,
  type Peer,
  serverCommand,
  startHttp,
  texts,
} from './testing/fixture-peers.ts';

// Processes start slowly on a loaded machine; nothing here depends on how long anything takes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/* What happens to a call around its stream: questions, cuts, reconnects, tasks, and its neighbours. */
let modernUrl: string;
let legacyUrl: string;
const servers: HttpFixture[] = [];
beforeAll(async () => {
  servers.push(...(await Promise.all([startHttp('server-v2'), startHttp('server-v1')])));
  [modernUrl, legacyUrl] = servers.map((server) => server.url) as [string, string];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function peerOf(...args: Parameters<typeof connect>): Promise<Peer> {
  const peer = await connect(...args);
  cleanups.push(() => peer.close());
  return peer;
}

async function httpServer(...args: Parameters<typeof startHttp>) {
  const server = await startHttp(...args);
  cleanups.push(() => server.stop());
  return server;
}

describe('a tool that asks for input', () => {
  it('gets a fresh token per attempt on a modern connection, where seq restarts', async () => {
    const { client } = await peerOf('v2 modern', modernUrl);
    const seen: string[] = [];
    const tokens = new Set<unknown>();
    const result = await callTool(
      client,
      { name: 'ask' },
      {
        onpartialresult(chunk) {
          seen.push(`${chunk.seq} ${texts(chunk).join()}`);
          tokens.add(chunk.partialResultToken);
        },
        onattempt: (attempt) => seen.push(`attempt ${attempt}`),
      },
    );
    expect(seen).toEqual(['0 before the question', 'attempt 2', '0 after the answer']);
    expect(tokens.size).toBe(2);
    expect(texts(result)).toEqual(['confirmed: true']);
  });

  it('keeps one token and one count on a legacy connection, where the server runs the rounds', async () => {
    const { client } = await peerOf('v2 legacy', 'server-v2');
    const seen: string[] = [];
    await callTool(
      client,
      { name: 'ask' },
      {
        onpartialresult: (chunk) => seen.push(`${chunk.seq} ${texts(chunk).join()}`),
        onattempt: (attempt) => seen.push(`attempt ${attempt}`),
      },
    );
    expect(seen).toEqual(['0 before the question', '1 after the answer']);
  });
});

describe('the idle limit', () => {
  it.each([
    ['v2 modern', 'over HTTP'],
    ['v2 legacy', 'over stdio'],
  ] as const)('does not run while the user thinks about a question (%s %s)', async (kind, _transport) => {
    const { client } = await peerOf(kind, kind === 'v2 modern' ? modernUrl : 'server-v2');
    const scheduler = createManualScheduler();
    (client as ClientV2).setRequestHandler('elicitation/create', () => {
      scheduler.advance(3_600_000);
      return { action: 'accept', content: { confirm: false } };
    });
    const result = await callTool(
      client,
      { name: 'ask' },
      { scheduler, idleTimeoutMs: 1000, onpartialresult() {} },
    );
    expect(texts(result)).toEqual(['confirmed: false']);
    expect(scheduler.pending).toBe(0);
  });

  it.each([
    ['v2 modern', 'over HTTP'],
    ['v2 legacy', 'over stdio'],
  ] as const)('nor for a call that takes no chunks (%s %s)', async (kind, _transport) => {
    const { client } = await peerOf(kind, kind === 'v2 modern' ? modernUrl : 'server-v2');
    const scheduler = createManualScheduler();
    (client as ClientV2).setRequestHandler('elicitation/create', () => {
      scheduler.advance(3_600_000);
      return { action: 'accept', content: { confirm: true } };
    });
    const result = await callTool(client, { name: 'ask' }, { scheduler, idleTimeoutMs: 1000 });
    expect(texts(result)).toEqual(['confirmed: true']);
    expect(scheduler.pending).toBe(0);
  });

  it('nor for a call that begins while the question of another is open, on one connection', async () => {
    const { client } = await peerOf('v2 legacy', 'server-v2');
    const scheduler = createManualScheduler();
    const options = { scheduler, idleTimeoutMs: 1000, onpartialresult() {} };
    let second: Promise<unknown> | undefined;
    (client as ClientV2).setRequestHandler('elicitation/create', () => {
      second = callTool(client, { name: 'stream' }, options).then(texts);
      scheduler.advance(3_600_000);
      return { action: 'accept', content: { confirm: true } };
    });
    await callTool(client, { name: 'ask' }, options);
    await expect(second).resolves.toEqual(['word0 word1 word2 ']);
    expect(scheduler.pending).toBe(0);
  });
});

describe('a cut', () => {
  it.each(['v2 modern', 'v2 legacy'] as const)('ends an HTTP call at once (%s)', async (kind) => {
    const server = await httpServer('server-v2');
    const { client } = await peerOf(kind, server.url);
    const chunks: PartialToolResult[] = [];
    const call = callTool(
      client,
      { name: 'hang' },
      {
        idleTimeoutMs: Infinity,
        onpartialresult(chunk) {
          chunks.push(chunk);
          server.process.kill('SIGKILL');
        },
      },
    );
    await expect(call).rejects.toMatchObject({ code: 'connection_closed' });
    expect(chunks.flatMap(texts)).toEqual(['before the cut']);
  });

  it.each(['v2 modern', 'v1'] as const)('ends a stdio call when the server dies (%s)', async (kind) => {
    const { client } = await peerOf(kind, 'server-v1');
    const { pid } = client.transport as unknown as { pid: number };
    const call = callTool(
      client,
      { name: 'hang' },
      { idleTimeoutMs: Infinity, onpartialresult: () => process.kill(pid, 'SIGKILL') },
    );
    await expect(call).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('leaves nothing behind that the next connection of the same client trips over', async () => {
    const client = new ClientV2({ name: 'again', version: '1.0.0' });
    cleanups.push(() => client.close());
    for (let round = 0; round < 2; round++) {
      await client.connect(new StdioClientTransport(serverCommand('server-v2', 'stdio')));
      const chunks: PartialToolResult[] = [];
      await callTool(client, { name: 'stream' }, { onpartialresult: (chunk) => chunks.push(chunk) });
      expect(chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2]);
      await client.close();
    }
  });
});

describe('a call that becomes a task', () => {
  it.each(['v1', 'v2 legacy'] as const)(
    'rejects with its handle, after chunks with its id (%s)',
    async (kind) => {
      const { client } = await peerOf(kind, legacyUrl);
      const chunks: PartialToolResult[] = [];
      const call = callTool(
        client,
        { name: 'as_task', task: { ttl: 60_000 } },
        { onpartialresult: (chunk) => chunks.push(chunk) },
      );
      const error = (await call.catch((reason: unknown) => reason)) as {
        code: string;
        task: { taskId: string };
      };
      expect(error).toMatchObject({ name: 'PartialResultsError', code: 'task_handle' });
      expect(typeof error.task.taskId).toBe('string');
      expect(chunks.map((chunk) => chunk.taskId)).toEqual([error.task.taskId]);
    },
  );
});

describe('neighbours on one client', () => {
  it('leaves the handlers and the fallback of the host alone', async () => {
    const { client } = await peerOf('v2 modern', modernUrl);
    const seen: unknown[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      seen.push([method, (params as { partialResultToken: unknown }).partialResultToken]);
    };
    const chunks: PartialToolResult[] = [];
    await callTool(client, { name: 'stream' }, { onpartialresult: (chunk) => chunks.push(chunk) });
    expect(chunks.length).toBe(3);
    expect(seen).toEqual([]);
    // Somebody else's chunks go where they always went.
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { partialResults: {}, elicitation: {} } };
    await client.callTool({
      name: 'stream',
      arguments: {},
      _meta: { ...meta, partialResultToken: 'theirs' },
    });
    expect(seen).toEqual(Array.from({ length: 3 }, () => [PARTIAL_RESULT_METHOD, 'theirs']));
  });

  it('keeps the capabilities of the client itself on a modern connection', async () => {
    const { client } = await peerOf('v2 modern', modernUrl);
    const sent = spyOnSend(client);
    await callTool(client, { name: 'stream' }, { onpartialresult() {} });
    expect(metaOf(sent[0])['io.modelcontextprotocol/clientCapabilities']).toEqual({
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
      partialResults: {},
    });
    expect(metaOf(sent[0])['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28');
  });

  it('sends no more than the one key on a legacy connection', async () => {
    for (const kind of ['v2 legacy', 'v1'] as const) {
      const { client } = await peerOf(kind, modernUrl);
      const sent = spyOnSend(client);
      await callTool(client, { name: 'stream' }, { onpartialresult() {} });
      const { partialResultToken, ...rest } = metaOf(sent[0]);
      expect(partialResultToken).toMatch(/^prt-[0-9a-f]{32}$/);
      expect(rest).toEqual({ 'io.modelcontextprotocol/clientCapabilities': { partialResults: {} } });
    }
  });

  it('survives somebody wrapping the transport between two calls', async () => {
    const { client } = await peerOf('v2 modern', modernUrl);
    const events: CallToolEvent[] = [];
    for (let round = 0; round < 3; round++) {
      const chunks: PartialToolResult[] = [];
      await callTool(
        client,
        { name: 'stream' },
        { onpartialresult: (chunk) => chunks.push(chunk), onEvent: (event) => events.push(event) },
      );
      expect(chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2]);
      spyOnSend(client);
      const transport = client.transport as unknown as { onmessage: (...args: unknown[]) => void };
      const inner = transport.onmessage;
      transport.onmessage = (...args) => inner.apply(transport, args);
    }
    expect(events).toEqual([]);
  });

  it('does not opt in a call that nobody listens to, or one over a client that is not connected', async () => {
    const { client } = await peerOf('v1', legacyUrl);
    const sent = spyOnSend(client);
    await callTool(client, { name: 'stream' });
    expect(sent[0]).toMatchObject({ params: { name: 'stream' } });
    expect((sent[0] as { params: object }).params).not.toHaveProperty('_meta');
    await callTool(client, { name: 'stream' }, { onprogress() {} });
    expect(Object.keys(metaOf(sent[1]))).toEqual(['progressToken']);

    const events: CallToolEvent[] = [];
    const idle = new ClientV1({ name: 'idle', version: '1.0.0' });
    const call = callTool(
      idle,
      { name: 'x' },
      { onpartialresult() {}, onEvent: (event) => events.push(event) },
    );
    await expect(call).rejects.toThrow('Not connected');
    expect(events).toEqual([{ type: 'not_opted_in' }]);
  });

  it('does not send a call whose signal has fired', async () => {
    const { client } = await peerOf('v1', legacyUrl);
    const sent = spyOnSend(client);
    const call = callTool(client, { name: 'stream' }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(sent).toEqual([]);
  });

  it('refuses time limits that are none', async () => {
    const { client } = await peerOf('v1', legacyUrl);
    for (const limit of [0, -1, Number.NaN, '5' as unknown as number]) {
      await expect(callTool(client, { name: 'stream' }, { timeoutMs: limit })).rejects.toMatchObject({
        code: 'invalid_option',
      });
      await expect(callTool(client, { name: 'stream' }, { idleTimeoutMs: limit })).rejects.toMatchObject({
        code: 'invalid_option',
      });
    }
  });
});

it('rejects with the error of the transport when the server cannot be reached', async () => {
  const server = await httpServer('server-v2');
  const client = new ClientV2({ name: 'late', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  cleanups.push(() => client.close());
  await server.stop();
  const error = await callTool(client, { name: 'stream' }, { onpartialresult() {} }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).name).not.toBe('PartialResultsError');
});

/** Requests as they leave, after every tap below. */
function spyOnSend(client: Peer['client']): unknown[] {
  const sent: unknown[] = [];
  const transport = client.transport as unknown as {
    send: (message: unknown, ...rest: unknown[]) => Promise<void>;
  };
  const inner = transport.send;
  transport.send = function (message, ...rest) {
    sent.push(message);
    return inner.call(this, message, ...rest);
  };
  return sent;
}

function metaOf(message: unknown): Record<string, unknown> {
  return (message as { params: { _meta: Record<string, unknown> } }).params._meta;
}
