import { attachToApp, callToolStreaming, textConsumer } from '@mcp-apps-bridge/app-runtime';
import {
  CLIENT_CAPABILITIES_KEY,
  MERGE_META_KEY,
  PARTIAL_RESULT_TOKEN_KEY,
  TOOL_OUTPUT_PARTIAL_METHOD,
} from '@mcp-apps-bridge/partial-results';
import { withPartialResults, type EmitsPartials } from '@mcp-apps-bridge/partial-results/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { App as AppV1 } from 'ext-apps-v1';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { linkView, type LinkedView } from '../../testing/linked-view.ts';

type Context = ServerContext & EmitsPartials;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const text = (value: string) => ({ type: 'text' as const, text: value });
const words = ['one ', 'two ', 'three '];

/** A real server whose tools wait for the test where it has to look in between. */
async function createServer() {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  const metas: Record<string, unknown>[] = [];
  const aborted: string[] = [];
  const gates = new Map<string, () => void>();
  const gate = (name: string) => new Promise<void>((resolve) => gates.set(name, resolve));
  const inputSchema = z.object({ name: z.string().optional() });
  const tool = (
    name: string,
    run: (context: Context, gateName: string) => Promise<object>,
    meta: object = {},
  ) =>
    server.registerTool(
      name,
      { inputSchema, _meta: { [MERGE_META_KEY]: { content: 'append' }, ...meta } },
      withPartialResults((async (args: { name?: string }, context: Context) => {
        metas.push({ ...context.mcpReq._meta });
        return run(context, args.name ?? name);
      }) as never) as never,
    );

  tool('write', async ({ emitPartial }, name) => {
    for (const word of words) await emitPartial({ content: [text(`${name}:${word}`)] });
    await gate(name);
    return { content: [text(`${name} done`)] };
  });
  tool('for-model', async () => ({ content: [] }), { ui: { visibility: ['model'] } });
  tool('hang', async ({ emitPartial, mcpReq }, name) => {
    await emitPartial({ content: [text('before')] });
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()));
    aborted.push(name);
    return { content: [] };
  });
  tool('progress', async ({ emitPartial, mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (let progress = 1; progress <= 3; progress++) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      } as never);
      await emitPartial({ content: [text(`${progress}`)] });
    }
    return { content: [text('end')] };
  });
  tool('quota', async ({ emitPartial }) => {
    for (const word of words) void emitPartial({ content: [text(word)] });
    return { content: [text('quota exceeded')], isError: true };
  });
  const hostile = [text('kept'), { type: 'resource_link', uri: 'javascript:alert(1)', name: 'x' }];
  tool('hostile', async ({ emitPartial }, name) => {
    await emitPartial({ content: hostile as never });
    await gate(name);
    return { content: hostile };
  });

  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'host', version: '1.0.0' });
  await server.connect(serverSide);
  await client.connect(clientSide);
  cleanups.push(() => client.close());
  return {
    client,
    metas,
    aborted,
    close: () => server.close(),
    open: async (name: string) => (await vi.waitUntil(() => gates.get(name)))(),
  };
}

async function view(options: Parameters<typeof linkView>[0]): Promise<LinkedView> {
  const linked = await linkView(options);
  cleanups.push(linked.close);
  return linked;
}

const chunksOf = (linked: LinkedView) =>
  linked.inbox
    .filter(({ method }) => method === TOOL_OUTPUT_PARTIAL_METHOD)
    .map(({ params }) => params as never);
const optIn = (token: unknown) => ({
  [PARTIAL_RESULT_TOKEN_KEY]: token,
  [CLIENT_CAPABILITIES_KEY]: { partialResults: {} },
});

