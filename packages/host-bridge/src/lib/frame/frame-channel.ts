import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { SANDBOX_PREFIX } from '../sandbox/protocol.ts';

/** A message in JSON-RPC's outer shape; what it says is checked where it is read. */
export type RpcMessage = Record<string, unknown> & { jsonrpc: '2.0' };

/** Why a message from the frame was dropped. */
export interface ChannelRejection {
  code: 'wrong_origin' | 'malformed';
  /** Origin the browser gave it. */
  origin: string;
  message: string;
}

/** Counts since the channel opened. */
export interface ChannelCounters {
  received: number;
  sent: number;
  wrongOrigin: number;
  malformed: number;
}

/** The one way between this page and one frame. */
export interface FrameChannel {
  /** @throws DataCloneError when the message holds what cannot be sent, such as a function. */
  post(message: RpcMessage): void;
  readonly counters: Readonly<ChannelCounters>;
  close(): void;
}

/** Options of {@link createFrameChannel}. */
export interface FrameChannelOptions {
  /** Window that receives the frame's messages. */
  listenOn: Window;
  /** The frame's window now: an iframe gets a new one when it is moved in the document. */
  frame(): Window | null;
  /** The frame's origin, exact. Nothing is sent to or taken from another one. */
  origin: string;
  /** A `ui/notifications/sandbox-*` notification of the proxy. */
  onSandbox(method: string, params: Record<string, unknown>): void;
  onMessage(message: RpcMessage): void;
  /** Called for the first message of each code. */
  onRejected(rejection: ChannelRejection): void;
}

/**
 * Listens from the moment it is made, so that nothing a frame says while it loads is missed (field case 62).
 * A message counts only when both its source window and its origin are the frame's. Messages of other windows
 * are none of its business and cost one comparison (field cases 52 and 56).
 */
export function createFrameChannel(options: FrameChannelOptions): FrameChannel {
  const { listenOn, origin } = options;
  const counters: ChannelCounters = { received: 0, sent: 0, wrongOrigin: 0, malformed: 0 };

  function reject(rejection: ChannelRejection): void {
    const count = rejection.code === 'malformed' ? ++counters.malformed : ++counters.wrongOrigin;
    if (count === 1) options.onRejected(rejection);
  }

  function receive(event: MessageEvent<unknown>): void {
    if (event.source === null || event.source !== options.frame()) return;
    if (event.origin !== origin) {
      const message = `The frame speaks from ${event.origin}, not from ${origin}. Check sandbox.url and redirects.`;
      return reject({ code: 'wrong_origin', origin: event.origin, message });
    }
    const { data } = event;
    const problem = findProblem(data);
    if (problem !== undefined) return reject({ code: 'malformed', origin, message: problem });
    counters.received++;
    const message = data as RpcMessage;
    const { method, params } = message;
    if (typeof method === 'string' && method.startsWith(SANDBOX_PREFIX)) {
      options.onSandbox(method, isPlainObject(params) ? params : {});
    } else options.onMessage(message);
  }

  listenOn.addEventListener('message', receive);
  return {
    post(message) {
      const frame = options.frame();
      if (!frame) return;
      frame.postMessage(message, origin);
      counters.sent++;
    },
    counters,
    close: () => listenOn.removeEventListener('message', receive),
  };
}

/** The first thing that keeps a value from being a JSON-RPC 2.0 message, in words. */
function findProblem(value: unknown): string | undefined {
  if (!isPlainObject(value)) return 'a message must be an object';
  if (value['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  const { id, method, params, result, error } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  if (id !== undefined && !hasId) return 'id must be a string or an integer';
  if (method !== undefined) {
    if (typeof method !== 'string') return 'method must be a string';
    return params === undefined || isPlainObject(params) ? undefined : 'params must be an object';
  }
  if (!hasId) return 'a message without method must answer an id';
  if (isPlainObject(result) && error === undefined) return undefined;
  const isError =
    isPlainObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
  return isError && result === undefined ? undefined : 'an answer must have one of result and error';
}
