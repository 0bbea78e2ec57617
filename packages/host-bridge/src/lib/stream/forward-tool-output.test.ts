import { InMemoryTransport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge';
import { App as AppV1 } from 'ext-apps-v1';
import { AppBridge as AppBridgeV1 } from 'ext-apps-v1/app-bridge';
import { expect, test } from 'vitest';
import { STREAM_EXTENSION } from '@mcp-apps-bridge/partial-results';
import type { FeedEvent } from '../events.ts';
import { forwardToolOutput, withStreamCapability, type BridgeLike } from './forward-tool-output.ts';
import { createToolOutput } from './output.ts';
import type { ToolOutput } from './output-types.ts';
import { createTestView, PROBE, type TestView } from './testing/view.ts';

const INFO = { name: 'test', version: '1.0.0' };
const CAPABILITIES = { experimental: { [STREAM_EXTENSION]: { version: 1 } } };
const RESULT = { content: [{ type: 'text', text: 'final' }] };

interface Bridge extends BridgeLike {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  oninitialized?: ((...args: never[]) => void) | undefined;
}

interface View {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  notification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
  ontoolinput?: ((params: never) => void) | undefined;
  ontoolresult?: ((params: never) => void) | undefined;
  ontoolcancelled?: ((params: never) => void) | undefined;
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

/* Real peers of both generations on both sides. */
const BRIDGES: Record<string, () => Bridge> = {
  '2.0.4': () => new AppBridge(null, INFO, withStreamCapability({})) as unknown as Bridge,
  '1.7.5': () => new AppBridgeV1(null, INFO, withStreamCapability({})) as unknown as Bridge,
};
const VIEWS: Record<string, (capabilities: object) => View> = {
  '2.0.4': (capabilities) => new App(INFO, capabilities, { autoResize: false }) as unknown as View,
  '1.7.5': (capabilities) => new AppV1(INFO, capabilities, { autoResize: false }) as unknown as View,
};

/** Wires a real App to a test view; `acks` makes it answer as negotiated. */
function attachView(app: View, acks: boolean): TestView {
  const view = createTestView();
  const listen =
    (method: string) =>
    (params: Record<string, unknown>): void =>
      view.receive(method, params);
  app.ontoolinput = listen('ui/notifications/tool-input');
  app.ontoolresult = listen('ui/notifications/tool-result');
  app.ontoolcancelled = listen('ui/notifications/tool-cancelled');
  app.fallbackNotificationHandler = async ({
    method,
    params,
  }: {
    method: string;
    params: Record<string, unknown>;
  }) => {
    view.receive(method, params);
    if (acks && method !== PROBE) await app.notification(view.ack());
  };
  return view;
}

/** Waits for `done`; the time-out of the test ends it. */
async function settle(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 1));
}

function pushAll(output: ToolOutput, count: number): void {
  for (let seq = 0; seq < count; seq++) {
    output.push({ partialResultToken: 't', seq, content: [{ type: 'text', text: `${seq},` }] });
  }
}

for (const [bridgeVersion, createBridge] of Object.entries(BRIDGES)) {
  for (const [viewVersion, createView] of Object.entries(VIEWS)) {
    for (const acks of [true, false]) {
      test(`AppBridge ${bridgeVersion}, App ${viewVersion}, ${acks ? 'with' : 'without'} acks: the whole stream arrives, in order`, async () => {
        const bridge = createBridge();
        const app = createView(acks ? CAPABILITIES : {});
        const view = attachView(app, acks);
        let initialized = 0;
        bridge.oninitialized = () => void initialized++;

        const output = createToolOutput({
          modes: { content: 'append' },
          limits: { history: { batchBytes: 120 } },
        });
        const events: FeedEvent[] = [];
        // Small frames, so that the stream needs its acks to get through.
        const limits = { coalesce: { batchBytes: 120 }, pace: { maxFrames: 2 } };
        const feed = forwardToolOutput(bridge, output, {
          limits,
          onEvent: (event) => void events.push(event),
        });
        output.input({ q: 1 });
        pushAll(output, 30);
        expect(view.messages).toEqual([]);

        const [hostSide, viewSide] = InMemoryTransport.createLinkedPair();
        await Promise.all([bridge.connect(hostSide as never), app.connect(viewSide as never)]);
        await settle(() => feed.counters.queued === 0 && feed.counters.forwarded > 0);
        pushAll(output, 40);
        await settle(() => view.streamed.content[0]?.text?.endsWith('39,') ?? false);
        output.finish(RESULT);
        await settle(() => view.result !== undefined);

        const expected = Array.from({ length: 40 }, (_, seq) => `${seq},`).join('');
        expect(view.streamed.content).toEqual([{ type: 'text', text: expected }]);
        expect(view.result).toMatchObject(RESULT);
        expect(view.methods[0]).toBe('tool-input');
        expect(view.methods.at(-1)).toBe('tool-result');
        expect(events[0]).toEqual({ type: 'view_open', epoch: 0, acks });
        expect(events.filter(({ type }) => type === 'send_failed' || type === 'ack_rejected')).toEqual([]);
        expect(feed.counters.forwarded).toBeGreaterThan(2);
        expect(initialized).toBe(1);

        feed.close();
        await Promise.all([bridge.close(), app.close()]);
      });
    }
  }
}

