import { PartialResultsError, type TaskHandle } from './errors.ts';

/* How a call can end without a result. */

/** v2 names the code, v1 numbers it; a server may use the same number for anything else. */
export function isClosed(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'CONNECTION_CLOSED' || (code === -32000 && /Connection closed/.test(String(message)));
}

export function aborted(): PartialResultsError {
  return new PartialResultsError('aborted', 'The call was cancelled by its caller');
}

export function closed(cause?: unknown): PartialResultsError {
  const message = 'The connection ended before the server answered; the call may be repeated';
  return new PartialResultsError('connection_closed', message, cause === undefined ? {} : { cause });
}

export function timedOut(code: 'timeout' | 'idle_timeout', ms: number): PartialResultsError {
  return code === 'timeout'
    ? new PartialResultsError(code, `No result within ${ms} ms (timeoutMs)`)
    : new PartialResultsError(code, `Neither a chunk nor progress for ${ms} ms (idleTimeoutMs)`);
}

export function becameTask(task: TaskHandle, cause?: unknown): PartialResultsError {
  const message = `The server runs the call as task ${task.taskId}: its result is to be fetched with the tasks API`;
  return new PartialResultsError('task_handle', message, cause === undefined ? { task } : { task, cause });
}
