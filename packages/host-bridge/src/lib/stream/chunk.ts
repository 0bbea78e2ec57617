import { canMerge, mergeBodies } from '@mcp-apps-bridge/partial-results/stream';
import type { MergeModes, PartialResultBody } from '@mcp-apps-bridge/partial-results';
import { measureBody } from './narrow.ts';
import type { OutputChunk } from './types.ts';

/**
 * `next` and the chunk before it as one, or `undefined` where they must stay two: another task or
 * mode, a loss between them, a body that cannot merge (D3), or more than `maxBytes` together.
 * A value that is only ever replaced has no upper size and bridges a loss: its latest is all there is.
 */
export function mergeChunks(prev: OutputChunk, next: OutputChunk, maxBytes: number): OutputChunk | undefined {
  if (prev.taskId !== next.taskId || !sameModes(prev.modes, next.modes)) return undefined;
  const replaces = replacesAll(prev.body, next.body, next.modes);
  if (next.gaps > 0 && !replaces) return undefined;
  if (!replaces && next.bytes >= maxBytes) return undefined;
  if (!canMerge(prev.body, next.body, next.modes)) return undefined;
  const body = mergeBodies(prev.body, next.body, next.modes);
  // Measured anew: joined text sheds the block around it, and to sum up would fill a batch with that.
  const narrow = prev.narrow && next.narrow;
  const bytes = measureBody(body, narrow);
  if (!replaces && bytes > maxBytes) return undefined;
  const merged: OutputChunk = {
    range: { first: prev.range.first, last: next.range.last },
    gaps: prev.gaps + next.gaps,
    body,
    modes: next.modes,
    bytes,
    ...(narrow && { narrow }),
  };
  if (next.taskId !== undefined) merged.taskId = next.taskId;
  return merged;
}

/** Whether nothing of `prev` outlives `next`, part by part. */
function replacesAll(prev: PartialResultBody, next: PartialResultBody, modes: MergeModes): boolean {
  const content = prev.content === undefined || (next.content !== undefined && modes.content === 'replace');
  const structured =
    prev.structuredContent === undefined ||
    (next.structuredContent !== undefined && modes.structuredContent === 'replace');
  return content && structured && (prev.content !== undefined || prev.structuredContent !== undefined);
}

function sameModes(a: MergeModes, b: MergeModes): boolean {
  return a === b || (a.content === b.content && a.structuredContent === b.structuredContent);
}
