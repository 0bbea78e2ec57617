import { createCallClock, MAX_DELAY_MS } from './call-clock.ts';
import {
  type CallToolEvent,
  type CallToolOptions,
  DEFAULT_IDLE_TIMEOUT_MS,
  type ResultOf,
  type ToolCallParams,
  type ToolClient,
} from './call-options.ts';
import { aborted, becameTask, closed, isClosed, timedOut } from './call-outcome.ts';
import { readTaskHandle, type CallObserver, type Progress } from './connection.ts';
import { checkAtLeast, type PartialResultsError, type TaskHandle } from './errors.ts';
import { createAbortController } from './platform.ts';
import { systemScheduler } from './scheduler.ts';
import { tapTransport } from './tap.ts';
import type { ClaimCounters } from './token-registry.ts';
import { PARTIAL_RESULT_TOKEN_KEY } from './vocabulary.ts';

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
    // Tapped for its questions, cuts and task handle too, whoever listens to chunks.
    const optIn = options.onpartialresult !== undefined;
    const call = tapTransport(client.transport)?.open(observer, { optIn });
    if (optIn && !call) report({ type: 'not_opted_in' });

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
        task ??= taskHandleIn(value);
        if (task) reject(becameTask(task));
        else resolve(value);
      },
      (error: unknown) => {
        if (!settle()) return;
        if (task) reject(becameTask(task, error));
        else reject(isClosed(error) ? closed(error) : (error as Error));
      },
    );
  });
  return result as ResultOf<Client>;
}

/** For a connection that is not tapped; the SDKs give a handle the empty `content` of a result, other clients none. */
function taskHandleIn(value: object): TaskHandle | undefined {
  const { content, ...rest } = value as { content?: unknown };
  const isEmpty = content === undefined || (Array.isArray(content) && content.length === 0);
  return isEmpty ? readTaskHandle(rest) : undefined;
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
