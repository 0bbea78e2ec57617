import {
  CLIENT_CAPABILITIES_KEY,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { hubOf, negotiated, sendAck, type AppLike } from './app-hub.ts';
import { createAppRuntime } from './runtime.ts';
import type { AppRuntime, AppRuntimeOptions } from './types.ts';

/** The part of ext-apps' `App` used for a call; 2.x and 1.7 are assignable to it. */
export interface CallingApp extends AppLike {
  callServerTool: unknown;
}

/** `params` of `tools/call`. */
export interface StreamingCallParams {
  name: string;
  arguments?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

export interface StreamingCallOptions<S> extends Omit<AppRuntimeOptions<S>, 'sendAck'> {
  /** Cancels the call when it aborts. */
  signal?: AbortSignal;
  /** Asks for progress, which may come beside chunks or without them. */
  onprogress?(progress: { progress: number; total?: number; message?: string }): void;
  /** Further options of `callServerTool`. Its own limit of time is off by default: the host has one. */
  requestOptions?: Record<string, unknown>;
}

/** A call under way. */
export interface StreamingCall<S> {
  /** Its stream and end, as a runtime of its own: states, counters and events as for the tool's own call. */
  readonly runtime: AppRuntime<S>;
  /**
   * The result as the host answered it, error results included. Rejects when there is none: a JSON-RPC error, a
   * cancel. The runtime then says `failed` or `cancelled`, so that nobody has to wait for this.
   */
  readonly result: Promise<ToolResult>;
  /** Tells the host, which tells the server. */
  cancel(): void;
}

/** The longest an SDK's timer takes, in milliseconds. */
const NO_TIMEOUT = 2_147_483_647;

/**
 * Calls a tool of the app's own server and streams what it sends (SEP-2998), where host and server can; the
 * result is the same where they cannot. The app must be connected. Chunks are told from those of the call the app
 * was opened for by their token and do not reach the runtime of `attachToApp`.
 * @throws when the App has another handler for tool-output-partial.
 */
export function callToolStreaming<S>(
  app: CallingApp,
  params: StreamingCallParams,
  options: StreamingCallOptions<S>,
): StreamingCall<S> {
  const { signal, onprogress, requestOptions, ...rest } = options;
  const controller = new AbortController();
  const runtime = createAppRuntime({ ...rest, sendAck: (ack) => sendAck(app, ack) });
  const token = createToken();
  const release = hubOf(app).own(token, runtime);
  if (params.arguments) runtime.input({ arguments: params.arguments });

  function cancel(): void {
    runtime.cancel();
    controller.abort();
  }

  async function call(): Promise<ToolResult> {
    const optIn = {
      [PARTIAL_RESULT_TOKEN_KEY]: token,
      [CLIENT_CAPABILITIES_KEY]: { [PARTIAL_RESULTS_CAPABILITY]: {} },
    };
    const meta = { ...params._meta, ...(negotiated(app) && optIn) };
    const run = app.callServerTool as (params: object, options: object) => Promise<ToolResult>;
    const request = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    const result = await run.call(app, request, {
      timeout: NO_TIMEOUT,
      ...requestOptions,
      signal: controller.signal,
      ...(onprogress && { onprogress }),
    });
    runtime.finish(result);
    return result;
  }

  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  const result = call();
  result
    .catch((error: unknown) => {
      // After a cancel this comes too late to count.
      const text = error instanceof Error ? error.message : String(error);
      runtime.finish({ isError: true, content: [{ type: 'text', text }] });
    })
    .finally(() => {
      signal?.removeEventListener('abort', cancel);
      release();
    });
  return { runtime, result, cancel };
}

/** Random enough to collide with no other; `getRandomValues` also exists where `randomUUID` does not. */
function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
