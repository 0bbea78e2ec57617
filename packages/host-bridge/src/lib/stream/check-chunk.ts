import { PATCHES_META_KEY, type PartialResultBody } from '@mcp-apps-bridge/partial-results';
import type { AssembledChunk } from '@mcp-apps-bridge/partial-results/stream';
import { isNarrow, measureBody } from './narrow.ts';
import type { Report } from './sanitize/report.ts';
import type { Sanitizer } from './sanitize/sanitizer.ts';
import type { OutputChunk } from './types.ts';

export interface ChunkCheckerOptions {
  sanitizer: Sanitizer;
  report: Report;
}

/**
 * An assembled chunk through the sanitizer. What leaves nothing to show (half a message, a refused
 * block) is not forwarded; its numbers and the losses before it go to the next chunk that is, so
 * that ranges stay without holes and a view counts each loss once (D2).
 */
export interface ChunkChecker {
  /** `undefined` when nothing is left. */
  check(chunk: AssembledChunk): OutputChunk | undefined;
  /** A new stream begins. */
  reset(): void;
}

export function createChunkChecker({ sanitizer, report }: ChunkCheckerOptions): ChunkChecker {
  let pendingGaps = 0;
  let pendingFirst: number | undefined;

  function reset(): void {
    pendingGaps = 0;
    pendingFirst = undefined;
  }

  function checkBody(chunk: AssembledChunk): PartialResultBody | undefined {
    const body: PartialResultBody = {};
    if (chunk.blocks) {
      const content = sanitizer.content(chunk.blocks, report, { whole: chunk.modes.content === 'replace' });
      // An empty list is a statement where blocks are replaced; a list emptied here is not.
      if (content.length > 0 || chunk.blocks.length === 0) body.content = content;
    }
    const updates = [chunk.structuredContent, ...(chunk.patches ?? [])]
      .map((value) => sanitizer.structured(value, report))
      .filter((value) => value !== undefined);
    const [first, ...patches] = updates;
    if (first !== undefined) body.structuredContent = first;
    if (chunk.final !== undefined) body.final = chunk.final;
    if (body.content === undefined && first === undefined && !chunk.final) return undefined;
    const meta = sanitizer.meta(chunk.meta, report) ?? {};
    if (patches.length > 0) meta[PATCHES_META_KEY] = patches;
    if (Object.keys(meta).length > 0) body._meta = meta;
    return body;
  }

  function tryBody(chunk: AssembledChunk): PartialResultBody | undefined {
    try {
      return checkBody(chunk);
    } catch {
      report('rule_failed', '$', 'the sanitizer threw');
      return undefined;
    }
  }

  return {
    check(chunk) {
      if (chunk.gap) pendingGaps++;
      const first = chunk.gap ? chunk.range.first : (pendingFirst ?? chunk.range.first);
      const body = tryBody(chunk);
      if (!body) {
        pendingFirst = first;
        return undefined;
      }
      const narrow = isNarrow(body);
      const checked: OutputChunk = {
        range: { first, last: chunk.range.last },
        gaps: pendingGaps,
        body,
        modes: chunk.modes,
        bytes: measureBody(body, narrow),
        narrow,
      };
      if (chunk.taskId !== undefined) checked.taskId = chunk.taskId;
      reset();
      return checked;
    },
    reset,
  };
}
