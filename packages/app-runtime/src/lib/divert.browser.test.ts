import {
  STREAM_EXTENSION,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
} from '@mcp-apps-bridge/partial-results';
import { App, PostMessageTransport } from '@modelcontextprotocol/ext-apps';
import { App as AppV1 } from 'ext-apps-v1';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { text, textChunk, TOKEN } from '../testing/chunks.ts';
import { createLinkedTransports } from '../testing/linked-transports.ts';
import { attachToApp, streamCapabilities } from './attach.ts';
import { callToolStreaming } from './call-tool-streaming.ts';
import { textConsumer, type TextState } from './consumers/text.ts';
import type { AppRuntime } from './types.ts';

/*
 * Real apps with their own window transport. The parent is the test runner's page: what apps post to it is caught,
 * and what it would post is dispatched here. A message that reaches the SDK is told by the transport's console.debug.
 */

const ORIGIN = 'https://proxy.example';
const HOST = {
  protocolVersion: '2026-01-26',
  hostInfo: { name: 'host', version: '1' },
  hostContext: {},
};

interface Message {
  id?: number;
  method?: string;
  params?: { _meta?: Record<string, unknown> };
}

let posted: Array<{ message: Message; origin: unknown }>;
let debug: MockInstance;
let opened: App[] = [];
let attached: Array<AppRuntime<TextState>> = [];

beforeEach(() => {
  posted = [];
  debug = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  vi.spyOn(window.parent, 'postMessage').mockImplementation(((message: never, origin: unknown) => {
    posted.push({ message, origin });
    const { id, method } = message as { id?: number; method?: string };
    if (method !== 'ui/initialize') return;
    const hostCapabilities = { experimental: { [STREAM_EXTENSION]: { version: 1 } } };
    queueMicrotask(() => arrive({ jsonrpc: '2.0', id, result: { ...HOST, hostCapabilities } }));
  }) as never);
});

afterEach(async () => {
  await Promise.all(opened.map((app) => app.close()));
  for (const runtime of attached) runtime.close();
  opened = [];
  attached = [];
  vi.restoreAllMocks();
});

function arrive(data: unknown, init: MessageEventInit = { source: window.parent, origin: ORIGIN }): void {
  window.dispatchEvent(new MessageEvent('message', { ...init, data }));
}

function notify(method: string, params: unknown, init?: MessageEventInit): void {
  arrive({ jsonrpc: '2.0', method, params }, init);
}

const chunk = (seq: number, value: string): object => ({ ...textChunk(seq, value) });
const counted = (runtime: AppRuntime<unknown>): number => {
  runtime.flush();
  return runtime.snapshot().counters.received;
};
const acks = () => posted.filter(({ message }) => message.method === TOOL_OUTPUT_ACK_METHOD);
const parsed = (method: string): number =>
  debug.mock.calls.filter(([what, message]) => what === 'Parsed message' && message?.method === method)
    .length;

async function open(
  View: typeof App | typeof AppV1 = App,
  transport?: unknown,
): Promise<{ app: App; runtime: AppRuntime<TextState> }> {
  const app = new View({ name: 'view', version: '1' }, streamCapabilities, { autoResize: false }) as App;
  const runtime = attachToApp(app, { consumer: textConsumer() });
  opened.push(app);
  attached.push(runtime);
  await app.connect(transport as never);
  return { app, runtime };
}

const views = [
  ['2.x', App],
  ['1.7', AppV1],
] as const;

