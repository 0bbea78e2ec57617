import { foldStructured } from '@mcp-apps-bridge/partial-results/stream';
import type { AssembledChunk } from '@mcp-apps-bridge/partial-results/stream';
import type { Consumer } from '../types.ts';

/**
 * `structuredContent`, folded by the declared merge mode; without a mode the latest is the value.
 * The end state is the result's `structuredContent`, `undefined` when it has none.
 */
export function structuredConsumer<T = unknown>(): Consumer<T | undefined> {
  return {
    init: () => undefined,
    chunk: (state, chunk, own) => foldChunk(state, chunk, own) as T | undefined,
    final: (result) => (result.structuredContent ?? undefined) as T | undefined,
  };
}

/** One chunk's structured updates, in order, on top of `value`. */
function foldChunk(value: unknown, chunk: AssembledChunk, own = new WeakSet<object>()): unknown {
  const mode = chunk.modes.structuredContent;
  const first = foldStructured(value, chunk.structuredContent, mode, own);
  return (chunk.patches ?? []).reduce((sum, patch) => foldStructured(sum, patch, mode, own), first);
}
