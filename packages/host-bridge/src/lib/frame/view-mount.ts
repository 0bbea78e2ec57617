import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { Implementation } from '@modelcontextprotocol/client';
import type {
  AppBridge,
  McpUiHostCapabilities,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { HostBridgeError } from '../errors.ts';
import type { SandboxResource } from '../sandbox/protocol.ts';
import type { FrameEvent } from './frame-events.ts';
import type { RpcMessage } from './frame-channel.ts';
import { createSizer, type SizeLimits } from './sizer.ts';
import type { ViewHop } from './view-calls.ts';
import { createViewFrame } from './view-frame.ts';
import { createViewSession, type ViewSession } from './view-session.ts';
import { createViewTraffic, type TrafficLimits } from './view-traffic.ts';

/** Options of {@link createViewMount}. */
export interface ViewMountOptions {
  container: Element;
  /** Of the proxy page, with its query. */
  url: URL;
  title: string;
  allow: string;
  resource: SandboxResource;
  dedicated: boolean;
  hostInfo: Implementation;
  hostCapabilities: McpUiHostCapabilities;
  /** As it is now; asked again for each handshake. */
  hostContext(): McpUiHostContext;
  register(bridge: AppBridge, hop: ViewHop, onSize: (height: unknown) => void): void;
  handshakeMs: number;
  sizeLimits: SizeLimits;
  traffic: Partial<TrafficLimits> | undefined;
  autoHeight: boolean;
  scheduler: Scheduler;
  onReady(view: { acks: boolean }): void;
  /** The instance that was ready is no more; another handshake follows, or `onEnd`. */
  onInterrupted(): void;
  onAck(params: unknown): void;
  /** The mount is of no use any more; it has closed itself. */
  onEnd(status: 'failed' | 'lost', error: HostBridgeError): void;
  onEvent(event: FrameEvent): void;
}

/** A frame in the page, from its insertion to its removal, over any number of handshakes. */
export interface ViewMount {
  readonly element: HTMLIFrameElement;
  /** The current handshake, from the moment the proxy answered. */
  readonly session: ViewSession | undefined;
  setHostContext(context: McpUiHostContext): void;
  close(): void;
}

/** A view that starts over is served again, at the price of a replay; one that does nothing else is not. */
const maxHandshakes = 20;

/** Inserts the frame and sees each instance of the app in it through its handshake. */
export function createViewMount(options: ViewMountOptions): ViewMount {
  const { scheduler, url, onEvent } = options;
  let session: ViewSession | undefined;
  let cancelDeadline: Cancel | undefined;
  let inline = true;
  let handshakes = 0;
  let closed = false;

  function deadline(message: string): void {
    cancelDeadline?.();
    cancelDeadline = scheduler.delay(options.handshakeMs, () =>
      end('failed', new HostBridgeError('handshake_timeout', message)),
    );
  }

  function end(status: 'failed' | 'lost', error: HostBridgeError): void {
    if (closed) return;
    close();
    options.onEnd(status, error);
  }

  /* A second instance in the same frame numbers its requests from the start again, so it gets its own bridge. */
  function begin(): void {
    if (++handshakes > maxHandshakes) {
      const message = `The app began its handshake more than ${maxHandshakes} times. reload() shows it again.`;
      return end('lost', new HostBridgeError('view_lost', message));
    }
    if (session) {
      options.onInterrupted();
      void session.close();
    }
    const mine: ViewSession = createViewSession({
      hostInfo: options.hostInfo,
      hostCapabilities: options.hostCapabilities,
      hostContext: options.hostContext(),
      post,
      register: (bridge, hop) => options.register(bridge, hop, sizer.report),
      onAck: (params) => session === mine && options.onAck(params),
      onInitialized() {
        if (session !== mine) return;
        cancelDeadline?.();
        options.onReady({ acks: mine.acks });
      },
      onEvent,
    });
    session = mine;
    deadline('The app did not finish its handshake: ui/initialize, then ui/notifications/initialized.');
  }

  function post(message: RpcMessage): void {
    traffic.sent(message);
    frame.channel.post(message);
  }

  function place(height: number | undefined): void {
    if (!inline) frame.element.style.height = '100%';
    else if (options.autoHeight) frame.element.style.height = height === undefined ? '' : `${height}px`;
  }

  function close(): void {
    if (closed) return;
    closed = true;
    cancelDeadline?.();
    sizer.close();
    traffic.close();
    void session?.close();
    frame.close();
  }

  const sizer = createSizer({ scheduler, limits: options.sizeLimits, onEvent, apply: place });
  const traffic = createViewTraffic({ scheduler, limits: options.traffic, refuse: post, onEvent });
  const frame = createViewFrame({
    container: options.container,
    url,
    title: options.title,
    allow: options.allow,
    colorScheme: options.hostContext().theme,
    resource: options.resource,
    dedicated: options.dedicated,
    onProxy: begin,
    onMessage(message) {
      if (closed || !traffic.admit(message)) return;
      if (message['method'] === 'ui/initialize' && session?.begun) begin();
      session?.receive(message);
    },
    onLost: (error) => end('lost', error),
    onFault: (error) => end('failed', error),
    onEvent,
  });
  deadline(
    `The sandbox page did not answer. Check that ${url.origin}${url.pathname} serves it, that its hostOrigins ` +
      'include the origin of this page, and that the frame-src of this page allows it.',
  );

  return {
    element: frame.element,
    get session() {
      return session;
    },
    setHostContext(context) {
      session?.setHostContext(context);
      frame.element.style.colorScheme = context.theme ?? '';
      inline = (context.displayMode ?? 'inline') === 'inline';
      place(sizer.height);
    },
    close,
  };
}
