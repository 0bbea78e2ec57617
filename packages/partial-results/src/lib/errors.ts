/**
 * What went wrong.
 * - `invalid_body`: a tool emitted something that is no chunk; `message` names the field (server).
 * - `invalid_option`: an option is out of range (both).
 * - `aborted`: the caller's signal fired (client).
 * - `timeout`: the call took longer than `timeoutMs` (client).
 * - `idle_timeout`: neither a chunk nor progress for `idleTimeoutMs` (client).
 * - `connection_closed`: the connection or the response stream ended before the response (client).
 * - `task_handle`: the server answered with a task in place of a result; see `task` (client).
 * - `task_failed`: the task ended with a JSON-RPC error, the `cause` (client).
 * - `task_cancelled`: the task was cancelled (client).
 * - `task_unknown`: the server knows no such task, or no longer (client).
 */
export type PartialResultsErrorCode =
  | 'invalid_body'
  | 'invalid_option'
  | 'aborted'
  | 'timeout'
  | 'idle_timeout'
  | 'connection_closed'
  | 'task_handle'
  | 'task_failed'
  | 'task_cancelled'
  | 'task_unknown';

/** The handle of a task, as the server sent it. */
export interface TaskHandle {
  taskId: string;
  [key: string]: unknown;
}

/** The one error class of this package. Errors the SDK or the server raised pass through as they are. */
export class PartialResultsError extends Error {
  override readonly name = 'PartialResultsError';
  readonly code: PartialResultsErrorCode;
  /** Set with code `task_handle`. */
  readonly task?: TaskHandle;

  constructor(
    code: PartialResultsErrorCode,
    message: string,
    details: { cause?: unknown; task?: TaskHandle } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.task) this.task = details.task;
  }
}

/** Throws `invalid_option` unless `value` is a number of at least `min`, or `Infinity`. */
export function checkAtLeast(name: string, value: number, min: number): void {
  if (typeof value === 'number' && value >= min) return;
  throw new PartialResultsError(
    'invalid_option',
    `${name} must be a number from ${min}, got ${String(value)}`,
  );
}
