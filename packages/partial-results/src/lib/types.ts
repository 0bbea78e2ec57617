/** Opaque, chosen by the caller, unique among its calls in flight (S9). */
export type PartialResultToken = string | number;

/**
 * One block of tool output, as in `CallToolResult.content`. Open, so that a block type this version
 * does not know reaches the sanitizer, which decides.
 */
export interface ContentBlock {
  type: string;
  text?: string | undefined;
  data?: string | undefined;
  mimeType?: string | undefined;
  uri?: string | undefined;
  name?: string | undefined;
  resource?: ResourceContents | undefined;
  annotations?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/** Body of an embedded resource block: `text` or base64 `blob`. */
export interface ResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text?: string | undefined;
  blob?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/** What a tool emits; the emitter adds token and `seq`. */
export interface PartialResultBody {
  content?: ContentBlock[];
  /** Any JSON value but `null`; combined by the tool's declared {@link MergeModes}. */
  structuredContent?: unknown;
  /** Hint that no chunk follows. Only the response ends the call (S8). */
  final?: boolean;
  _meta?: Record<string, unknown>;
}

/** `params` of `notifications/tools/partial_result` and of `ui/notifications/tool-output-partial`. */
export interface PartialToolResult extends PartialResultBody {
  partialResultToken: PartialResultToken;
  /** Integer from 0, strictly increasing per token on each hop (S3). */
  seq: number;
  /** Set when the call runs as a task (S15). */
  taskId?: string;
}

/** The part of `CallToolResult` this project reads. SDK results are assignable to it. */
export interface ToolResult {
  content?: ContentBlock[] | undefined;
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/**
 * How the chunks of one part combine.
 * - `append`: arrays of blocks follow each other; adjacent text blocks with equal metadata join.
 * - `replace`: the latest wins and waits for no gap.
 * - `merge-patch`: RFC 7396 patches, applied in order.
 * - `jsonl`: a stream of JSON messages, one a line, forwarded whole.
 */
export type MergeMode = 'append' | 'replace' | 'merge-patch' | 'jsonl';

/** Declared under {@link MERGE_META_KEY}. A part without a mode is never merged, only paced. */
export interface MergeModes {
  content?: MergeMode;
  structuredContent?: MergeMode;
}

/** Why a message was refused: which field, and what would be right. */
export interface Rejection {
  code: RejectionCode;
  /** JSON path of the offending field, `$` for the message itself. */
  path: string;
  message: string;
}

export type RejectionCode = 'not_an_object' | 'missing_field' | 'wrong_type' | 'out_of_range';

export type Parsed<T> = { ok: true; value: T } | { ok: false; rejection: Rejection };

/** The numbers from `first` to `last`, both included. */
export interface SeqRange {
  first: number;
  last: number;
}
