/* From server to view where the same chunks come twice, out of order, or the call is made again. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MERGE_META_KEY, PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { withPartialResults, type EmitsPartials } from '@mcp-apps-bridge/partial-results/server';
import { connect, startHttp } from '@mcp-apps-bridge/partial-results/testing/peers';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  StreamableHTTPServerTransport,
  type EventStore,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startToolCall } from './lib/stream/start-tool-call.ts';
import { linkRuntime } from './testing/linked-runtime.ts';

vi.setConfig({ testTimeout: 120_000 });
const until = <T>(read: () => T) => vi.waitUntil(read, { timeout: 100_000, interval: 5 });

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const words = ['zero ', 'one ', 'two ', 'three ', 'four ', 'five '];
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const tool = { name: 'write', _meta: { [MERGE_META_KEY]: { content: 'append' } } };

/** A 2025-11-25 server with sessions and an event store, whose tool ends when the test lets it. */
async function startSessions(eventStore: EventStore, emit: 'in turn' | 'all at once') {
  let finish = (): void => undefined;
  const mayFinish = new Promise<void>((resolve) => (finish = resolve));
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (req, res) => {
    let transport = sessions.get(String(req.headers['mcp-session-id']));
    if (!transport) {
      const server = new McpServer({ name: 'sessions', version: '1.0.0' });
      server.registerTool(
        'write',
        { inputSchema: { x: z.string().optional() } },
        withPartialResults(async (_args, extra: Extra & EmitsPartials) => {
          const { partialResultToken } = extra._meta ?? {};
          for (const [seq, word] of words.entries()) {
            if (emit === 'in turn') await extra.emitPartial(text(word));
            // What a server without our emitter does that does not wait for the store.
            else
              void extra.sendNotification({
                method: PARTIAL_RESULT_METHOD,
                params: { partialResultToken, seq, ...text(word) },
              } as never);
          }
          await mayFinish;
          return text('the whole text');
        }),
      );
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore,
        onsessioninitialized: (id) => void sessions.set(id, created),
      });
      await server.connect(created as never);
      transport = created;
    }
    await transport.handleRequest(req, res);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`), finish };
}

async function clientOf(kind: 'v1' | 'v2', url: URL) {
  if (kind === 'v1') {
    const client = new ClientV1({ name: 'host', version: '1.0.0' });
    const transport = new HttpV1(url);
    await client.connect(transport as never);
    cleanups.push(() => client.close());
    return { client, transport };
  }
  const client = new ClientV2({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  const transport = new HttpV2(url);
  await client.connect(transport);
  cleanups.push(() => client.close());
  return { client, transport };
}

function follow(client: ClientV1 | ClientV2, options: Parameters<typeof startToolCall>[2] = {}) {
  const call = startToolCall(client, { tool }, { idleTimeoutMs: Infinity, ...options });
  const view = linkRuntime(call);
  view.feed.open({ acks: true });
  cleanups.push(() => (view.feed.close(), view.runtime.close(), call.close()));
  return { call, ...view, shown: () => view.runtime.snapshot() };
}

test.each(['v1', 'v2'] as const)(
  'case 12: events replayed from a stale token are duplicates, and the end is the same (%s client)',
  async (kind) => {
    const { url, finish } = await startSessions(new InMemoryEventStore(), 'in turn');
    const { client, transport } = await clientOf(kind, url);
    const tokens: string[] = [];
    const { call, shown } = follow(client, {
      requestOptions: { onresumptiontoken: (token: string) => tokens.push(token) },
    });
    await until(() => shown().state.text === words.join(''));
    expect(call.counters).toMatchObject({ received: 6, duplicates: 0 });

    // What a client does that lost its cursor: it resumes behind the first event.
    await transport.resumeStream(tokens[0]!);
    await until(() => call.counters.duplicates >= 5);
    expect(shown()).toMatchObject({ status: 'streaming', state: { text: words.join('') } });
    expect(call.counters).toMatchObject({ delivered: 6, restarted: 0, late: 0, gaps: 0 });

    finish();
    await call.done;
    await until(() => shown().status === 'complete');
    expect(shown().state.text).toBe('the whole text');
  },
);

/** Takes longer over earlier events than over later ones, as a store behind a network may. */
function createSlowStore(): EventStore {
  const inner = new InMemoryEventStore();
  let partials = 0;
  return {
    async storeEvent(streamId, message) {
      if ((message as { method?: string }).method?.endsWith('partial_result')) {
        const wait = Math.max(0, 6 - partials++) * 40;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
      return inner.storeEvent(streamId, message);
    },
    replayEventsAfter: (...args) => inner.replayEventsAfter(...args),
  };
}

test.each(['v1', 'v2'] as const)(
  'case 1: an event store that is slow over the first events disorders them, and nothing else (%s client)',
  async (kind) => {
    const { url, finish } = await startSessions(createSlowStore(), 'all at once');
    const { client } = await clientOf(kind, url);
    const seen: number[] = [];
    const { transport } = client;
    const { call, shown } = follow(client);
    const inner = transport!.onmessage as (...args: unknown[]) => void;
    transport!.onmessage = (...args: unknown[]) => {
      const { method, params } = args[0] as { method?: string; params?: { seq: number } };
      if (method?.endsWith('partial_result')) seen.push(params!.seq);
      inner.apply(transport, args);
    };
    await until(() => shown().state.text === words.join(''));
    expect(call.counters).toMatchObject({ received: 6, delivered: 6, duplicates: 0, late: 0, gaps: 0 });
    expect(seen).not.toEqual([...seen].sort((a, b) => a - b));
    finish();
    await until(() => shown().status === 'complete');
    expect(shown().state.text).toBe('the whole text');
  },
);

test('a call that is made again after a question shows nothing of its first attempt', async () => {
  const server = await startHttp('server-v2');
  cleanups.push(server.stop);
  const { client, close } = await connect('v2 modern', server.url);
  cleanups.push(close);
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) =>
    (client as ClientV2).setRequestHandler('elicitation/create', async () => {
      resolve();
      await new Promise<void>((release) => (answer = release));
      return { action: 'accept', content: { confirm: true } };
    }),
  );
  const call = startToolCall(client, { tool: { ...tool, name: 'ask' } }, {});
  const { feed, runtime } = linkRuntime(call);
  feed.open({ acks: true });
  cleanups.push(() => (feed.close(), runtime.close(), call.close()));
  const texts: string[] = [];
  runtime.subscribe(({ state }) => texts.push(state.text));
  await asked;
  await until(() => runtime.snapshot().state.text === 'before the question');
  answer();
  await call.done;
  await until(() => runtime.snapshot().status === 'complete');
  expect(runtime.snapshot().state.text).toBe('confirmed: true');
  // Each state that was shown holds one attempt, never both.
  expect(texts.filter((shown) => shown.includes('before') && shown.includes('after'))).toEqual([]);
  // Said to the view as a new epoch, not left to the result.
  expect(feed.counters.epoch).toBe(1);
});