for (const [version, Bridge] of Object.entries({ '2.0.4': AppBridge, '1.7.5': AppBridgeV1 })) {
  test(`AppBridge ${version} of a host that states no acks gets them from no view, and streams on`, async () => {
    const bridge = new Bridge(null, INFO, { experimental: { other: {} } }) as unknown as Bridge;
    const app = VIEWS['2.0.4']!(CAPABILITIES);
    const view = attachView(app, false);
    const output = createToolOutput();
    const feed = forwardToolOutput(bridge, output);
    const [hostSide, viewSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([bridge.connect(hostSide as never), app.connect(viewSide as never)]);
    pushAll(output, 8);
    await settle(() => view.methods.length === 8);
    expect(view.methods).toHaveLength(8);
    feed.close();
    await Promise.all([bridge.close(), app.close()]);
  });
}

test('the capability joins what the host states already', () => {
  const stated = { openLinks: {}, experimental: { other: { a: 1 } } };
  expect(withStreamCapability(stated)).toEqual({
    openLinks: {},
    experimental: { other: { a: 1 }, [STREAM_EXTENSION]: { version: 1 } },
  });
});

test('a bridge that shows one call after the other, the second once it is initialized', async () => {
  const bridge = BRIDGES['2.0.4']!();
  const app = VIEWS['2.0.4']!(CAPABILITIES);
  const view = attachView(app, true);
  const first = createToolOutput();
  const firstFeed = forwardToolOutput(bridge, first);
  const [hostSide, viewSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([bridge.connect(hostSide as never), app.connect(viewSide as never)]);
  await settle(() => firstFeed.counters.epoch === 0);
  first.finish(RESULT);
  firstFeed.close();

  const second = createToolOutput();
  const feed = forwardToolOutput(bridge, second);
  pushAll(second, 3);
  await settle(() => feed.counters.inFlight === 0 && feed.counters.forwarded === 3);
  expect(feed.counters).toMatchObject({ forwarded: 3, inFlight: 0 });
  second.cancel();
  await settle(() => view.methods.at(-1) === 'tool-cancelled');
  expect(view.methods).toEqual([
    'tool-result',
    'tool-output-partial',
    'tool-output-partial',
    'tool-output-partial',
    'tool-cancelled',
  ]);
  feed.close();
  await Promise.all([bridge.close(), app.close()]);
});

test('a host that sends input and result itself gets the chunks only', async () => {
  const bridge = BRIDGES['2.0.4']!();
  const app = VIEWS['2.0.4']!({});
  const view = attachView(app, false);
  const output = createToolOutput();
  const feed = forwardToolOutput(bridge, output, { send: { input: false, end: false } });
  const [hostSide, viewSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([bridge.connect(hostSide as never), app.connect(viewSide as never)]);
  output.input({});
  pushAll(output, 1);
  await settle(() => view.messages.length > 0);
  output.finish(RESULT);
  await new Promise((resolve) => setImmediate(resolve));
  expect(view.methods).toEqual(['tool-output-partial']);
  feed.close();
  await Promise.all([bridge.close(), app.close()]);
});
