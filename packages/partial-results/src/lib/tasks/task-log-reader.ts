import { isPlainObject, parsePartialToolResult } from '../guards.ts';
import type { PartialToolResult, Rejection } from '../types.ts';

/** What was wrong with a page of a task's log. */
export type TaskLogEvent =
  /** A chunk in the log is none. */
  | { type: 'invalid'; rejection: Rejection }
  /** The server gave chunks up to keep its log within bounds. */
  | { type: 'truncated'; first: number; last: number };

export interface TaskLogReader {
  /** The last number seen. */
  readonly cursor: number;
  /** Takes a page, whatever it is. @returns whether the log holds more than the page did. */
  read(page: unknown): boolean;
}

export interface TaskLogReaderOptions {
  taskId: string;
  /** The last number seen already, -1 for none. */
  afterSeq: number;
  deliver(chunk: PartialToolResult): void;
  onEvent(event: TaskLogEvent): void;
}

/** Reads a log page by page. What lies at or below the cursor is known, so that repeating a page does no harm. */
export function createTaskLogReader({
  taskId,
  afterSeq,
  deliver,
  onEvent,
}: TaskLogReaderOptions): TaskLogReader {
  let cursor = afterSeq;

  function take(value: unknown): void {
    const { seq, body } = isPlainObject(value) ? value : {};
    const content = isPlainObject(body) ? body : {};
    const parsed = parsePartialToolResult({ ...content, partialResultToken: taskId, seq, taskId });
    if (!parsed.ok) return onEvent({ type: 'invalid', rejection: parsed.rejection });
    if (parsed.value.seq <= cursor) return;
    cursor = parsed.value.seq;
    deliver(parsed.value);
  }

  return {
    get cursor() {
      return cursor;
    },
    read(page) {
      if (!isPlainObject(page) || !Array.isArray(page['chunks'])) return false;
      const { chunks, nextSeq, truncatedBefore } = page;
      const start = cursor;
      if (isAbove(truncatedBefore, cursor + 1)) {
        onEvent({ type: 'truncated', first: cursor + 1, last: truncatedBefore - 1 });
        cursor = truncatedBefore - 1;
      }
      for (const chunk of chunks as unknown[]) take(chunk);
      return cursor > start && isAbove(nextSeq, cursor + 1);
    },
  };
}

function isAbove(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) > least;
}
