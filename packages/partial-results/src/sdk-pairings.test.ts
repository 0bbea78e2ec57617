import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  callTool,
  type CallToolEvent,
  type CallToolOptions,
  getClaimCounters,
  hasStreamingHint,
  listToolsWithHints,
} from './client.ts';
import {
  CLIENT_CAPABILITIES_KEY,
  PARTIAL_RESULT_METHOD,
  PARTIAL_RESULT_TOKEN_KEY,
} from './lib/vocabulary.ts';
import type { PartialToolResult } from './lib/types.ts';
import { createManualScheduler } from './testing/index.ts';
import {
  type ClientKind,
  connect,
  type HttpFixture,
  type Peer,
  type ServerKind,
  startHttp,
  texts,
} from './testing/fixture-peers.ts';

// Processes start slowly on a loaded machine; nothing here depends on how long anything takes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/*
 * Every pairing of SDK generation, protocol era and transport, each with real processes. One file,
 * however long: each pairing starts its processes once for all of these.
 */
interface Pairing {
  server: ServerKind;
  transport: 'stdio' | 'http';
  client: ClientKind;
}

const pairings: Pairing[] = [];
for (const server of ['server-v2', 'server-v1'] as const) {
  for (const transport of ['stdio', 'http'] as const) {
    for (const client of ['v2 modern', 'v2 legacy', 'v1'] as const)
      pairings.push({ server, transport, client });
  }
}

const http = new Map<ServerKind, HttpFixture>();

beforeAll(async () => {
  const servers: ServerKind[] = ['server-v2', 'server-v1'];
  const started = await Promise.all(servers.map((server) => startHttp(server)));
  servers.forEach((server, i) => http.set(server, started[i]!));
});
afterAll(async () => {
  await Promise.all([...http.values()].map((server) => server.stop()));
});