describe.each([
  ['2.x', App],
  ['1.7', AppV1],
] as const)('calls of a view built on ext-apps %s', (_, View) => {
  test('stream under the token of the view, ahead of the response, apart from the stream it shows', async () => {
    const server = await createServer();
    let shown!: ReturnType<typeof attachToApp>;
    const linked = await view({
      client: server.client,
      View,
      before: (app) => void (shown = attachToApp(app, { consumer: textConsumer() })),
    });
    const call = callToolStreaming(
      linked.app,
      { name: 'write', arguments: { name: 'a' } },
      { consumer: textConsumer() },
    );
    await vi.waitUntil(() => call.runtime.snapshot().state.text === 'a:one a:two a:three ');
    expect(call.runtime.snapshot()).toMatchObject({ status: 'streaming', input: { name: 'a' } });
    await vi.waitUntil(() => linked.acks.own > 0);
    await server.open('a');
    expect(await call.result).toMatchObject({ content: [text('a done')] });
    await vi.waitUntil(() => call.runtime.snapshot().status === 'complete');
    expect(call.runtime.snapshot()).toMatchObject({
      state: { text: 'a done' },
      counters: { rejected: 0, late: 0, gaps: 0, foreign: 0 },
    });

    expect(linked.inbox.at(-1)).toHaveProperty('result');
    const tokens = new Set(chunksOf(linked).map(({ partialResultToken }) => partialResultToken));
    expect(tokens.size).toBe(1);
    expect(server.metas[0]![PARTIAL_RESULT_TOKEN_KEY]).not.toBe([...tokens][0]);
    expect(shown.snapshot()).toMatchObject({ status: 'waiting', counters: { received: 0, foreign: 0 } });
  });

  test('are cancelled on the server when the view cancels them', async () => {
    const server = await createServer();
    const linked = await view({ client: server.client, View });
    const controller = new AbortController();
    const call = callToolStreaming(
      linked.app,
      { name: 'hang', arguments: { name: 'x' } },
      { consumer: textConsumer(), signal: controller.signal },
    );
    await vi.waitUntil(() => call.runtime.snapshot().state.text === 'before');
    controller.abort();
    await expect(call.result).rejects.toThrow('aborted');
    await vi.waitUntil(() => call.runtime.snapshot().status === 'cancelled');
    await vi.waitUntil(() => server.aborted.length > 0);
    expect(server.aborted).toEqual(['x']);
    expect(call.runtime.snapshot()).toMatchObject({ state: { text: 'before' }, incomplete: true });
  });

  test('get progress under the progress token of the view', async () => {
    const server = await createServer();
    const linked = await view({ client: server.client, View });
    const heard: unknown[] = [];
    const call = callToolStreaming(
      linked.app,
      { name: 'progress' },
      { consumer: textConsumer(), onprogress: (progress) => heard.push(progress) },
    );
    await call.result;
    expect(heard.at(-1)).toMatchObject({ progress: 3, total: 3 });
    const own = linked.inbox
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => params as never);
    expect(own.map(({ progressToken }) => progressToken)).not.toContain(server.metas[0]!['progressToken']);
  });

  test('stream nothing where the host does not know how, and end the same', async () => {
    const server = await createServer();
    const linked = await view({ client: server.client, View, negotiates: false });
    const call = callToolStreaming(linked.app, { name: 'quota' }, { consumer: textConsumer() });
    expect(await call.result).toMatchObject({ isError: true });
    await vi.waitUntil(() => call.runtime.snapshot().status === 'failed');
    expect(call.runtime.snapshot()).toMatchObject({
      counters: { received: 0 },
      error: { text: 'quota exceeded' },
    });
    expect(server.metas[0]).not.toHaveProperty(PARTIAL_RESULT_TOKEN_KEY);
  });

  test('end in failed with the text of an error result, behind every chunk', async () => {
    const server = await createServer();
    const linked = await view({ client: server.client, View });
    const call = callToolStreaming(linked.app, { name: 'quota' }, { consumer: textConsumer() });
    await call.result;
    await vi.waitUntil(() => call.runtime.snapshot().status === 'failed');
    expect(call.runtime.snapshot()).toMatchObject({
      state: { text: words.join('') },
      error: { kind: 'tool', text: 'quota exceeded' },
    });
  });
});

test('case 16: views that choose the same token get each their own stream', async () => {
  const server = await createServer();
  const views = await Promise.all([1, 2].map(() => view({ client: server.client })));
  const results = views.map(({ app }, i) =>
    app.callServerTool({ name: 'write', arguments: { name: `v${i}` }, _meta: optIn('same') }),
  );
  for (const [i, linked] of views.entries()) {
    await vi.waitUntil(() => JSON.stringify(chunksOf(linked)).includes('three'));
    expect(JSON.stringify(chunksOf(linked))).not.toContain(`v${1 - i}:`);
    for (const { partialResultToken } of chunksOf(linked)) expect(partialResultToken).toBe('same');
  }
  await server.open('v1');
  await server.open('v0');
  expect((await Promise.all(results)).map(({ content }) => content)).toEqual([
    [text('v0 done')],
    [text('v1 done')],
  ]);
  expect(new Set(server.metas.map((meta) => meta[PARTIAL_RESULT_TOKEN_KEY])).size).toBe(2);
  expect(JSON.stringify(server.metas)).not.toContain('same');
});

