import { STREAM_EXTENSION } from '@mcp-apps-bridge/partial-results';
import { hubOf, sendAck, type AppLike } from './app-hub.ts';
import { release } from './divert.ts';
import { createAppRuntime } from './runtime.ts';
import type { AckParams, AppRuntime, AppRuntimeOptions } from './types.ts';

export type { AppLike } from './app-hub.ts';

/** Pass to `new App(info, capabilities)` so that a host which can will pace by acks (D14). */
export const streamCapabilities: { experimental: Record<string, { version: number }> } = {
  experimental: { [STREAM_EXTENSION]: { version: 1 } },
};

/**
 * Feeds an `App`'s notifications into a runtime. Call before `app.connect()`: a host sends input and
 * result once, right after the handshake. The `on…` setters and `addEventListener` stay yours.
 * @param target options for a new runtime, or a function that makes one around the given `sendAck`.
 * @returns the runtime; closing it stops everything but the registrations, which live with the `App`.
 * @throws when the App has a runtime already, or another handler for tool-output-partial.
 */
export function attachToApp<S>(
  app: AppLike,
  target: AppRuntimeOptions<S> | ((sendAck: (params: AckParams) => void) => AppRuntime<S>),
): AppRuntime<S> {
  const send = (params: AckParams): void => sendAck(app, params);
  const runtime =
    typeof target === 'function'
      ? target(send)
      : createAppRuntime({ ...target, sendAck: target.sendAck ?? send });
  hubOf(app).main(runtime);

  const listen = app.addEventListener as (event: string, run: (params: unknown) => void) => void;
  const on = (event: string, what: 'input' | 'finish' | 'cancel'): void =>
    listen.call(app, event, (params) => runtime[what](params));
  on('toolinput', 'input');
  on('toolresult', 'finish');
  on('toolcancelled', 'cancel');
  if (typeof target === 'function') return runtime;
  return {
    ...runtime,
    close() {
      runtime.close();
      release(app);
    },
  };
}
