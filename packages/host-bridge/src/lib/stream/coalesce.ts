import { resolveLimits } from '../limits.ts';
import { mergeChunks } from './chunk.ts';
import type { OutputChunk } from './types.ts';

export interface CoalesceLimits {
  /**
   * Estimated bytes up to which queued neighbours merge into one message. Default 12,000: a
   * cross-origin `window.postMessage` of 16,384 bytes or more stalls the receiver for milliseconds. Texts without a
   * character above U+00FF count one byte a character, everything else two.
   * A single chunk above it travels alone.
   */
  batchBytes: number;
  /** Estimated bytes queued for a view, a replay not counted. Default 8 MiB. */
  maxBytes: number;
  /** Messages queued for a view, a replay not counted. Default 2,048. */
  maxItems: number;
}

export const COALESCE_LIMITS: Readonly<CoalesceLimits> = {
  batchBytes: 12_000,
  maxBytes: 8 * 1_024 * 1_024,
  maxItems: 2_048,
};

/** The queue in front of one view; neighbours merge while they wait (D3, S14). */
export interface Coalescer {
  /**
   * `overflow`: a cap was passed, it takes no more; the caller drops the queue with `clear`.
   * @param replayed it comes from the history, which has caps of its own: it does not count here.
   */
  push(chunk: OutputChunk, replayed?: boolean): 'queued' | 'merged' | 'overflow';
  shift(): OutputChunk | undefined;
  /** Drops what is queued and says how many messages that was. */
  clear(): number;
  readonly items: number;
  readonly bytes: number;
}

export interface CoalescerOptions {
  limits?: Partial<CoalesceLimits> | undefined;
  /** Whether the view understands several merge patches in one message. Default true. */
  batchPatches?: boolean;
}

export function createCoalescer(options: CoalescerOptions = {}): Coalescer {
  const limits = resolveLimits('coalesce', COALESCE_LIMITS, options.limits);
  /* Taken from the front by index, so that draining a long queue stays linear. */
  let queue: OutputChunk[] = [];
  let head = 0;
  let bytes = 0;
  let overflowed = false;
  /** Of what is queued: replayed, at the front. */
  let replayedItems = 0;
  let replayedBytes = 0;

  function clear(): number {
    const dropped = queue.length - head;
    queue = [];
    head = 0;
    bytes = 0;
    replayedItems = 0;
    replayedBytes = 0;
    return dropped;
  }

  function merge(prev: OutputChunk, next: OutputChunk): OutputChunk | undefined {
    const patches =
      next.modes.structuredContent === 'merge-patch' && next.body.structuredContent !== undefined;
    if (patches && options.batchPatches === false && prev.body.structuredContent !== undefined)
      return undefined;
    return mergeChunks(prev, next, limits.batchBytes);
  }

  return {
    push(chunk, replayed = false) {
      if (overflowed) return 'overflow';
      const last = head < queue.length ? queue.at(-1)! : undefined;
      const merged = last && merge(last, chunk);
      if (merged) {
        queue[queue.length - 1] = merged;
        bytes += merged.bytes - last.bytes;
      } else {
        queue.push(chunk);
        bytes += chunk.bytes;
      }
      if (replayed) {
        replayedItems = queue.length - head;
        replayedBytes = bytes;
        return merged ? 'merged' : 'queued';
      }
      if (bytes - replayedBytes > limits.maxBytes || queue.length - head - replayedItems > limits.maxItems) {
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
      if (replayedItems > 0) {
        replayedItems--;
        replayedBytes = Math.max(0, replayedBytes - chunk.bytes);
      }
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
