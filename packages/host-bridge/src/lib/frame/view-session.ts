import { isPlainObject, TOOL_OUTPUT_ACK_METHOD } from '@mcp-apps-bridge/partial-results';
import type { Implementation } from '@modelcontextprotocol/client';
import {
  AppBridge,
  type McpUiHostCapabilities,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { speaksAcks } from '../stream/forward-tool-output.ts';
import type { FrameEvent } from './frame-events.ts';
import type { RpcMessage } from './frame-channel.ts';
import { createGatedTransport } from './gated-transport.ts';
import type { ViewHop } from './view-calls.ts';

const methodNotFound = -32_601;

/** Options of {@link createViewSession}. */
export interface ViewSessionOptions {
  hostInfo: Implementation;
  hostCapabilities: McpUiHostCapabilities;
  hostContext: McpUiHostContext;
  post(message: RpcMessage): void;
  /** Registers what the host answers, before anything is received. */
  register(bridge: AppBridge, hop: ViewHop): void;
  onInitialized(): void;
  onAck(params: unknown): void;
  onEvent(event: FrameEvent): void;
}

/** One handshake of one view instance, with the AppBridge that carries it. */
export interface ViewSession {
  /** True from the view's `ui/initialize` on: a second one is another instance and needs a session of its own. */
  readonly begun: boolean;
  readonly initialized: boolean;
  /** The view said in its handshake that it acknowledges chunks. */
  readonly acks: boolean;
  /** Display modes the view said it can do; `undefined` when it did not say. */
  readonly displayModes: readonly string[] | undefined;
  /** The view exposes tools of its own (H22). */
  readonly exposesTools: boolean;
  listTools(timeoutMs: number): Promise<unknown>;
  callTool(params: { name: string; arguments: Record<string, unknown> }, timeoutMs: number): Promise<unknown>;
  receive(message: RpcMessage): void;
  /** @throws Error after close. */
  notify(method: string, params: Record<string, unknown>): void;
  setHostContext(context: McpUiHostContext): void;
  /** Asks the view to prepare for removal and waits for its answer, at most `timeoutMs` (H19). */
  teardown(timeoutMs: number): Promise<'acknowledged' | 'no_handler' | 'no_answer'>;
  close(): Promise<void>;
}

/** Connects an AppBridge without a client: everything it would forward by itself is answered by `register`. */
export function createViewSession(options: ViewSessionOptions): ViewSession {
  const { hostInfo, hostCapabilities, hostContext, onEvent } = options;
  let begun = false;
  let initialized = false;
  let acks = false;

  const bridge = new AppBridge(null, hostInfo, hostCapabilities, { hostContext });
  const transport = createGatedTransport({
    post: options.post,
    divert: new Map([[TOOL_OUTPUT_ACK_METHOD, options.onAck]]),
    onOverflow: (method) => onEvent({ type: 'held_overflow', method }),
  });
  bridge.onerror = (error) => onEvent({ type: 'protocol_error', error });
  bridge.addEventListener('initialized', () => {
    if (initialized) return;
    initialized = true;
    acks = speaksAcks(bridge);
    options.onInitialized();
  });
  options.register(bridge, { notify: transport.notify, acks: () => acks });
  /* Nothing is awaited inside: the transport starts at once and the bridge is ready for the next message. */
  bridge.connect(transport).catch((error: unknown) => onEvent({ type: 'protocol_error', error }));

  return {
    get begun() {
      return begun;
    },
    get initialized() {
      return initialized;
    },
    get acks() {
      return acks;
    },
    get displayModes() {
      return bridge.getAppCapabilities()?.availableDisplayModes;
    },
    get exposesTools() {
      return bridge.getAppCapabilities()?.tools !== undefined;
    },
    listTools: async (timeout) => bridge.listTools({}, { timeout }),
    callTool: async (params, timeout) => bridge.callTool(params, { timeout }),
    receive(message) {
      if (message['method'] === 'ui/initialize') begun = true;
      transport.receive(message);
    },
    notify: transport.notify,
    setHostContext(context) {
      bridge.setHostContext(context);
    },
    async teardown(timeoutMs) {
      if (!initialized) return 'no_handler';
      try {
        await bridge.teardownResource({}, { timeout: timeoutMs });
        return 'acknowledged';
      } catch (error) {
        return isPlainObject(error) && error['code'] === methodNotFound ? 'no_handler' : 'no_answer';
      }
    },
    close: () => bridge.close(),
  };
}
