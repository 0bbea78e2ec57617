import { createCallClock, MAX_DELAY_MS } from './call-clock.ts';
import type { CallObserver, Progress } from './connection.ts';
import { checkAtLeast, PartialResultsError, type TaskHandle } from './errors.ts';
import type { AbortSignalLike } from './opt-in.ts';
import { createAbortController } from './platform.ts';
import { type Scheduler, systemScheduler } from './scheduler.ts';
import { tapTransport, type TransportLike } from './tap.ts';
import type { ClaimCounters, ClaimEvent } from './token-registry.ts';
import type { PartialToolResult, ToolResult } from './types.ts';
import { PARTIAL_RESULT_TOKEN_KEY } from './vocabulary.ts';

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
export type ResultOf<Client extends ToolClient> = [
  Extract<Awaited<ReturnType<Client['callTool']>>, { content: unknown }>,
] extends [never]
  ? ToolResult
  : Extract<Awaited<ReturnType<Client['callTool']>>, { content: unknown }>;

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
  /** Cancels the call: the server is told, with a fixed reason, and the promise rejects with `aborted`. */
  signal?: AbortSignalLike | undefined;
  /** Milliseconds the whole call may take. Default: no limit. */
  timeoutMs?: number | undefined;
  /**
   * Milliseconds without a chunk or progress, after which the call is given up. Does not run while
   * the server waits for an answer to a question it asked. `Infinity` for no limit. Default 60,000.
   */
  idleTimeoutMs?: number | undefined;
  /** Must not throw; what it throws is ignored. */
  onEvent?: ((event: CallToolEvent) => void) | undefined;
  /** Further options for the SDK's own `callTool`; `signal`, `timeout` and `onprogress` are set here. */
  requestOptions?: Record<string, unknown> | undefined;
  scheduler?: Scheduler | undefined;
}

export const DEFAULT_IDLE_TIMEOUT_MS = 60_000;

/** What the server reads on a cancel. Never the caller's own reason, which may name internals. */
const CANCEL_REASON = 'The client cancelled the call';

/**
 * Calls a tool and receives its partial results. Opts in for this call only, under a token of its
 * own; chunks under any other token, malformed ones and late ones are counted, reported to `onEvent`
 * and otherwise ignored (S9, S10). A server that knows nothing of partials just answers (S17).
 *
 * @param client a connected client of SDK v2 or v1.
 * @returns the result, which alone is authoritative.
 * @throws PartialResultsError `aborted`, `timeout`, `idle_timeout`, `connection_closed`,
 *   `task_handle`, `invalid_option`; errors of the SDK and of the server pass through.
 */
