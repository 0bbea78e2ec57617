/*
 * The additions of SEP-2998 and of `docs/wire.md` to the protocol, as types: the one source from
 * which `schema.json` is generated. Written so that a type says exactly what a reader must check;
 * what it does not name may be anything where there is an index signature, and is an error elsewhere.
 */

/** A string or an integer, chosen by the client, unique among its calls in flight (S9). */
export type PartialResultToken = string | SafeInteger;

/**
 * An integer that every JSON reader keeps exact.
 * @asType integer
 * @minimum -9007199254740991
 * @maximum 9007199254740991
 */
type SafeInteger = number;

/**
 * @asType integer
 * @minimum 0
 * @maximum 9007199254740991
 */
type SequenceNumber = number;

/** `ClientCapabilities`, as far as it concerns partial results. */
export interface ClientCapabilities {
  /** Present on a call that wants partial results (S1). */
  partialResults?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface TextContent {
  type: 'text';
  text: string;
  [key: string]: unknown;
}

export interface ImageContent {
  type: 'image';
  /** Base64. */
  data: string;
  mimeType: string;
  [key: string]: unknown;
}

export interface AudioContent {
  type: 'audio';
  /** Base64. */
  data: string;
  mimeType: string;
  [key: string]: unknown;
}

export interface ResourceLink {
  type: 'resource_link';
  uri: string;
  name: string;
  [key: string]: unknown;
}

export interface TextResourceContents {
  uri: string;
  text: string;
  blob?: string;
  [key: string]: unknown;
}

export interface BlobResourceContents {
  uri: string;
  /** Base64. */
  blob: string;
  [key: string]: unknown;
}

export interface EmbeddedResource {
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  [key: string]: unknown;
}

/** A block of a type that is not known here: a reader keeps it or drops it, it is no error. */
export interface OtherContent {
  /** @pattern ^(?!(?:text|image|audio|resource_link|resource)$) */
  type: string;
  [key: string]: unknown;
}

export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource
  | OtherContent;

/** `params` of `notifications/tools/partial_result` (S3). */
export interface PartialToolResultNotificationParams {
  partialResultToken: PartialResultToken;
  /** 0, 1, 2 … per token. */
  seq: SequenceNumber;
  content?: ContentBlock[];
  /** Combined by the consumer's contract. */
  structuredContent?: NonNull;
  /** Hint that no chunk follows; only the response ends the call (S8). */
  final?: boolean;
  /** Set when the call runs as a task (S15). */
  taskId?: string;
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

type NonNull = string | number | boolean | unknown[] | Record<string, unknown>;

/** Server → client: one chunk of the output of a call in flight. A notification has no `id`. */
export interface PartialToolResultNotification {
  jsonrpc: '2.0';
  method: 'notifications/tools/partial_result';
  params: PartialToolResultNotificationParams;
}

/** How the chunks of one part combine. */
export interface MergeModes {
  content?: 'append' | 'replace' | 'jsonl';
  structuredContent?: 'append' | 'replace' | 'merge-patch';
  [key: string]: unknown;
}

/** `_meta` of a forwarded chunk. */
export interface ToolOutputPartialMeta {
  /**
   * `[first, last]` of the server's chunks it stands for.
   * @minItems 2
   * @maxItems 2
   */
  'io.github.mcp-apps-bridge/upstream'?: SequenceNumber[];
  'io.github.mcp-apps-bridge/epoch'?: SequenceNumber;
  'io.github.mcp-apps-bridge/merge'?: MergeModes;
  /** Merge patches that follow the one in `structuredContent`, in order. */
  'io.github.mcp-apps-bridge/patches'?: unknown[];
  [key: string]: unknown;
}

/** `params` of `ui/notifications/tool-output-partial` (S11). */
export interface ToolOutputPartialNotificationParams extends PartialToolResultNotificationParams {
  /** The host's own, never the server's. */
  partialResultToken: PartialResultToken;
  _meta?: ToolOutputPartialMeta;
  [key: string]: unknown;
}

/** Host → view: one chunk. */
export interface ToolOutputPartialNotification {
  jsonrpc: '2.0';
  method: 'ui/notifications/tool-output-partial';
  params: ToolOutputPartialNotificationParams;
}
