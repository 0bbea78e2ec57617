import type { EmitLimits } from './emit-limits.ts';
import { canMerge, mergeBodies, readMergeModes } from './merge.ts';
import type { Scheduler } from './scheduler.ts';
import { createSharedWait, createTimedWait, type SharedWait } from './shared-wait.ts';
import { estimateSize } from './size.ts';
import type { MergeModes, PartialResultBody } from './types.ts';

export interface EmitQueue {
  /**
   * Queues one body behind the earlier ones. Resolves, never rejects, in a task of its own once the
   * body is sent, dropped or discarded, or after `maxWaitMs`.
   */
  push(body: PartialResultBody): Promise<void>;
  /** Resolves when nothing waits any more, or after `maxFlushMs`. */
  flush(): Promise<void>;
  /** Discards what waits and lets every waiter go. Idempotent. */
  close(): void;
}

export interface EmitQueueOptions {
  /** Sends one body; `skipped` bodies before it were dropped. Must not reject or throw. */
  send(body: PartialResultBody, skipped: number): Promise<void>;
  onMerged(): void;
  onDropped(count: number, reason: 'count' | 'bytes' | 'closed'): void;
  modes: MergeModes;
  limits: EmitLimits;
  scheduler: Scheduler;
}

interface Entry {
  body: PartialResultBody;
  size: number;
  /** Bodies dropped between the entry before and this one. */
  skipped: number;
  /** Bodies merged into this one, itself included. */
  count: number;
  waiting: SharedWait;
}

/**
 * One send at a time: sends that are not chained pile listeners up on the transport, and one that
 * waits can still merge with its successors.
 */
export function createEmitQueue(options: EmitQueueOptions): EmitQueue {
  const { send, limits, scheduler } = options;
  // Patches do not compose, and a message with two of them is this project's own dialect of the view hop.
  const modes =
    options.modes.structuredContent === 'merge-patch' ? withoutStructured(options.modes) : options.modes;
  let queue: Entry[] = [];
  let queuedBytes = 0;
  let skipped = 0;
  let sending: Entry | undefined;
  let closed = false;
  const idle = createTimedWait(limits.maxFlushMs, scheduler);
  const turn = createSharedWait((end) => scheduler.macrotask(end));

  function push(body: PartialResultBody): Promise<void> {
    if (closed) return Promise.resolve();
    const size = estimateSize(body);
    const tail = queue.at(-1);
    if (tail && skipped === 0 && mergeInto(tail, body)) {
      options.onMerged();
      return tail.waiting.join();
    }
    const over =
      queue.length >= limits.maxQueued
        ? 'count'
        : tail && queuedBytes + size > limits.maxQueuedBytes
          ? 'bytes'
          : undefined;
    if (over) {
      // The newest goes: what is queued stays an unbroken continuation of what was sent.
      skipped++;
      options.onDropped(1, over);
      return turn.join();
    }
    const waiting = createTimedWait(limits.maxWaitMs, scheduler);
    const entry: Entry = { body, size, skipped, count: 1, waiting };
    skipped = 0;
    queue.push(entry);
    queuedBytes += size;
    const sent = waiting.join();
    pump();
    return sent;
  }

  function mergeInto(tail: Entry, body: PartialResultBody): boolean {
    const effective = { ...modes, ...readMergeModes(body._meta) };
    if (effective.structuredContent === 'merge-patch') delete effective.structuredContent;
    if (!canMerge(tail.body, body, effective)) return false;
    const merged = mergeBodies(tail.body, body, effective);
    const size = estimateSize(merged);
    if (size > limits.maxMergedBytes || queuedBytes - tail.size + size > limits.maxQueuedBytes) return false;
    queuedBytes += size - tail.size;
    tail.body = merged;
    tail.size = size;
    tail.count++;
    return true;
  }

  function pump(): void {
    if (sending || closed) return;
    const entry = queue.shift();
    if (!entry) {
      idle.release();
      return;
    }
    sending = entry;
    queuedBytes -= entry.size;
    void send(entry.body, entry.skipped).then(() => {
      sending = undefined;
      // A message is only on its way once the event loop has turned: HTTP flushes nothing before.
      scheduler.macrotask(entry.waiting.release);
      pump();
    });
  }

  function flush(): Promise<void> {
    return closed || (!sending && queue.length === 0) ? Promise.resolve() : idle.join();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    const discarded = queue;
    queue = [];
    queuedBytes = 0;
    const count = discarded.reduce((sum, entry) => sum + entry.count, 0);
    if (count > 0) options.onDropped(count, 'closed');
    for (const entry of sending ? [sending, ...discarded] : discarded) entry.waiting.release();
    idle.release();
  }

  return { push, flush, close };
}

function withoutStructured({ content }: MergeModes): MergeModes {
  return content === undefined ? {} : { content };
}
