import {
  isPlainObject,
  STREAM_EXTENSION,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
} from '@mcp-apps-bridge/partial-results';
import { createAppRuntime } from './runtime.ts';
import type { AckParams, AppRuntime, AppRuntimeOptions } from './types.ts';

/**
 * The part of ext-apps' `App` used here; 2.x and 1.7 are assignable to it. Loosely typed, since the
 * two generations declare these members in ways no single signature covers.
 */
export interface AppLike {
  setNotificationHandler: unknown;
  addEventListener: unknown;
  notification: unknown;
  getHostCapabilities(): { experimental?: unknown } | undefined;
}

/** Pass to `new App(info, capabilities)` so that a host which can will pace by acks (D14). */
export const streamCapabilities: { experimental: Record<string, { version: number }> } = {
  experimental: { [STREAM_EXTENSION]: { version: 1 } },
};

/**
 * Feeds an `App`'s notifications into a runtime. Call before `app.connect()`: a host sends input and
 * result once, right after the handshake. The `on…` setters and `addEventListener` stay yours.
 * @param target options for a new runtime, or a function that makes one around the given `sendAck`.
 * @returns the runtime; closing it stops everything but the registrations, which live with the `App`.
 * @throws what `App` throws when another handler for tool-output-partial is already set.
 */
export function attachToApp<S>(
  app: AppLike,
  target: AppRuntimeOptions<S> | ((sendAck: (params: AckParams) => void) => AppRuntime<S>),
): AppRuntime<S> {
  const runtime =
    typeof target === 'function'
      ? target(sendAck)
      : createAppRuntime({ ...target, sendAck: target.sendAck ?? sendAck });

  function sendAck(params: AckParams): void {
    if (!acknowledges(app)) return;
    const notify = app.notification as (message: object) => Promise<void>;
    const sent = (async () => notify.call(app, { method: TOOL_OUTPUT_ACK_METHOD, params }))();
    // A host that went away takes no acks, and there is nobody else to tell.
    sent.catch(() => undefined);
  }

  const listen = app.addEventListener as (event: string, run: (params: unknown) => void) => void;
  onNotification(app, TOOL_OUTPUT_PARTIAL_METHOD, (params) => runtime.receive(params));
  onNotification(app, TOOL_OUTPUT_PROBE_METHOD, (params) => runtime.probe(params));
  listen.call(app, 'toolinput', (params) => runtime.input(params));
  listen.call(app, 'toolresult', (params) => runtime.finish(params));
  listen.call(app, 'toolcancelled', (params) => runtime.cancel(params));
  return runtime;
}

/** Acks go only to a host that negotiated them: to any other they are an unknown method. */
function acknowledges(app: AppLike): boolean {
  const experimental = app.getHostCapabilities()?.experimental;
  return isPlainObject(experimental) && isPlainObject(experimental[STREAM_EXTENSION]);
}

/**
 * Both generations want a schema and neither needs one here: the runtime checks what it gets, at a
 * thirtieth of the cost. The stand-ins satisfy Standard Schema (2.x) and the shape 1.x reads of zod's.
 */
function onNotification(app: AppLike, method: string, run: (params: unknown) => void): void {
  const register = app.setNotificationHandler as (...args: unknown[]) => void;
  const validate = (value: unknown): object => ({ value });
  const params = { '~standard': { version: 1, vendor: 'mcp-apps-bridge', validate } };
  try {
    register.call(app, method, { params }, run);
  } catch (problem) {
    const shape = { method: { value: method, _def: { value: method } } };
    const schema = { shape, safeParse: (data: unknown) => ({ success: true, data }) };
    try {
      register.call(app, schema, (message: { params?: unknown }) => run(message.params));
    } catch {
      throw problem;
    }
  }
}
