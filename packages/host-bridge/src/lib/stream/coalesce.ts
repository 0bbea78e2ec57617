import { resolveLimits } from '../limits.ts';
import { mergeChunks } from './chunk.ts';
import type { OutputChunk } from './types.ts';

export interface CoalesceLimits {
  /**
   * Estimated bytes up to which queued neighbours merge into one message. Default 12,000: a
   * cross-origin `window.postMessage` of 16,384 bytes or more stalls the receiver for milliseconds.
   * A single chunk above it travels alone.
   */
  batchBytes: number;
  /** Estimated bytes queued for a view. Default 16 MiB, twice what a replay can bring. */
  maxBytes: number;
  /** Messages queued for a view. Default 4,096, twice what a replay can bring. */
  maxItems: number;
}

export const COALESCE_LIMITS: Readonly<CoalesceLimits> = {
  batchBytes: 12_000,
  maxBytes: 16 * 1_024 * 1_024,
  maxItems: 4_096,
};

/** The queue in front of one view; neighbours merge while they wait (D3, S14). */
export interface Coalescer {
  /** `overflow`: a cap was passed, it takes no more; the caller drops the queue with `clear`. */
  push(chunk: OutputChunk): 'queued' | 'merged' | 'overflow';
  shift(): OutputChunk | undefined;
  /** Drops what is queued and says how many messages that was. */
  clear(): number;
  readonly items: number;
  readonly bytes: number;
}

export function createCoalescer(options: { limits?: Partial<CoalesceLimits> | undefined } = {}): Coalescer {
  const limits = resolveLimits('coalesce', COALESCE_LIMITS, options.limits);
  /* Taken from the front by index, so that draining a long queue stays linear. */
  let queue: OutputChunk[] = [];
  let head = 0;
  let bytes = 0;
  let overflowed = false;

  function clear(): number {
    const dropped = queue.length - head;
    queue = [];
    head = 0;
    bytes = 0;
    return dropped;
  }

  return {
    push(chunk) {
      if (overflowed) return 'overflow';
      const last = head < queue.length ? queue.at(-1)! : undefined;
      const merged = last && mergeChunks(last, chunk, limits.batchBytes);
      if (merged) {
        queue[queue.length - 1] = merged;
        bytes += merged.bytes - last.bytes;
      } else {
        queue.push(chunk);
        bytes += chunk.bytes;
      }
      if (bytes > limits.maxBytes || queue.length - head > limits.maxItems) {
        overflowed = true;
        return 'overflow';
      }
      return merged ? 'merged' : 'queued';
    },
    shift() {
      const chunk = queue[head];
      if (!chunk) return undefined;
      bytes -= chunk.bytes;
      head++;
      if (head === queue.length) clear();
      else if (head >= 1_024) {
        queue = queue.slice(head);
        head = 0;
      }
      return chunk;
    },
    clear,
    get items() {
      return queue.length - head;
    },
    get bytes() {
      return bytes;
    },
  };
}
