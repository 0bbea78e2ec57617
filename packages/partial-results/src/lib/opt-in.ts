import { isPlainObject, isToken } from './guards.ts';
import type { PartialResultToken } from './types.ts';
import {
  CLIENT_CAPABILITIES_KEY,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
} from './vocabulary.ts';

/** What both SDK generations accept as a notification tied to the request. */
export interface OutgoingNotification {
  method: string;
  params: Record<string, unknown>;
}

/** The part of an `AbortSignal` the emitter uses. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** One call, as either SDK generation describes it to a tool handler. */
export interface CallContext {
  notify(notification: OutgoingNotification): Promise<unknown>;
  /** Undefined unless this very call opted in. */
  token: PartialResultToken | undefined;
  signal: AbortSignalLike | undefined;
  taskId: string | undefined;
}

/**
 * Reads the second argument of a tool handler: `ctx` of SDK v2, `extra` of SDK v1. Undefined for
 * anything else, so that a handler called by hand, in a unit test, runs without partials.
 */
export function readCallContext(context: unknown): CallContext | undefined {
  if (!isPlainObject(context)) return undefined;
  const v2 = context['mcpReq'];
  if (isPlainObject(v2)) {
    // v2 lifts the reserved keys out of `_meta`, on legacy connections too. They are as received.
    return describe(v2, 'notify', v2['_meta'], v2['envelope'], context['task']);
  }
  return describe(context, 'sendNotification', context['_meta'], context['_meta'], context);
}

function describe(
  request: Record<string, unknown>,
  method: string,
  meta: unknown,
  envelope: unknown,
  task: unknown,
): CallContext | undefined {
  const notify = request[method];
  if (typeof notify !== 'function') return undefined;
  const taskId = isPlainObject(task) ? task['taskId'] : undefined;
  return {
    notify: async (notification) => notify.call(request, notification),
    token: readOptIn(meta, envelope),
    signal: isSignal(request['signal']) ? request['signal'] : undefined,
    taskId: typeof taskId === 'string' ? taskId : undefined,
  };
}

/** The token, if the call's own `_meta` has both the capability and a token (S1, S2). */
function readOptIn(meta: unknown, envelope: unknown): PartialResultToken | undefined {
  const capabilities = isPlainObject(envelope) ? envelope[CLIENT_CAPABILITIES_KEY] : undefined;
  if (!isPlainObject(capabilities) || !isPlainObject(capabilities[PARTIAL_RESULTS_CAPABILITY]))
    return undefined;
  const token = isPlainObject(meta) ? meta[PARTIAL_RESULT_TOKEN_KEY] : undefined;
  return isToken(token) ? token : undefined;
}

function isSignal(value: unknown): value is AbortSignalLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { aborted?: unknown }).aborted === 'boolean' &&
    typeof (value as { addEventListener?: unknown }).addEventListener === 'function'
  );
}

/** A request's `_meta` with the capability beside those the SDK put there (S1). */
export function withCapability(meta: Record<string, unknown>): Record<string, unknown> {
  const capabilities = meta[CLIENT_CAPABILITIES_KEY];
  return {
    ...meta,
    [CLIENT_CAPABILITIES_KEY]: {
      ...(isPlainObject(capabilities) && capabilities),
      [PARTIAL_RESULTS_CAPABILITY]: {},
    },
  };
}
