import { patchesOf, readMergeModes } from './merge.ts';
import type { ContentBlock, MergeModes, PartialToolResult, SeqRange } from './types.ts';

/** A block as a consumer may read it: a message stream comes as whole parsed messages. */
export interface AssembledBlock {
  /** For a message stream its `resource.text` still has the raw characters; read `records` instead. */
  block: ContentBlock;
  /** The whole JSON messages this block completed, in order. Absent for any other block. */
  records?: Record<string, unknown>[];
  /** How a whole document wrote its messages: one a line, or as one JSON array. */
  form?: 'lines' | 'array';
}

/** One chunk in its place, or several of them merged. */
export interface AssembledChunk {
  /** The sequence numbers it stands for on the hop it came from. */
  range: SeqRange;
  /** What was given up just before it. */
  gap?: SeqRange;
  blocks?: AssembledBlock[];
  structuredContent?: unknown;
  /** Merge patches that follow `structuredContent`, in order. */
  patches?: unknown[];
  final?: boolean;
  taskId?: string;
  /** The modes in force: the tool's, overridden by the chunk's own. */
  modes: MergeModes;
  meta?: Record<string, unknown>;
}

/**
 * A chunk as consumers read it.
 * @param declared the tool's modes; the chunk's own win.
 * @param read what to make of a block. The assembler reads message streams; without one a block is what it is.
 */
export function shapeChunk(
  chunk: PartialToolResult,
  gap: SeqRange | undefined,
  declared: MergeModes | undefined,
  read: (block: ContentBlock, modes: MergeModes) => AssembledBlock = (block) => ({ block }),
): AssembledChunk {
  const modes = { ...declared, ...readMergeModes(chunk._meta) };
  const [first, ...patches] = patchesOf(chunk);
  const shaped: AssembledChunk = { range: { first: chunk.seq, last: chunk.seq }, modes };
  if (gap) shaped.gap = gap;
  if (chunk.content) shaped.blocks = chunk.content.map((block) => read(block, modes));
  if (first !== undefined) shaped.structuredContent = first;
  if (patches.length > 0) shaped.patches = patches;
  if (chunk.final !== undefined) shaped.final = chunk.final;
  if (chunk.taskId !== undefined) shaped.taskId = chunk.taskId;
  if (chunk._meta) shaped.meta = chunk._meta;
  return shaped;
}
