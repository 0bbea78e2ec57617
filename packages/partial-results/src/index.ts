/* The wire vocabulary; no SDK, no DOM. */
export { isPlainObject, isToken, parsePartialToolResult } from './lib/guards.ts';
export type {
  ContentBlock,
  MergeMode,
  MergeModes,
  Parsed,
  PartialResultBody,
  PartialResultToken,
  PartialToolResult,
  Rejection,
  RejectionCode,
  ResourceContents,
  SeqRange,
  ToolResult,
} from './lib/types.ts';
export {
  A2UI_MIME_TYPES,
  CLIENT_CAPABILITIES_KEY,
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  MERGE_META_KEY,
  PARTIAL_RESULT_METHOD,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
  PATCHES_META_KEY,
  SKIPPED_META_KEY,
  STREAM_EXTENSION,
  STREAMING_HINT_KEY,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
  UPSTREAM_META_KEY,
} from './lib/vocabulary.ts';
