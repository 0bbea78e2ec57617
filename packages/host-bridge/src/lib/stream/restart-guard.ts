import type { PartialToolResult } from '@mcp-apps-bridge/partial-results';

/** Tells chunks of one numbering from those of a second one under the same token. */
export interface RestartGuard {
  /** Whether the chunk belongs to a second numbering, as everything does that comes after its beginning. */
  isForeign(chunk: PartialToolResult): boolean;
}

/**
 * A server that crashed inside or lost its counter may count from 0 again. To a reader that knows only numbers
 * its first chunks are duplicates and the next ones continue the old stream: two runs spliced into one. Number 0
 * is where it shows: a duplicate says the same again, a new beginning hardly does.
 */
export function createRestartGuard(): RestartGuard {
  let first: PartialToolResult | undefined;
  let restarted = false;

  return {
    isForeign(chunk) {
      if (restarted || chunk.seq !== 0) return restarted;
      if (first) restarted = bodyOf(first) !== bodyOf(chunk);
      else first = chunk;
      return restarted;
    },
  };
}

function bodyOf({ content, structuredContent }: PartialToolResult): string {
  return JSON.stringify([content, structuredContent]);
}
