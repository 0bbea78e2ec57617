import {
  STREAM_EXTENSION,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
} from '@mcp-apps-bridge/partial-results';
import { App } from '@modelcontextprotocol/ext-apps';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { App as AppV1 } from 'ext-apps-v1';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { text, textChunk, TOKEN } from '../testing/chunks.ts';
import { createLinkedTransports } from '../testing/linked-transports.ts';
import { attachToApp, streamCapabilities } from './attach.ts';
import { textConsumer, type TextState } from './consumers/text.ts';
import { createAppRuntime } from './runtime.ts';
import type { AppRuntime } from './types.ts';

const info = { name: 'test', version: '1' };
const views = [
  ['2.x', App],
  ['1.7', AppV1],
] as const;
const closers: Array<() => Promise<void>> = [];

interface Connected {
  app: App;
  bridge: AppBridge;
  acks: unknown[];
  runtime: AppRuntime<TextState>;
  notify(method: string, params: Record<string, unknown>): Promise<void>;
}

/** A real view and a real host, joined by a pair of transports. */
async function connect(
  View: typeof App | typeof AppV1,
  negotiated: boolean,
  before?: (app: App) => void,
): Promise<Connected> {
  const capabilities = negotiated ? streamCapabilities : {};
  const app = new View(info, streamCapabilities, { autoResize: false }) as App;
  const bridge = new AppBridge(null, info, { ...capabilities });
  const acks: unknown[] = [];
  bridge.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === TOOL_OUTPUT_ACK_METHOD) acks.push(params);
  };
  before?.(app);
  const runtime = attachToApp(app, { consumer: textConsumer() });
  const [host, view] = createLinkedTransports();
  const initialized = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  await bridge.connect(host as never);
  await app.connect(view as never);
  await initialized;
  closers.push(() => app.close());
  return { app, bridge, acks, runtime, notify: (method, params) => bridge.notification({ method, params }) };
}

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe.each(views)('a view built on ext-apps %s', (_, View) => {
  it('gets input, chunks and result from a real host, extra fields and _meta included', async () => {
    const { bridge, notify, runtime } = await connect(View, true);
    await bridge.sendToolInput({ arguments: { topic: 'Q2' } });
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, {
      ...textChunk(0, 'a'),
      _meta: { 'io.github.mcp-apps-bridge/epoch': 1 },
    });
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, {
      ...textChunk(1, 'b'),
      _meta: { 'io.github.mcp-apps-bridge/epoch': 1 },
    });
    await vi.waitFor(() =>
      expect(runtime.snapshot()).toMatchObject({ status: 'streaming', state: { text: 'ab' } }),
    );
    expect(runtime.snapshot().input).toEqual({ topic: 'Q2' });
    await bridge.sendToolResult({ content: [text('end') as never] });
    await vi.waitFor(() =>
      expect(runtime.snapshot()).toMatchObject({ status: 'complete', state: { text: 'end' } }),
    );
  });

  it('is told of a cancel', async () => {
    const { bridge, runtime } = await connect(View, true);
    await bridge.sendToolCancelled({ reason: 'x' });
    await vi.waitFor(() => expect(runtime.snapshot().status).toBe('cancelled'));
  });

  it('acknowledges to a host that negotiated it, and answers its probe', async () => {
    const { notify, acks } = await connect(View, true);
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, { ...textChunk(0, 'a') });
    await vi.waitFor(() => expect(acks).toHaveLength(1));
    await notify(TOOL_OUTPUT_PROBE_METHOD, { partialResultToken: TOKEN, epoch: 0 });
    await vi.waitFor(() => expect(acks).toHaveLength(2));
    expect(acks).toMatchObject([
      { partialResultToken: TOKEN, seq: 0 },
      { partialResultToken: TOKEN, seq: 0 },
    ]);
  });

  it('sends no ack to a host that did not', async () => {
    const { notify, acks, runtime } = await connect(View, false);
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, { ...textChunk(0, 'a') });
    await vi.waitFor(() => expect(runtime.snapshot().state.text).toBe('a'));
    expect(acks).toEqual([]);
  });

  it("keeps the embedder's own result handlers", async () => {
    const setter = vi.fn();
    const listener = vi.fn();
    const { app, bridge, runtime } = await connect(View, true, (view) => {
      view.ontoolresult = setter;
      view.addEventListener('toolresult', listener);
    });
    app.addEventListener('toolresult', listener);
    await bridge.sendToolResult({ content: [] });
    await vi.waitFor(() => expect(runtime.snapshot().status).toBe('complete'));
    expect(setter).toHaveBeenCalledOnce();
    expect(listener).toHaveBeenCalled();
  });

  it('survives frames no schema would let through (field case 9)', async () => {
    const { notify, runtime } = await connect(View, true);
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, { partialResultToken: TOKEN, seq: '1', content: 5 });
    await notify(TOOL_OUTPUT_PARTIAL_METHOD, { ...textChunk(0, 'a') });
    await vi.waitFor(() => expect(runtime.snapshot().counters).toMatchObject({ rejected: 1, applied: 1 }));
  });

  it('announces the extension to the host', async () => {
    const { bridge } = await connect(View, true);
    expect(bridge.getAppCapabilities()?.experimental).toEqual({ [STREAM_EXTENSION]: { version: 1 } });
  });
});

it("feeds a runtime of the embedder's own making", () => {
  const app = new App(info, {}, { autoResize: false });
  const made = attachToApp(app, (sendAck) => createAppRuntime({ consumer: textConsumer(), sendAck }));
  expect(made.snapshot().status).toBe('waiting');
});

it('says so when tool-output-partial already has a handler', () => {
  const app = new App(info, {}, { autoResize: false });
  attachToApp(app, { consumer: textConsumer() });
  expect(() => attachToApp(app, { consumer: textConsumer() })).toThrow(/already registered/);
});
