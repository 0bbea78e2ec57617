import type { EmitLimits } from './emit-limits.ts';
import { canMerge, mergeBodies, readMergeModes } from './merge.ts';
import type { Cancel, Scheduler } from './scheduler.ts';
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
  waiting: Array<() => void>;
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
  let idle: Array<() => void> = [];

  function push(body: PartialResultBody): Promise<void> {
    if (closed) return Promise.resolve();
    const size = estimateSize(body);
    const tail = queue.at(-1);
    if (tail && skipped === 0 && mergeInto(tail, body)) {
      options.onMerged();
      return wait(tail);
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
      return new Promise((resolve) => scheduler.macrotask(resolve));
    }
    const entry: Entry = { body, size, skipped, count: 1, waiting: [] };
    skipped = 0;
    queue.push(entry);
    queuedBytes += size;
    const sent = wait(entry);
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

  function wait(entry: Entry): Promise<void> {
    return new Promise((resolve) => {
      const cancel = scheduler.delay(limits.maxWaitMs, resolve);
      entry.waiting.push(() => {
        cancel();
        resolve();
      });
    });
  }

  function pump(): void {
    if (sending || closed) return;
    const entry = queue.shift();
    if (!entry) {
      for (const done of idle.splice(0)) done();
      return;
    }
    sending = entry;
    queuedBytes -= entry.size;
    void send(entry.body, entry.skipped).then(() => {
      sending = undefined;
      // A message is only on its way once the event loop has turned: HTTP flushes nothing before.
      scheduler.macrotask(() => release(entry));
      pump();
    });
  }

  function flush(): Promise<void> {
    if (closed || (!sending && queue.length === 0)) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel: Cancel = scheduler.delay(limits.maxFlushMs, resolve);
      idle.push(() => {
        cancel();
        resolve();
      });
    });
  }

  function close(): void {
    if (closed) return;
    closed = true;
    const discarded = queue;
    queue = [];
    queuedBytes = 0;
    const count = discarded.reduce((sum, entry) => sum + entry.count, 0);
    if (count > 0) options.onDropped(count, 'closed');
    if (sending) release(sending);
    discarded.forEach(release);
    for (const done of idle) done();
    idle = [];
  }

  return { push, flush, close };
}

function release(entry: Entry): void {
  for (const resolve of entry.waiting.splice(0)) resolve();
}

function withoutStructured({ content }: MergeModes): MergeModes {
  return content === undefined ? {} : { content };
}
