import type { PartialResultBody } from '../types.ts';

/** A chunk as a task's log keeps it: without token, in the one `seq` space of its call. */
export interface LoggedChunk {
  seq: number;
  body: PartialResultBody;
}

/** A stretch of a task's log. */
export interface LogPage {
  /** In rising order of `seq`, each above the cursor. Not all there is, if the last is below `nextSeq - 1`. */
  chunks: LoggedChunk[];
  /** The number that the next chunk to be logged will have at least; 0 for an empty log. */
  nextSeq: number;
  /** The first number still kept, when older ones were given up to stay within the caps. */
  truncatedBefore?: number;
}

/** States of a task (SEP-2663). */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as `tasks/get` describes it (SEP-2663). */
export interface TaskRecord {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** Milliseconds from creation after which task and log may be gone. */
  ttlMs: number;
  /** Milliseconds a client should let pass between two polls. */
  pollIntervalMs: number;
  /** Set when `completed`: the `CallToolResult`. */
  result?: Record<string, unknown>;
  /** Set when `failed`: the JSON-RPC error. */
  error?: { code: number; message: string };
}

/** How a task ended. */
export type TaskEnd = Pick<TaskRecord, 'status' | 'statusMessage' | 'result' | 'error'>;

/** Bounds of what a store keeps and gives. */
export interface TaskLogLimits {
  /** Chunks kept per task, the newest. Default 10,000. */
  maxChunks: number;
  /** Bytes kept per task, of the chunks' JSON. At least the newest chunk is kept. Default 8 MiB. */
  maxBytes: number;
  /** Chunks in one page. Default 256. */
  maxPageChunks: number;
  /** Bytes in one page, of the chunks' JSON. At least one chunk is given. Default 1 MiB. */
  maxPageBytes: number;
}

export const DEFAULT_TASK_LOG_LIMITS: Readonly<TaskLogLimits> = {
  maxChunks: 10_000,
  maxBytes: 8 * 1024 * 1024,
  maxPageChunks: 256,
  maxPageBytes: 1024 * 1024,
};

/**
 * Where tasks and their logs live. Any node that reaches the store can answer for any task. Methods reject when
 * the store cannot be reached, and only then.
 */
export interface TaskStore {
  /** Resolves when a `get` from any node would find the task. */
  create(record: TaskRecord, chunks: readonly LoggedChunk[]): Promise<void>;
  /** Undefined when there is no such task, or no longer. */
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** Adds a chunk; one whose `seq` is not above the last is dropped, so that a retry does no harm.
   * @returns false when the task has ended or is gone: the work may stop.
   */
  append(taskId: string, chunk: LoggedChunk): Promise<boolean>;
  /** The log above `afterSeq`, -1 for all of it. Undefined when there is no such task. */
  read(taskId: string, afterSeq: number): Promise<LogPage | undefined>;
  /** Ends a task; the first end counts.
   * @returns false when it had ended or is gone.
   */
  finish(taskId: string, end: TaskEnd, lastUpdatedAt: string): Promise<boolean>;
}

export function isTerminal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
