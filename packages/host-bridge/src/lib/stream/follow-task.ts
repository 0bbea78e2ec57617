import type { PartialToolResult, ToolResult } from '@mcp-apps-bridge/partial-results';
import {
  cancelTask,
  followTask,
  PartialResultsError,
  type FollowTaskEvent,
  type TaskClient,
  type TaskHandle,
} from '@mcp-apps-bridge/partial-results/client';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';

export interface TaskFollowerOptions {
  client: object;
  /** Takes chunks, live ones and logged ones alike. */
  push(chunk: PartialToolResult): void;
  /** Whether chunks are wanted. */
  partials: boolean;
  /** The embedder's own way to the result. */
  resolveTask: ((task: TaskHandle, signal: AbortSignal) => Promise<ToolResult>) | undefined;
  signal: AbortSignal;
  /** Milliseconds from now on. */
  timeoutMs: number | undefined;
  scheduler: Scheduler;
  onEvent(event: FollowTaskEvent): void;
}

/** The part of a call after it became a task, if it does. */
export interface TaskFollower {
  /** A chunk of the request's own stream. */
  push(chunk: PartialToolResult): void;
  /** A new attempt numbers from 0 again. */
  restart(): void;
  /** Goes on where the stream ended, and gives the result. */
  follow(task: TaskHandle): Promise<ToolResult>;
  /** Tells the server to stop the task, if there is one. */
  cancel(): void;
}

export function createTaskFollower(options: TaskFollowerOptions): TaskFollower {
  const { push, scheduler, signal, timeoutMs = Infinity } = options;
  const client = options.client as TaskClient;
  const started = scheduler.now();
  /** All numbers up to it were seen; a hole in the live stream is filled from the log. */
  let seen = -1;
  let following: string | undefined;

  function poll(taskId: string, left: number): Promise<ToolResult> {
    return followTask(client, taskId, {
      onpartialresult: options.partials ? push : undefined,
      afterSeq: seen,
      signal,
      timeoutMs: left,
      onEvent: options.onEvent,
      scheduler,
    });
  }

  /** What the embedder does for it may never settle. */
  function bounded(work: Promise<ToolResult>, left: number): Promise<ToolResult> {
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        reject(new PartialResultsError('timeout', `No result within ${timeoutMs} ms (timeoutMs)`));
      };
      const stop = left === Infinity ? undefined : scheduler.delay(left, expire);
      const onAbort = (): void => reject(new PartialResultsError('aborted', 'The call was cancelled'));
      signal.addEventListener('abort', onAbort, { once: true });
      void work.then(resolve, reject).finally(() => {
        stop?.();
        signal.removeEventListener('abort', onAbort);
      });
    });
  }

  return {
    push(chunk) {
      if (chunk.seq === seen + 1) seen++;
      push(chunk);
    },
    restart() {
      seen = -1;
    },
    async follow(task) {
      following = task.taskId;
      const left = Math.max(1, started + timeoutMs - scheduler.now());
      try {
        if (options.resolveTask) return await bounded(options.resolveTask(task, signal), left);
        return await poll(task.taskId, left);
      } finally {
        if (!signal.aborted) following = undefined;
      }
    },
    cancel() {
      if (following === undefined || typeof client.request !== 'function') return;
      cancelTask(client, following).catch(() => {}); // it ends by its time to live
      following = undefined;
    },
  };
}
