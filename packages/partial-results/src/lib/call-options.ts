import type { Progress } from './connection.ts';
import type { AbortSignalLike } from './opt-in.ts';
import type { Scheduler } from './scheduler.ts';
import type { TransportLike } from './tap.ts';
import type { ClaimEvent } from './token-registry.ts';
import type { PartialToolResult, ToolResult } from './types.ts';

/** `params` of `tools/call`. */
export interface ToolCallParams {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/** What is used of an SDK client; those of v2 and v1 both fit. */
export interface ToolClient {
  callTool(params: ToolCallParams, ...rest: never[]): Promise<object>;
  readonly transport?: TransportLike | undefined;
}

/** The result type of the client given; {@link ToolResult} for one that does not say. */
export type ResultOf<Client extends ToolClient> = Client['callTool'] extends (
  ...params: never[]
) => Promise<infer Result>
  ? [Extract<Result, { content: unknown }>] extends [never]
    ? ToolResult
    : Extract<Result, { content: unknown }>
  : ToolResult;

/** Trouble that does not end the call, and the call's own turning points. */
export type CallToolEvent =
  | ClaimEvent
  /** A callback threw or rejected; the stream goes on. */
  | { type: 'callback_error'; callback: 'onpartialresult' | 'onprogress' | 'onattempt'; error: unknown }
  /** The client's transport could not be tapped: the call runs without chunks. */
  | { type: 'not_opted_in' };

/** Options of {@link callTool}. */
export interface CallToolOptions {
  /**
   * Opts the call in and receives each valid chunk, in order of arrival, before the result. `seq` may
   * have gaps, repeat or be out of order: reorder with `createReorder` of `./stream` (S4–S6).
   */
  onpartialresult?: ((chunk: PartialToolResult) => void) | undefined;
  /** Asks the server for progress notifications, which then count as life. */
  onprogress?: ((progress: Progress) => void) | undefined;
  /**
   * Attempt 2, 3, … is about to be sent: the server wanted input (MRTR), or the SDK retried. `seq`
   * restarts at 0 and what was streamed before is void.
   */
  onattempt?: ((attempt: number) => void) | undefined;
  /**
   * Cancels the call: the promise rejects with `aborted` and the server is told, with a fixed reason.
   * A legacy endpoint without sessions cannot tell which call is meant and works on.
   */
  signal?: AbortSignalLike | undefined;
  /** Milliseconds the whole call may take. Default: no limit. */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds without a chunk or progress, after which the call is given up. Does not run while
   * the server waits for an answer to a question it asked. The only guard against a cut HTTP stream
   * under an SDK v1 client, which does not say. `Infinity` for no limit. Default 60,000.
   */
  idleTimeoutMs?: number | undefined;
  /** Must not throw; what it throws is ignored. */
  onEvent?: ((event: CallToolEvent) => void) | undefined;
  /** Further options for the SDK's own `callTool`; `signal`, `timeout` and `onprogress` are set here. */
  requestOptions?: Record<string, unknown> | undefined;
  scheduler?: Scheduler | undefined;
}

export const DEFAULT_IDLE_TIMEOUT_MS = 60_000;
