import { isPlainObject, STREAM_EXTENSION, TOOL_OUTPUT_ACK_METHOD } from '@mcp-apps-bridge/partial-results';
import { createViewFeed } from './view-feed.ts';
import type { ViewFeed, ViewFeedOptions } from './view-feed-types.ts';
import type { ToolOutput } from './output-types.ts';

/** What is used of an AppBridge; those of ext-apps 2.x and 1.7 fit. */
export interface BridgeLike {
  notification(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
  getAppCapabilities(): { experimental?: unknown } | undefined;
  /** Of the host, as given to the bridge. */
  getCapabilities?(): { experimental?: unknown } | undefined;
  addEventListener?(event: 'initialized', handler: () => void): void;
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

export interface ForwardOptions extends Omit<ViewFeedOptions, 'notify' | 'output'> {
  /** The view has already sent `initialized` when this is called. Default false. */
  initialized?: boolean;
}

/**
 * The host capabilities of an AppBridge, with what makes views send acks; without it the stream goes at a fixed
 * rate. Whatever else stands under `experimental` stays.
 */
export function withStreamCapability<Capabilities extends object>(
  capabilities: Capabilities,
): Capabilities & { experimental: Record<string, object> } {
  const { experimental } = capabilities as { experimental?: unknown };
  const others = isPlainObject(experimental) ? (experimental as Record<string, object>) : {};
  return { ...capabilities, experimental: { ...others, [STREAM_EXTENSION]: { version: 1 } } };
}

interface Hub {
  feeds: Set<ViewFeed>;
  initialized: boolean;
}

/** One set of handlers a bridge, since a method takes one handler only and a bridge may show several calls. */
const hubs = new WeakMap<BridgeLike, Hub>();

/**
 * Streams one call's output into the view of an AppBridge that the host already has. Call it before
 * or after `bridge.connect`, but before the view initializes, else say `initialized: true`. The host
 * then sends neither `tool-input` nor `tool-result` nor `tool-cancelled` of this call itself, unless
 * it takes that over with `send`.
 * @throws HostBridgeError `invalid_option`
 */
export function forwardToolOutput(
  bridge: BridgeLike,
  output: ToolOutput,
  options: ForwardOptions = {},
): ViewFeed {
  const { initialized = false, ...rest } = options;
  const hub = hubOf(bridge);
  const feed = createViewFeed({
    ...rest,
    output,
    notify: (method, params) => bridge.notification({ method, params }),
  });
  const close = feed.close.bind(feed);
  feed.close = () => {
    hub.feeds.delete(feed);
    close();
  };
  hub.feeds.add(feed);
  hub.initialized ||= initialized;
  if (hub.initialized) feed.open({ acks: speaksAcks(bridge) });
  return feed;
}

/** Whether both sides of the `ui/initialize` stated the extension. A bridge that does not show its own half did. */
export function speaksAcks(bridge: Pick<BridgeLike, 'getAppCapabilities' | 'getCapabilities'>): boolean {
  const host = bridge.getCapabilities ? bridge.getCapabilities() : withStreamCapability({});
  return statesExtension(bridge.getAppCapabilities()) && statesExtension(host);
}

function statesExtension(capabilities: { experimental?: unknown } | undefined): boolean {
  const experimental = capabilities?.experimental;
  const ours = isPlainObject(experimental) ? experimental[STREAM_EXTENSION] : undefined;
  return isPlainObject(ours) && ours['version'] === 1;
}

function hubOf(bridge: BridgeLike): Hub {
  const known = hubs.get(bridge);
  if (known) return known;
  const hub: Hub = { feeds: new Set(), initialized: false };
  hubs.set(bridge, hub);
  onInitialized(bridge, () => {
    hub.initialized = true;
    for (const feed of hub.feeds) feed.open({ acks: speaksAcks(bridge) });
  });
  onAck(bridge, (params) => {
    for (const feed of hub.feeds) feed.ack(params);
  });
  return hub;
}

function onInitialized(bridge: BridgeLike, run: () => void): void {
  if (bridge.addEventListener) return bridge.addEventListener('initialized', run);
  const target = bridge as { oninitialized?: ((...args: unknown[]) => void) | undefined };
  const before = target.oninitialized;
  target.oninitialized = (...args) => {
    before?.(...args);
    run();
  };
}

/** Lets every field through: the ack is read by hand, and an SDK schema would strip what it does not list. */
const LOOSE = {
  '~standard': { version: 1, vendor: 'mcp-apps-bridge', validate: (value: unknown) => ({ value }) },
};

function onAck(bridge: BridgeLike, run: (params: unknown) => void): void {
  const target = bridge as {
    setNotificationHandler?: (method: string, schemas: object, handler: (params: unknown) => void) => void;
  };
  try {
    target.setNotificationHandler?.(TOOL_OUTPUT_ACK_METHOD, { params: LOOSE }, run);
    if (target.setNotificationHandler) return;
  } catch {
    // ext-apps 1.x wants a zod schema there, which this package does not have.
  }
  type Fallback = (notification: { method: string; params?: unknown }) => Promise<void>;
  const slot = bridge as { fallbackNotificationHandler?: Fallback | undefined };
  const before = slot.fallbackNotificationHandler;
  slot.fallbackNotificationHandler = async (notification) => {
    if (notification.method === TOOL_OUTPUT_ACK_METHOD) run(notification.params);
    else await before?.(notification);
  };
}