describe.each(views)('a view built on ext-apps %s, in a frame', (_, View) => {
  it('takes chunks and probes before the SDK looks at them', async () => {
    const { runtime } = await open(View);
    for (let seq = 0; seq < 50; seq++) notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(seq, 'a'));
    // At once: no promise of the SDK is between the event and the state.
    runtime.flush();
    expect(runtime.snapshot().state.text).toBe('a'.repeat(50));
    notify(TOOL_OUTPUT_PROBE_METHOD, { partialResultToken: TOKEN, epoch: 0 });
    expect(acks().at(-1)?.message.params).toMatchObject({ seq: 49 });
    expect(parsed(TOOL_OUTPUT_PARTIAL_METHOD) + parsed(TOOL_OUTPUT_PROBE_METHOD)).toBe(0);
  });

  it('leaves every other message to the SDK, in order: the result comes after the chunks', async () => {
    const { runtime } = await open(View);
    notify('ui/notifications/tool-input', { arguments: { topic: 'Q2' } });
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
    notify('ui/notifications/tool-result', { content: [text('end')] });
    await vi.waitFor(() => expect(runtime.snapshot().status).toBe('complete'));
    expect(runtime.snapshot()).toMatchObject({ state: { text: 'end' }, input: { topic: 'Q2' } });
    expect(runtime.snapshot().counters).toMatchObject({ applied: 1, late: 0 });
    expect(parsed('ui/notifications/tool-result')).toBe(1);
  });

  it('posts acks to the origin that chunks come from, past the SDK', async () => {
    await open(View);
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
    await vi.waitFor(() => expect(acks()).toHaveLength(1));
    expect(acks()[0]).toMatchObject({ origin: ORIGIN, message: { jsonrpc: '2.0', params: { seq: 0 } } });
    expect(acks()[0]!.message).not.toHaveProperty('id');
    expect(
      debug.mock.calls.filter(
        ([what, message]) => what === 'Sending message' && message?.method === TOOL_OUTPUT_ACK_METHOD,
      ),
    ).toEqual([]);
  });

  it('stops listening when it is closed', async () => {
    const removed = vi.spyOn(window, 'removeEventListener');
    const { runtime } = await open(View);
    runtime.close();
    expect(removed.mock.calls.map(([type]) => type)).toContain('message');
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
    expect(counted(runtime)).toBe(0);
    expect(parsed(TOOL_OUTPUT_PARTIAL_METHOD)).toBe(1);
  });
});

describe('nothing is taken', () => {
  it.each([
    ['of another window', TOOL_OUTPUT_PARTIAL_METHOD, { source: window, origin: ORIGIN }],
    ['of nobody', TOOL_OUTPUT_PARTIAL_METHOD, { origin: ORIGIN }],
    [
      'of a worker or port',
      TOOL_OUTPUT_PARTIAL_METHOD,
      { source: new MessageChannel().port1, origin: ORIGIN },
    ],
  ])('%s', async (_, method, init) => {
    const { runtime } = await open();
    notify(method, chunk(0, 'evil'), init);
    await new Promise((resolve) => setTimeout(resolve));
    expect(counted(runtime)).toBe(0);
    expect(acks()).toEqual([]);
  });

  it.each([
    ['a request', { jsonrpc: '2.0', id: 1, method: TOOL_OUTPUT_PARTIAL_METHOD, params: chunk(0, 'a') }],
    ['another protocol', { jsonrpc: '1.0', method: TOOL_OUTPUT_PARTIAL_METHOD, params: chunk(0, 'a') }],
    ['a method of an object', { jsonrpc: '2.0', method: 'toString', params: {} }],
    ['null', null],
    ['a string', TOOL_OUTPUT_PARTIAL_METHOD],
  ])('that is %s', async (_, data) => {
    const { runtime } = await open();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const others = vi.fn();
    window.addEventListener('message', others);
    arrive(data);
    window.removeEventListener('message', others);
    expect(others).toHaveBeenCalledOnce();
    expect(counted(runtime)).toBe(0);
  });

  it('by an app that is not connected yet, or no longer', async () => {
    const app = new App({ name: 'view', version: '1' }, streamCapabilities, { autoResize: false });
    const runtime = attachToApp(app, { consumer: textConsumer() });
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
    expect(counted(runtime)).toBe(0);
    const { app: live, runtime: shown } = await open();
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
    expect(counted(shown)).toBe(1);
    await live.close();
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(1, 'a'));
    expect(counted(shown)).toBe(1);
    expect(counted(runtime)).toBe(0);
    runtime.close();
  });

  it('by an app with a transport of its own, which gets its chunks from there', async () => {
    const [host, view] = createLinkedTransports();
    host.onmessage = (message: { id?: number; method?: string }) => {
      if (message.method === 'ui/initialize')
        void host.send({ jsonrpc: '2.0', id: message.id, result: { ...HOST, hostCapabilities: {} } });
    };
    const { runtime } = await open(App, view);
    notify(TOOL_OUTPUT_PARTIAL_METHOD, { ...chunk(0, 'window'), partialResultToken: 'other' });
    await host.send({ jsonrpc: '2.0', method: TOOL_OUTPUT_PARTIAL_METHOD, params: chunk(0, 'own') });
    await vi.waitFor(() => expect(runtime.snapshot().state.text).toBe('own'));
    expect(counted(runtime)).toBe(1);
  });
});