export async function callTool<Client extends ToolClient>(
  client: Client,
  params: ToolCallParams,
  options: CallToolOptions = {},
): Promise<ResultOf<Client>> {
  const { signal, timeoutMs = Infinity, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = options;
  checkAtLeast('timeoutMs', timeoutMs, 1);
  checkAtLeast('idleTimeoutMs', idleTimeoutMs, 1);
  if (signal?.aborted) throw aborted();

  const result = await new Promise<object>((resolve, reject) => {
    const request = createAbortController();
    let task: TaskHandle | undefined;
    let settled = false;

    const clock = createCallClock({
      timeoutMs,
      idleTimeoutMs,
      scheduler: options.scheduler ?? systemScheduler,
      onTimeout: (code) => giveUp(timedOut(code, code === 'timeout' ? timeoutMs : idleTimeoutMs)),
    });
    const observer: CallObserver = {
      deliver(chunk) {
        clock.alive();
        guard('onpartialresult', () => options.onpartialresult?.(chunk));
      },
      report,
      attempt(count) {
        clock.resume();
        if (count > 1) guard('onattempt', () => options.onattempt?.(count));
      },
      progress: onProgress,
      pause: clock.pause,
      resume: clock.resume,
      cut: () => giveUp(closed()),
      task(handle) {
        task = handle;
      },
    };
    const connection = options.onpartialresult && tapTransport(client.transport);
    const call = connection?.open(observer);
    if (options.onpartialresult && !call) report({ type: 'not_opted_in' });

    function report(event: CallToolEvent): void {
      try {
        options.onEvent?.(event);
      } catch {
        // An observer is no reason to fail a call.
      }
    }

    function onProgress(progress: Progress): boolean {
      if (!options.onprogress) return false;
      clock.alive();
      guard('onprogress', () => options.onprogress?.(progress));
      return true;
    }

    function guard(callback: 'onpartialresult' | 'onprogress' | 'onattempt', run: () => unknown): void {
      if (settled) return;
      const failed = (error: unknown): void => report({ type: 'callback_error', callback, error });
      try {
        const returned = run();
        if (isThenable(returned)) returned.then(undefined, failed);
      } catch (error) {
        failed(error);
      }
    }

    function settle(): boolean {
      if (settled) return false;
      settled = true;
      clock.stop();
      signal?.removeEventListener('abort', onAbort);
      call?.close();
      return true;
    }

    function giveUp(error: PartialResultsError): void {
      if (!settle()) return;
      reject(error);
      request.abort(CANCEL_REASON);
    }

    function onAbort(): void {
      giveUp(aborted());
    }
    signal?.addEventListener('abort', onAbort);

    const sdkOptions: Record<string, unknown> = {
      ...options.requestOptions,
      signal: request.signal,
      timeout: MAX_DELAY_MS, // the SDK's own limit does not know that chunks are life
      ...(options.onprogress && { onprogress: onProgress }),
    };
    const meta = { ...params._meta, ...(call && { [PARTIAL_RESULT_TOKEN_KEY]: call.key }) };
    startCall(client, Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params, sdkOptions).then(
      (value) => {
        if (!settle()) return;
        if (task) reject(becameTask(task));
        else resolve(value);
      },
      (error: unknown) => {
        if (!settle()) return;
        if (task) reject(becameTask(task, error));
        else reject(isClosed(error) ? closed(error) : error);
      },
    );
  });
  return result as ResultOf<Client>;
}

/** What became of all chunks that reached this client's present connection; undefined while it has none. */
export function getClaimCounters(client: ToolClient): Readonly<ClaimCounters> | undefined {
  return tapTransport(client.transport)?.counters;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | undefined)?.then === 'function';
}

async function startCall(client: ToolClient, params: ToolCallParams, options: object): Promise<object> {
  // v1 takes a result schema before the options; only v2 knows protocol eras.
  const isV2 = typeof (client as { getProtocolEra?: unknown }).getProtocolEra === 'function';
  const rest = (isV2 ? [options] : [undefined, options]) as never[];
  return client.callTool(params, ...rest);
}

/** v2 names the code, v1 numbers it; a server may use the same number for anything else. */
function isClosed(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'CONNECTION_CLOSED' || (code === -32000 && /Connection closed/.test(String(message)));
}

function aborted(): PartialResultsError {
  return new PartialResultsError('aborted', 'The call was cancelled by its caller');
}

function closed(cause?: unknown): PartialResultsError {
  const message = 'The connection ended before the server answered; the call may be repeated';
  return new PartialResultsError('connection_closed', message, cause === undefined ? {} : { cause });
}

function timedOut(code: 'timeout' | 'idle_timeout', ms: number): PartialResultsError {
  return code === 'timeout'
    ? new PartialResultsError(code, `No result within ${ms} ms (timeoutMs)`)
    : new PartialResultsError(code, `Neither a chunk nor progress for ${ms} ms (idleTimeoutMs)`);
}

function becameTask(task: TaskHandle, cause?: unknown): PartialResultsError {
  const message = `The server runs the call as task ${task.taskId}: its result is to be fetched with the tasks API`;
  return new PartialResultsError('task_handle', message, cause === undefined ? { task } : { task, cause });
}