test('case 15: a token in use is refused with the reason, and free again when its call has ended', async () => {
  const server = await createServer();
  const { app } = await view({ client: server.client, takenToken: 'shown' });
  const call = (name: string, token: unknown) =>
    app.callServerTool({ name: 'write', arguments: { name }, _meta: optIn(token) });
  const first = call('a', 0);
  await vi.waitUntil(() => server.metas.length === 1);
  await expect(call('b', 0)).rejects.toThrow(/in use.*new one/);
  await expect(call('b', 'shown')).rejects.toThrow(/in use/);
  // To a reader of tokens 0 and "0" are two.
  const other = call('c', '0');
  await server.open('a');
  await server.open('c');
  await Promise.all([first, other]);
  const again = call('d', 0);
  await server.open('d');
  expect(await again).toMatchObject({ content: [text('d done')] });
  expect(server.metas).toHaveLength(3);
});

test('S1, S2: a token without the capability, or the capability alone, streams nothing', async () => {
  const server = await createServer();
  const linked = await view({ client: server.client });
  const { [CLIENT_CAPABILITIES_KEY]: capabilities, [PARTIAL_RESULT_TOKEN_KEY]: token } = optIn('t');
  for (const [i, meta] of [
    { [PARTIAL_RESULT_TOKEN_KEY]: token },
    { [CLIENT_CAPABILITIES_KEY]: capabilities },
    optIn(1.5),
    {},
  ].entries()) {
    const result = linked.app.callServerTool({ name: 'write', arguments: { name: `n${i}` }, _meta: meta });
    await server.open(`n${i}`);
    expect(await result).toMatchObject({ content: [text(`n${i} done`)] });
  }
  expect(chunksOf(linked)).toEqual([]);
  for (const meta of server.metas) expect(meta).not.toHaveProperty(PARTIAL_RESULT_TOKEN_KEY);
});

test('H8: asking for a stream opens no tool that is not for apps, and consent is asked as for any call', async () => {
  const server = await createServer();
  const asked: string[] = [];
  const { app } = await view({
    client: server.client,
    handlers: { allowToolCall: ({ name }) => (asked.push(name), false) },
  });
  await expect(app.callServerTool({ name: 'for-model', _meta: optIn('a') })).rejects.toThrow(
    /not available to apps/,
  );
  await expect(app.callServerTool({ name: 'write', _meta: optIn('b') })).rejects.toThrow(/declined/);
  expect([asked, server.metas]).toEqual([['write'], []]);
});

test('case 50: chunk and result of a view’s call pass the same checks', async () => {
  const server = await createServer();
  const linked = await view({ client: server.client });
  const result = linked.app.callServerTool({ name: 'hostile', _meta: optIn('h') });
  await vi.waitUntil(() => chunksOf(linked).length > 0);
  await server.open('hostile');
  const { content } = await result;
  expect(chunksOf(linked).map((chunk) => (chunk as { content: unknown }).content)).toEqual([content]);
  expect(JSON.stringify(linked.inbox)).not.toContain('javascript:');
  expect(linked.events).toContainEqual(
    expect.objectContaining({
      type: 'view_call',
      tool: 'hostile',
      event: expect.objectContaining({ type: 'sanitized' }),
    }),
  );
});

test('a view that goes away takes its calls with it', async () => {
  const server = await createServer();
  const linked = await view({ client: server.client });
  const call = callToolStreaming(
    linked.app,
    { name: 'hang', arguments: { name: 'gone' } },
    { consumer: textConsumer() },
  );
  await vi.waitUntil(() => call.runtime.snapshot().state.text === 'before');
  await linked.session.close();
  await vi.waitUntil(() => server.aborted.length > 0);
  expect(server.aborted).toEqual(['gone']);
  expect(linked.inbox.filter((message) => 'result' in message)).toHaveLength(1);
});

test('case 85: a server that goes away fails the call with words of the host', async () => {
  const server = await createServer();
  const linked = await view({ client: server.client });
  const call = callToolStreaming(linked.app, { name: 'hang' }, { consumer: textConsumer() });
  await vi.waitUntil(() => call.runtime.snapshot().state.text === 'before');
  await server.close();
  await expect(call.result).rejects.toThrow(
    'The connection to the server was lost before the result arrived.',
  );
  await vi.waitUntil(() => call.runtime.snapshot().status === 'failed');
  expect(call.runtime.snapshot()).toMatchObject({ state: { text: 'before' }, incomplete: true });
});

test('acks of the calls of a view are told from those of the stream it shows', async () => {
  const server = await createServer();
  const { calls } = await view({ client: server.client });
  for (const params of [undefined, {}, { partialResultToken: 'other', epoch: 0, seq: 0 }])
    expect(calls.ack(params)).toBe(false);
});