it('two apps of one window each get what comes, as without the shortcut', async () => {
  const first = await open();
  const second = await open(AppV1);
  notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
  for (const { runtime } of [first, second]) {
    await vi.waitFor(() => expect(runtime.snapshot().state.text).toBe('a'));
    expect(runtime.snapshot().counters).toMatchObject({ received: 1, applied: 1 });
  }
  expect(parsed(TOOL_OUTPUT_PARTIAL_METHOD)).toBe(0);
  first.runtime.close();
  notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(1, 'b'));
  await vi.waitFor(() => expect(second.runtime.snapshot().state.text).toBe('ab'));
});

it('an app beside one with a transport nobody knows still gets what comes', async () => {
  const first = await open();
  const inner = new PostMessageTransport(window.parent, window.parent);
  const unknown = {
    start: () => inner.start(),
    send: (message: never) => inner.send(message),
    async close() {
      await inner.close();
      this.onclose?.();
    },
    onclose: undefined as (() => void) | undefined,
    set onmessage(run: never) {
      inner.onmessage = run;
    },
  };
  const second = await open(App, unknown);
  notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
  for (const { runtime } of [first, second]) {
    await vi.waitFor(() => expect(runtime.snapshot().counters).toMatchObject({ received: 1, applied: 1 }));
  }
});

it.each([
  [
    'methods were replaced',
    () => {
      const transport = new PostMessageTransport(window.parent, window.parent);
      const send = transport.send.bind(transport);
      return { transport: Object.assign(transport, { send: vi.fn(send) }) };
    },
  ],
  [
    'class is a subclass',
    () => {
      class Derived extends PostMessageTransport {}
      return { transport: new Derived(window.parent, window.parent) };
    },
  ],
])('a transport whose %s sees every message, and every ack goes through it', async (_, make) => {
  const { transport } = make();
  const { runtime } = await open(App, transport);
  notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'));
  expect(parsed(TOOL_OUTPUT_PARTIAL_METHOD)).toBe(1);
  await vi.waitFor(() => expect(runtime.snapshot().state.text).toBe('a'));
  await vi.waitFor(() => expect(acks()).toHaveLength(1));
  expect(acks()[0]!.origin).toBe('*');
});

it('a call of a connected app takes its chunks once, though it listens later than the SDK', async () => {
  const { app } = await open();
  const call = callToolStreaming(app, { name: 'more' }, { consumer: textConsumer() });
  const request = await vi.waitFor(() => {
    const sent = posted.find(({ message }) => message.method === 'tools/call');
    expect(sent).toBeDefined();
    return sent!.message;
  });
  const partialResultToken = Object.values(request.params?._meta ?? {}).find(
    (value) => typeof value === 'string',
  );
  notify(TOOL_OUTPUT_PARTIAL_METHOD, { ...chunk(0, 'a'), partialResultToken });
  call.runtime.flush();
  expect(call.runtime.snapshot().counters).toMatchObject({ received: 1, duplicates: 0 });
  expect(parsed(TOOL_OUTPUT_PARTIAL_METHOD)).toBe(0);
  arrive({ jsonrpc: '2.0', id: request.id, result: { content: [text('end')] } });
  await call.result;
  call.runtime.flush();
  expect(call.runtime.snapshot()).toMatchObject({ status: 'complete', state: { text: 'end' } });
});

it.each(['null', 'file://', 'app://host'])(
  'acks go where the app itself posts when the origin is %s',
  async (origin) => {
    await open();
    notify(TOOL_OUTPUT_PARTIAL_METHOD, chunk(0, 'a'), { source: window.parent, origin });
    await vi.waitFor(() => expect(acks()).toHaveLength(1));
    expect(acks()[0]!.origin).toBe('*');
  },
);
