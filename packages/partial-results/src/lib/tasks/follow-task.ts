import { createCallClock } from '../call-clock.ts';
import { aborted, timedOut } from '../call-outcome.ts';
import { checkAtLeast, PartialResultsError } from '../errors.ts';
import { isPlainObject } from '../guards.ts';
import type { AbortSignalLike } from '../opt-in.ts';
import { createAbortController } from '../platform.ts';
import { systemScheduler, type Scheduler } from '../scheduler.ts';
import type { PartialToolResult, ToolResult } from '../types.ts';
import { TASK_LOG_META_KEY } from '../vocabulary.ts';
import { createTaskLogReader, type TaskLogEvent } from './task-log-reader.ts';
import { requestTask, type TaskClient } from './request-task.ts';

/** Trouble that does not end the following of a task. */
export type FollowTaskEvent =
  | TaskLogEvent
  /** A poll failed; the next comes after a pause. */
  | { type: 'poll_failed'; error: unknown }
  | { type: 'callback_error'; callback: 'onpartialresult'; error: unknown };

/** Options of {@link followTask}. */
export interface FollowTaskOptions {
  /** Receives each chunk of the task's log once, in rising order of `seq`, before the result. */
  onpartialresult?: ((chunk: PartialToolResult) => void) | undefined;
  /** The last number seen already. Default -1: from the beginning. */
  afterSeq?: number | undefined;
  /** Stops following; the task goes on. */
  signal?: AbortSignalLike | undefined;
  /** Milliseconds to follow at most. Default: no limit. */
  timeoutMs?: number | undefined;
  /** Milliseconds between two polls where the server names none. Default 1,000. */
  pollIntervalMs?: number | undefined;
  /** Polls in a row that may fail before it is given up. Default 5. */
  maxFailures?: number | undefined;
  /** Must not throw; what it throws is ignored. */
  onEvent?: ((event: FollowTaskEvent) => void) | undefined;
  scheduler?: Scheduler | undefined;
}

/** A server's word on the interval, within these milliseconds. */
const MIN_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 60_000;

/**
 * Follows a task by polling until it ends, from any client that knows its id: the one that made the call, or one
 * started since. The log's pages are read by cursor, so nothing is applied twice whatever is repeated.
 * @returns the result the call would have had.
 * @throws PartialResultsError `aborted`, `timeout`, `task_failed`, `task_cancelled`, `task_unknown`, `invalid_option`;
 *   the last poll's error after `maxFailures` in a row.
 */
export async function followTask(
  client: TaskClient,
  taskId: string,
  options: FollowTaskOptions = {},
): Promise<ToolResult> {
  const { afterSeq = -1, timeoutMs = Infinity, pollIntervalMs = 1000, maxFailures = 5, signal } = options;
  checkAtLeast('afterSeq', afterSeq, -1);
  checkAtLeast('timeoutMs', timeoutMs, 1);
  checkAtLeast('pollIntervalMs', pollIntervalMs, 1);
  checkAtLeast('maxFailures', maxFailures, 1);
  const scheduler = options.scheduler ?? systemScheduler;
  const request = createAbortController();
  let stopped: PartialResultsError | undefined;
  let wake: (() => void) | undefined;

  function stop(error: PartialResultsError): void {
    stopped ??= error;
    request.abort();
    wake?.();
  }
  function checkStopped(): void {
    if (stopped) throw stopped;
  }
  const onAbort = (): void => stop(aborted());
  const clock = createCallClock({
    timeoutMs,
    idleTimeoutMs: Infinity,
    scheduler,
    onTimeout: () => stop(timedOut('timeout', timeoutMs)),
  });
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = scheduler.delay(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  function emit(event: FollowTaskEvent): void {
    try {
      options.onEvent?.(event);
    } catch {
      // An observer is no reason to fail.
    }
  }

  const log = createTaskLogReader({
    taskId,
    afterSeq,
    deliver(chunk) {
      try {
        if (!stopped) options.onpartialresult?.(chunk);
      } catch (error) {
        emit({ type: 'callback_error', callback: 'onpartialresult', error });
      }
    },
    onEvent: emit,
  });

  async function poll(): Promise<Record<string, unknown>> {
    const _meta = options.onpartialresult && { _meta: { [TASK_LOG_META_KEY]: { afterSeq: log.cursor } } };
    return requestTask(client, 'tasks/get', { taskId, ..._meta }, request.signal);
  }

  /** Tasks of 2025-11-25 keep their result apart. */
  async function readResult(): Promise<ToolResult> {
    try {
      return await requestTask(client, 'tasks/result', { taskId }, request.signal);
    } finally {
      checkStopped();
    }
  }

  try {
    let failures = 0;
    for (;;) {
      checkStopped();
      let task: Record<string, unknown> | undefined;
      try {
        task = await poll();
        failures = 0;
      } catch (error) {
        checkStopped();
        if (isUnknownTask(error)) throw unknownTask(taskId, error);
        failures++;
        if (failures === maxFailures) throw error;
        emit({ type: 'poll_failed', error });
      }
      checkStopped();
      const meta = task?.['_meta'];
      const more = isPlainObject(meta) && log.read(meta[TASK_LOG_META_KEY]);
      checkStopped();
      const { status, result } = task ?? {};
      if (status === 'completed') return isPlainObject(result) ? result : await readResult();
      if (task && (status === 'failed' || status === 'cancelled')) throw ended(task);
      if (!more) await pause(intervalOf(task, pollIntervalMs) * 2 ** failures);
    }
  } finally {
    clock.stop();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Asks the server to stop a task. Its status says what came of it. */
export async function cancelTask(client: TaskClient, taskId: string): Promise<void> {
  await requestTask(client, 'tasks/cancel', { taskId });
}

function isUnknownTask(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === -32602;
}

function unknownTask(taskId: string, cause: unknown): PartialResultsError {
  return new PartialResultsError('task_unknown', `The server knows no task ${taskId}, or no longer`, {
    cause,
  });
}

function ended(task: Record<string, unknown>): PartialResultsError {
  if (task['status'] === 'cancelled')
    return new PartialResultsError('task_cancelled', 'The task was cancelled');
  const error = isPlainObject(task['error']) ? task['error'] : {};
  const message = typeof error['message'] === 'string' ? error['message'] : 'The task failed';
  return new PartialResultsError('task_failed', message, { cause: error });
}

function intervalOf(task: Record<string, unknown> | undefined, fallback: number): number {
  const asked = task?.['pollIntervalMs'] ?? task?.['pollInterval'];
  const ms = typeof asked === 'number' && Number.isFinite(asked) ? asked : fallback;
  return Math.min(Math.max(ms, MIN_INTERVAL_MS), MAX_INTERVAL_MS);
}
