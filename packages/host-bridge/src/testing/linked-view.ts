import { streamCapabilities } from '@mcp-apps-bridge/app-runtime';
import { systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { McpUiHostCapabilities } from '@modelcontextprotocol/ext-apps/app-bridge';
import { App } from '@modelcontextprotocol/ext-apps';
import { withStreamCapability } from '../lib/stream/forward-tool-output.ts';
import { createSanitizer } from '../lib/stream/sanitize/sanitizer.ts';
import type { FrameEvent } from '../lib/frame/frame-events.ts';
import type { HostHandlers } from '../lib/frame/host-handlers.ts';
import { registerHostRequests, type ViewClient } from '../lib/frame/host-requests.ts';
import { createToolDirectory, type ToolListClient } from '../lib/frame/tool-directory.ts';
import { createViewCalls, type ViewCalls } from '../lib/frame/view-calls.ts';
import { createViewSession, type ViewSession } from '../lib/frame/view-session.ts';

const info = { name: 'test', version: '1' };

/** What crosses between a view and its host, each end a clone of the other's, in a task of its own. */
export interface LinkedView {
  app: App;
  session: ViewSession;
  calls: ViewCalls;
  events: FrameEvent[];
  /** Messages the view got, in order. */
  inbox: Record<string, unknown>[];
  /** Acks that were for a call of the view's own, and the others. */
  acks: { own: number; other: number };
  close(): Promise<void>;
}

/** A real view and the frame half of a host without a frame: handshake, host requests, calls. */
export async function linkView(options: {
  client: ViewClient & ToolListClient;
  View?: unknown;
  /** False: a host that knows nothing of the extension. */
  negotiates?: boolean;
  handlers?: HostHandlers;
  takenToken?: string;
  before?(app: App): void;
}): Promise<LinkedView> {
  const { client, negotiates = true, handlers = {} } = options;
  const View = (options.View ?? App) as typeof App;
  const app = new View(info, streamCapabilities, { autoResize: false });
  const events: FrameEvent[] = [];
  const inbox: LinkedView['inbox'] = [];
  const acks = { own: 0, other: 0 };
  let calls: ViewCalls | undefined;
  let closed = false;
  const onEvent = (event: FrameEvent): void => void events.push(event);

  const view = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {},
    async send(message: object) {
      const copy = structuredClone(message);
      setTimeout(() => !closed && session.receive(copy as never));
    },
    async close() {
      view.onclose?.();
    },
  };
  let initialized = (): void => undefined;
  const ready = new Promise<void>((resolve) => (initialized = resolve));
  const session = createViewSession({
    hostInfo: info,
    hostCapabilities: {
      ...(negotiates && withStreamCapability({})),
      serverTools: {},
    } as McpUiHostCapabilities,
    hostContext: {},
    post(message) {
      const copy = structuredClone(message);
      setTimeout(() => {
        if (closed) return;
        inbox.push(copy);
        view.onmessage?.(copy as never);
      });
    },
    register(bridge, hop) {
      calls = createViewCalls({
        client,
        hop,
        sanitizer: createSanitizer(),
        scheduler: systemScheduler,
        isTaken: (token) => token === options.takenToken,
        onEvent,
      });
      registerHostRequests(bridge, {
        client,
        tools: createToolDirectory(client, []),
        calls,
        handlers: () => handlers,
        onEvent,
        scheduler: systemScheduler,
        save() {},
        open() {},
        onSize() {},
        onModelContext() {},
        displayMode: () => 'inline',
        offersMode: () => false,
        onDisplayMode() {},
        onTeardownGranted() {},
      });
    },
    onInitialized: () => initialized(),
    onAck: (params) => (calls?.ack(params) ? acks.own++ : acks.other++),
    onEvent,
  });
  options.before?.(app);
  await app.connect(view as never);
  await ready;
  return {
    app,
    session,
    calls: calls!,
    events,
    inbox,
    acks,
    async close() {
      closed = true;
      await session.close();
      await app.close();
    },
  };
}
