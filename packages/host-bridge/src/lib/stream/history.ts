import { resolveLimits } from '../limits.ts';
import { mergeChunks } from './chunk.ts';
import type { OutputChunk } from './types.ts';

export interface HistoryLimits {
  /** Estimated bytes kept for views that open late or reload. Default 8 MiB. */
  maxBytes: number;
  /** Chunks kept after merging. Default 2,048. */
  maxItems: number;
  /** Estimated bytes up to which neighbours merge, see the coalescer. Default 12,000. */
  batchBytes: number;
}

export const HISTORY_LIMITS: Readonly<HistoryLimits> = {
  maxBytes: 8 * 1_024 * 1_024,
  maxItems: 2_048,
  batchBytes: 12_000,
};

export interface HistoryOptions {
  onOverflow(bytes: number, items: number): void;
  limits?: Partial<HistoryLimits> | undefined;
}

/**
 * The stream so far, for a view that opens late or reloads (D8). A replay with a hole would show a
 * state nobody sent, so over a cap it forgets everything and says so: such a view waits for the result.
 */
export interface History {
  push(chunk: OutputChunk): void;
  /** Forgets what came; what comes next is kept again. */
  clear(): void;
  readonly chunks: readonly OutputChunk[];
  readonly bytes: number;
  readonly overflowed: boolean;
}

export function createHistory(options: HistoryOptions): History {
  const limits = resolveLimits('history', HISTORY_LIMITS, options.limits);
  let chunks: OutputChunk[] = [];
  let bytes = 0;
  let overflowed = false;

  function drop(): void {
    chunks = [];
    bytes = 0;
  }

  return {
    push(chunk) {
      if (overflowed) return;
      const last = chunks.at(-1);
      const merged = last && mergeChunks(last, chunk, limits.batchBytes);
      if (merged) {
        chunks[chunks.length - 1] = merged;
        bytes += merged.bytes - last.bytes;
      } else {
        chunks.push(chunk);
        bytes += chunk.bytes;
      }
      if (bytes > limits.maxBytes || chunks.length > limits.maxItems) {
        overflowed = true;
        const lost = { bytes, items: chunks.length };
        drop();
        options.onOverflow(lost.bytes, lost.items);
      }
    },
    clear() {
      drop();
      overflowed = false;
    },
    get chunks() {
      return chunks;
    },
    get bytes() {
      return bytes;
    },
    get overflowed() {
      return overflowed;
    },
  };
}
