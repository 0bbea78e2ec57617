/* Every way a call can end, over real servers of both generations (docs/ends.md). */
import { MERGE_META_KEY } from '@mcp-apps-bridge/partial-results';
import { callTool } from '@mcp-apps-bridge/partial-results/client';
import {
  connect,
  startHttp,
  texts,
  type ClientKind,
  type HttpFixture,
  type Peer,
  type ServerKind,
} from '@mcp-apps-bridge/partial-results/testing/peers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startToolCall, type ToolCallOptions } from './lib/stream/start-tool-call.ts';
import { createTestClock, linkRuntime } from './testing/linked-runtime.ts';
import { startTcpProxy } from './testing/tcp-proxy.ts';

// Processes start slowly on a loaded machine; nothing here depends on how long anything takes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const until = <T>(read: () => T) => vi.waitUntil(read, { timeout: 100_000, interval: 5 });

const http = new Map<ServerKind, HttpFixture>();
beforeAll(async () => {
  for (const kind of ['server-v2', 'server-v1'] as const) http.set(kind, await startHttp(kind));
});
afterAll(async () => {
  for (const server of http.values()) await server.stop();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const transports: [name: string, client: ClientKind, server: ServerKind, over: 'http' | 'stdio'][] = [
  ['v2 over HTTP', 'v2 modern', 'server-v2', 'http'],
  ['v2 over stdio', 'v2 modern', 'server-v2', 'stdio'],
  ['v1 over HTTP', 'v1', 'server-v1', 'http'],
];
let gates = 0;
const HOUR = 3_600_000;

/** A call and a view of it. */
function follow({ client }: Peer, tool: string, args: object = {}, options: ToolCallOptions = {}) {
  const scheduler = createTestClock();
  const definition = { name: tool, _meta: { [MERGE_META_KEY]: { content: 'append' } } };
  const call = startToolCall(
    client,
    { tool: definition, arguments: { ...args } },
    { idleTimeoutMs: Infinity, scheduler, ...options },
  );
  const view = linkRuntime(call, scheduler);
  view.feed.open({ acks: true });
  cleanups.push(() => (view.feed.close(), view.runtime.close(), call.close()));
  return {
    call,
    ...view,
    /** An hour passes. */
    skipHour: () => scheduler.skip(HOUR),
    text: () => view.runtime.snapshot().state.text,
    /** The state of both sides once the view has ended, and that nothing waits on any clock any more. */
    async ended() {
      await call.done;
      await until(() => !['waiting', 'streaming'].includes(view.runtime.snapshot().status));
      await until(() => scheduler.pending === 0);
      const { status, state, error, incomplete } = view.runtime.snapshot();
      expect(view.feed.counters).toMatchObject({ queued: 0, inFlight: expect.any(Number) });
      return { host: call.status, view: status, text: state.text, error: error?.text, incomplete };
    },
  };
}

/** What the server has noted of a call, read once it has noted it. */
async function abortOf({ client }: Peer, gate: string): Promise<string | undefined> {
  await callTool(client, { name: 'wait_for_gate', arguments: { gate: `${gate}:aborted` } });
  const noted = JSON.parse(texts(await callTool(client, { name: 'events' }))[0]!) as string[];
  return noted.find((event) => event.startsWith(`aborted:${gate}:`));
}

const LOST = 'The connection to the server was lost before the result arrived.';

describe.each(transports)('%s', (_name, kind, server, over) => {
  async function peerOf(url?: string): Promise<Peer> {
    const peer = await connect(kind, url ?? (over === 'http' ? http.get(server)!.url : server));
    cleanups.push(() => peer.close());
    return peer;
  }

  test('success: what streamed, then the result', async () => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, methods, text } = follow(peer, 'stream', { count: 3, gate });
    await until(() => text() === 'word0 word1 ');
    expect(call.status).toBe('streaming');
    await callTool(peer.client, { name: 'open_gate', arguments: { gate } });
    expect(await ended()).toEqual({
      host: 'complete',
      view: 'complete',
      text: 'word0 word1 word2 ',
      error: undefined,
      incomplete: false,
    });
    expect([methods[0], methods.at(-1)]).toEqual(['tool-input', 'tool-result']);
  });

  test('case 82: an error result: its text, and what streamed, marked incomplete', async () => {
    const { ended, methods } = follow(await peerOf(), 'fail_with_result');
    expect(await ended()).toEqual({
      host: 'failed',
      view: 'failed',
      text: 'word0 word1 ',
      error: 'quota exceeded',
      incomplete: true,
    });
    expect(methods.at(-1)).toBe('tool-result');
  });

  test('a JSON-RPC error: the message of the server, and what streamed', async () => {
    const { call, ended, methods } = follow(await peerOf(), 'fail_with_rpc_error');
    const { error, ...state } = await ended();
    expect(state).toEqual({ host: 'failed', view: 'failed', text: 'word0 word1 ', incomplete: true });
    expect(call.end).toMatchObject({ error: { message: error } });
    expect(error).toMatch(/no such account|URL elicitation/);
    expect(methods.at(-1)).toBe('tool-result');
  });

  test('case 84: a cancel by the user reaches the server, and the view hears of nothing later', async () => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, methods, messages, text } = follow(peer, 'wait_for_abort', { gate });
    await until(() => text() === 'waiting');
    call.cancel('UserClickedStopButton');
    expect(await ended()).toMatchObject({
      host: 'cancelled',
      view: 'cancelled',
      text: 'waiting',
      incomplete: true,
    });
    const noted = await abortOf(peer, gate);
    expect(noted).toBeDefined();
    expect(noted).not.toContain('UserClickedStopButton');
    expect(methods.filter((method) => method !== 'tool-output-partial')).toEqual([
      'tool-input',
      'tool-cancelled',
    ]);
    expect(messages.at(-1)).toEqual({ reason: 'The tool call was cancelled.' });
  });

  test('case 85: the server dies: what streamed, marked incomplete', async () => {
    const own = over === 'http' ? await startHttp(server) : undefined;
    if (own) cleanups.push(() => own.stop());
    const peer = await peerOf(own?.url);
    const { call, ended, text, skipHour } = follow(peer, 'hang', {}, { idleTimeoutMs: HOUR });
    await until(() => text() === 'before the cut');
    process.kill(own?.process.pid ?? (peer.client.transport as unknown as { pid: number }).pid, 'SIGKILL');
    // A v1 client is not told that its stream broke: only the idle limit ends such a call.
    if (kind === 'v1') skipHour();
    expect(await ended()).toEqual({
      host: 'interrupted',
      view: 'failed',
      text: 'before the cut',
      error: LOST,
      incomplete: true,
    });
    expect(call.end).toMatchObject({ error: { code: kind === 'v1' ? 'idle_timeout' : 'connection_closed' } });
  });

  test.runIf(over === 'http')(
    'case 85: the TCP connection is cut: as a dead server, and the work ends',
    async () => {
      const gate = `gate-${++gates}`;
      const proxy = await startTcpProxy(http.get(server)!.url);
      cleanups.push(proxy.close);
      const peer = await peerOf(proxy.url);
      const { ended, text, skipHour } = follow(peer, 'wait_for_abort', { gate }, { idleTimeoutMs: HOUR });
      await until(() => text() === 'waiting');
      proxy.cut();
      // The client finds its idle connections broken one by one; a cancel must not be what finds the last.
      const alive = (): Promise<boolean> =>
        peer.client.ping().then(
          () => true,
          () => false,
        );
      if (kind === 'v1') {
        await until(alive);
        skipHour();
      }
      expect(await ended()).toMatchObject({
        host: 'interrupted',
        view: 'failed',
        text: 'waiting',
        error: LOST,
      });
      // 2026-07-28: the closed stream is the cancel. 2025-11-25: the cancel that the idle limit sends.
      expect(await abortOf(await peerOf(), gate)).toBeDefined();
    },
  );

  test.each<[string, ToolCallOptions, string]>([
    ['the idle limit', { idleTimeoutMs: HOUR }, 'idle_timeout'],
    ['the limit of the whole call', { timeoutMs: HOUR }, 'timeout'],
  ])('%s passes: the server is told to stop', async (_limit, limits, code) => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, text, skipHour } = follow(peer, 'wait_for_abort', { gate }, limits);
    await until(() => text() === 'waiting');
    skipHour();
    expect(await ended()).toMatchObject({
      host: 'interrupted',
      view: 'failed',
      error: LOST,
      incomplete: true,
    });
    expect(call.end).toMatchObject({ error: { code } });
    expect(await abortOf(peer, gate)).toBeDefined();
  });

  test('S8: `final: true` without a response ends nothing; the idle limit does', async () => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, messages, runtime, skipHour } = follow(
      peer,
      'final_without_response',
      { gate },
      { idleTimeoutMs: HOUR },
    );
    await until(() => messages.some(({ final }) => final === true));
    await until(() => runtime.snapshot().state.text === 'all there is');
    expect([call.status, runtime.snapshot().status]).toEqual(['streaming', 'streaming']);
    skipHour();
    expect(await ended()).toMatchObject({
      host: 'interrupted',
      view: 'failed',
      text: 'all there is',
      incomplete: true,
    });
    expect(await abortOf(peer, gate)).toBeDefined();
  });

  test('case 55: a lost view gets nothing; the call goes on and the view that comes back gets it all', async () => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, feed, messages, text } = follow(peer, 'stream', { count: 3, gate });
    await until(() => text() === 'word0 word1 ');
    feed.lost();
    const before = messages.length;
    await callTool(peer.client, { name: 'open_gate', arguments: { gate } });
    await call.done;
    expect(call.status).toBe('complete');
    expect(messages).toHaveLength(before);
    feed.open({ acks: true });
    expect(await ended()).toMatchObject({ host: 'complete', view: 'complete', text: 'word0 word1 word2 ' });
  });

  test('case 57: consent denied: the view sees nothing of the call but that it was cancelled', async () => {
    const gate = `gate-${++gates}`;
    const peer = await peerOf();
    const { call, ended, methods } = follow(peer, 'wait_for_abort', { gate }, { hold: true });
    await until(() => call.counters.delivered === 1);
    call.cancel('denied');
    expect(await ended()).toMatchObject({ host: 'cancelled', view: 'cancelled', text: '' });
    expect(methods).toEqual(['tool-cancelled']);
    expect(await abortOf(peer, gate)).toBeDefined();
  });
});
