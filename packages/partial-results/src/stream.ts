/* The stages that host and view share; no SDK, no DOM. */
export {
  assembleResult,
  createAssembler,
  type Assembler,
  type AssemblerEvent,
  type AssemblerLimits,
  type AssemblerOptions,
} from './lib/assemble.ts';
export {
  applyMergePatch,
  canMerge,
  foldContent,
  foldStructured,
  mergeBodies,
  patchesOf,
  readMergeModes,
} from './lib/merge.ts';
export { hasA2uiMessages, isA2uiMimeType } from './lib/message-stream.ts';
export { type RecordProblem } from './lib/record-splitter.ts';
export {
  createReorder,
  REORDER_LIMITS,
  type GapReason,
  type Reorder,
  type ReorderEvent,
  type ReorderLimits,
  type ReorderOptions,
} from './lib/reorder.ts';
export { systemScheduler, type Cancel, type Scheduler } from './lib/scheduler.ts';
export { shapeChunk, type AssembledBlock, type AssembledChunk } from './lib/shape.ts';
export { estimateSize } from './lib/size.ts';