describe.each(pairings)('$server over $transport, $client client', ({ server, transport, client: kind }) => {
  let peer: Peer;
  let names = 0;
  const gate = (): string => `${server}:${transport}:${kind}:${names++}`;

  beforeAll(async () => {
    peer = await connect(kind, transport === 'http' ? http.get(server)!.url : server);
  });
  afterAll(() => peer.close());

  /** Calls with chunks and keeps them. */
  async function stream(name: string, args: Record<string, unknown> = {}, options: CallToolOptions = {}) {
    const chunks: PartialToolResult[] = [];
    const events: CallToolEvent[] = [];
    const result = await callTool(
      peer.client,
      { name, arguments: args },
      { onpartialresult: (chunk) => chunks.push(chunk), onEvent: (event) => events.push(event), ...options },
    );
    return { result, chunks, events };
  }

  async function plain(name: string, args: Record<string, unknown> = {}) {
    return peer.client.callTool({ name, arguments: args });
  }

  const partialsIn = (inbox: Peer['inbox']) =>
    inbox.filter((message) => message['method'] === PARTIAL_RESULT_METHOD);

  it('delivers chunks numbered from 0, before the result', async () => {
    const { result, chunks, events } = await stream('stream', { count: 4 });
    expect(chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2, 3]);
    expect(chunks.flatMap(texts)).toEqual(['word0 ', 'word1 ', 'word2 ', 'word3 ']);
    expect(chunks.map((chunk) => chunk.final)).toEqual([undefined, undefined, undefined, true]);
    expect(texts(result)).toEqual(['word0 word1 word2 word3 ']);
    expect(events).toEqual([]);
  });

  it('delivers the first chunks while the tool still works', async () => {
    const name = gate();
    const order: string[] = [];
    const opening: Array<Promise<unknown>> = [];
    const { result } = await stream(
      'stream',
      { count: 3, gate: name },
      {
        onpartialresult(chunk) {
          order.push(`chunk ${chunk.seq}`);
          // The tool waits for this very call: the chunk can only have come in mid-call.
          if (chunk.seq === 1)
            opening.push(plain('open_gate', { gate: name }).then(() => order.push('gate opened')));
        },
      },
    );
    order.push('result');
    await Promise.all(opening);
    expect(order.indexOf('chunk 1')).toBeLessThan(order.indexOf('gate opened'));
    expect(order.indexOf('chunk 2')).toBeLessThan(order.indexOf('result'));
    expect(texts(result)).toEqual(['word0 word1 word2 ']);
  });

  it('lets chunks out of a tool that never leaves the CPU', async () => {
    const name = gate();
    let opening: Promise<unknown> | undefined;
    const { result, chunks } = await stream(
      'crunch',
      { gate: name },
      {
        onpartialresult: (chunk) =>
          void (opening ??= chunk.seq >= 0 ? plain('open_gate', { gate: name }) : undefined),
      },
    );
    await opening;
    expect(JSON.parse(texts(result)[0]!)).toEqual({ wasOpen: false, opened: true });
    expect(chunks).toEqual([]); // the override above took them
  });

  it('sends nothing to a stock call, and the same result', async () => {
    const before = partialsIn(peer.inbox).length;
    const stock = await plain('stream', { count: 4 });
    expect(partialsIn(peer.inbox).length).toBe(before);
    const { result } = await stream('stream', { count: 4 });
    expect(result.content).toEqual(stock.content);
  });

  it('sends nothing on the capability alone or on the token alone', async () => {
    const before = partialsIn(peer.inbox).length;
    const own = kind === 'v2 modern' && server === 'server-v2' ? { elicitation: {} } : {};
    const capabilities = { [CLIENT_CAPABILITIES_KEY]: { ...own, partialResults: {} } };
    await peer.client.callTool({ name: 'stream', arguments: {}, _meta: capabilities });
    await peer.client.callTool({
      name: 'stream',
      arguments: {},
      _meta: { [PARTIAL_RESULT_TOKEN_KEY]: 'alone' },
    });
    expect(partialsIn(peer.inbox).length).toBe(before);
  });

  it.each(['a string', '', 0, 42, -7])('echoes the token %j as sent', async (token) => {
    const own = kind === 'v2 modern' && server === 'server-v2' ? { elicitation: {} } : {};
    const before = peer.inbox.length;
    await peer.client.callTool({
      name: 'stream',
      arguments: { count: 2 },
      _meta: {
        [CLIENT_CAPABILITIES_KEY]: { ...own, partialResults: {} },
        [PARTIAL_RESULT_TOKEN_KEY]: token,
      },
    });
    const params = partialsIn(peer.inbox.slice(before)).map(
      (message) => message['params'] as PartialToolResult,
    );
    expect(params.map(({ partialResultToken, seq }) => [partialResultToken, seq])).toEqual([
      [token, 0],
      [token, 1],
    ]);
  });

  it('keeps concurrent calls apart, each with its own numbers and token', async () => {
    const [a, b, c] = await Promise.all([
      stream('stream', { count: 5 }),
      stream('stream', { count: 3 }),
      stream('fail_with_result', { count: 2 }),
    ]);
    expect(a.chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2, 3, 4]);
    expect(b.chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2]);
    expect(c.chunks.map((chunk) => chunk.seq)).toEqual([0, 1]);
    const tokens = [a, b, c].map(({ chunks }) => new Set(chunks.map((chunk) => chunk.partialResultToken)));
    expect(tokens.map((set) => set.size)).toEqual([1, 1, 1]);
    expect(new Set(tokens.flatMap((set) => [...set])).size).toBe(3);
  });

  it('delivers the chunks of a call that fails, then its error', async () => {
    const soft = await stream('fail_with_result');
    expect(soft.chunks.length).toBe(2);
    expect(soft.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'quota exceeded' }] });
    const hard = await stream('fail_with_throw');
    expect(hard.chunks.length).toBe(2);
    expect(hard.result).toMatchObject({ isError: true });
    expect(texts(hard.result)[0]).toContain('disk on fire');
  });

  it('flushes what was not awaited before the result', async () => {
    const { result, chunks, events } = await stream('burst', { count: 100 });
    expect(chunks.map((chunk) => chunk.seq)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(chunks.flatMap(texts).join('')).toBe(Array.from({ length: 100 }, (_, i) => `${i};`).join(''));
    expect(texts(result)).toEqual(['burst over']);
    expect(events).toEqual([]);
  });

  it('joins at the source what waits, where the tool says how', async () => {
    const { result, chunks } = await stream('burst_merging', { count: 500 });
    expect(chunks.flatMap(texts).join('')).toBe(Array.from({ length: 500 }, (_, i) => `${i};`).join(''));
    expect(chunks.map((chunk) => chunk.seq)).toEqual(chunks.map((_chunk, i) => i));
    expect(chunks.length).toBeLessThan(50);
    expect(texts(result)).toEqual(['burst over']);
  });

  it('leaves a visible hole for what the queue could not hold', async () => {
    const { result, chunks } = await stream('overflow', { count: 1000 });
    const seqs = chunks.map((chunk) => chunk.seq);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(chunks.length).toBeLessThan(1000);
    expect(texts(chunks.at(-1)!)).toEqual(['single']);
    expect(seqs.at(-1)).toBe(1019);
    expect(texts(result)).toEqual(['overflow over']);
  });

  it('calls tools without input', async () => {
    const { result, chunks } = await stream('no_input');
    expect(chunks.flatMap(texts)).toEqual(['number']);
    expect(texts(result)).toEqual(['no input']);
  });

  it('passes progress on beside chunks, each to its own callback', async () => {
    const seen: string[] = [];
    await stream(
      'progress',
      { count: 3 },
      {
        onpartialresult: (chunk) => seen.push(`chunk ${chunk.seq}`),
        onprogress: ({ progress, total }) => seen.push(`progress ${progress}/${total}`),
      },
    );
    expect(seen.filter((line) => line.startsWith('chunk'))).toEqual(['chunk 0', 'chunk 1', 'chunk 2']);
    expect(seen.filter((line) => line.startsWith('progress'))).toEqual([
      'progress 1/3',
      'progress 2/3',
      'progress 3/3',
    ]);
  });

  it('survives hostile messages, counts each kind and delivers the rest', async () => {
    const before = { ...getClaimCounters(peer.client)! };
    const { result, chunks, events } = await stream('hostile');
    expect(chunks.flatMap(texts)).toEqual(['good 0', 'good 1']);
    expect(texts(result)).toEqual(['survived']);
    const after = getClaimCounters(peer.client)!;
    expect(after.delivered - before.delivered).toBe(2);
    expect(after.unknownToken - before.unknownToken).toBe(2);
    expect(after.invalid - before.invalid).toBe(9);
    expect(events.filter((event) => event.type === 'invalid').length).toBe(9);
    expect(events.filter((event) => event.type === 'unknown_token').length).toBe(2);
  });

  it('goes on when a callback throws or rejects', async () => {
    let calls = 0;
    const { result, events } = await stream(
      'stream',
      { count: 3 },
      {
        onpartialresult() {
          calls++;
          if (calls === 1) throw new Error('sync');
          return (calls === 2 ? Promise.reject(new Error('async')) : undefined) as undefined;
        },
      },
    );
    expect(calls).toBe(3);
    expect(texts(result)).toEqual(['word0 word1 word2 ']);
    expect(events.map((event) => event.type)).toEqual(['callback_error', 'callback_error']);
  });

  it('cancels: the caller gets a typed error, the server stops and reads no reason of ours', async () => {
    const name = gate();
    const controller = new AbortController();
    const chunks: PartialToolResult[] = [];
    const call = callTool(
      peer.client,
      { name: 'wait_for_abort', arguments: { gate: name } },
      {
        signal: controller.signal,
        onpartialresult(chunk) {
          chunks.push(chunk);
          controller.abort(new Error('internal: user 4711 closed panel'));
        },
      },
    );
    await expect(call).rejects.toMatchObject({ name: 'PartialResultsError', code: 'aborted' });
    // A stateless legacy endpoint has no way to learn of it: each request meets a new server.
    if (kind !== 'v2 modern' && transport === 'http' && server === 'server-v2') return;
    await plain('wait_for_gate', { gate: `${name}:aborted` });
    const log = JSON.parse(texts(await plain('events'))[0]!) as string[];
    const line = log.find((entry) => entry.startsWith(`aborted:${name}:`));
    expect(line).toBeDefined();
    expect(line).not.toContain('4711');
    expect(chunks.flatMap(texts)).toEqual(['waiting']);
  });

  it('ignores what comes after the result, and says so', async () => {
    const name = gate();
    const before = { ...getClaimCounters(peer.client) };
    const { result, chunks, events } = await stream('late', { gate: name });
    expect(texts(result)).toEqual(['done']);
    await plain('open_gate', { gate: name });
    await plain('wait_for_gate', { gate: `${name}:emitted` });
    expect(chunks.flatMap(texts)).toEqual(['in time']);
    // Over stdio the frame arrives; over HTTP the stream it would ride on is closed.
    const late = getClaimCounters(peer.client)!.retiredToken - (before.retiredToken ?? 0);
    expect(late).toBe(transport === 'stdio' ? 1 : 0);
    expect(events).toEqual(transport === 'stdio' ? [{ type: 'retired_token', seq: 1 }] : []);
  });

  it('counts chunks and progress as life, and gives up a silent call', async () => {
    const scheduler = createManualScheduler();
    const limits = { scheduler, idleTimeoutMs: 1000, timeoutMs: 10_000 };
    const { result } = await stream(
      'progress',
      { count: 3 },
      { ...limits, onpartialresult: () => scheduler.advance(700), onprogress: () => scheduler.advance(700) },
    );
    expect(texts(result)).toEqual(['done']);
    expect(scheduler.now()).toBe(4200);
    const silent = stream(
      'hang',
      {},
      { ...limits, onpartialresult: () => setImmediate(() => scheduler.advance(1000)) },
    );
    await expect(silent).rejects.toMatchObject({ code: 'idle_timeout' });
    const slow = stream(
      'stream',
      { count: 50 },
      { ...limits, onpartialresult: () => scheduler.advance(900) },
    );
    await expect(slow).rejects.toMatchObject({ code: 'timeout' });
    expect(scheduler.pending).toBe(0);
  });

  it('lists tools with the hint the SDK strips', async () => {
    const tools = await listToolsWithHints(peer.client);
    expect(tools.filter(hasStreamingHint).map((tool) => tool.name)).toEqual(['stream']);
    expect(tools.find((tool) => tool.name === 'stream')!.annotations).toEqual({
      readOnlyHint: true,
      streamingHint: true,
    });
    const stock = await peer.client.listTools();
    expect(stock.tools.filter(hasStreamingHint)).toEqual([]);
    expect(tools.map((tool) => tool.name)).toEqual(stock.tools.map((tool) => tool.name));
  });

  it('ends as a stock call does when the server refuses', async () => {
    const outcome = async (call: Promise<unknown>) =>
      call.then(
        (result) => ({ result }),
        (error: Error & { code?: unknown }) => ({
          name: error.name,
          code: error.code,
          message: error.message,
        }),
      );
    const stock = await outcome(plain('no_such_tool'));
    expect(await outcome(callTool(peer.client, { name: 'no_such_tool' }, { onpartialresult() {} }))).toEqual(
      stock,
    );
    expect(JSON.stringify(stock)).toContain('no_such_tool');
  });
});
