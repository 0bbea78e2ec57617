/**
 * Every name of SEP-2998 and of this project that crosses a wire. The proposal is a draft and its
 * names may still move (`docs/wire.md`); they move here and nowhere else.
 */

/** Server → client notification that carries one chunk (SEP-2998 §2). */
export const PARTIAL_RESULT_METHOD = 'notifications/tools/partial_result';
/** Host → view notification that carries one chunk (SEP-2998 §4, rule S11). */
export const TOOL_OUTPUT_PARTIAL_METHOD = 'ui/notifications/tool-output-partial';
/** View → host: every chunk up to `seq` is settled. Sent only where {@link STREAM_EXTENSION} was negotiated. */
export const TOOL_OUTPUT_ACK_METHOD = 'io.github.mcp-apps-bridge/tool-output-ack';
/** Host → view: no ack came in time, say where you are. */
export const TOOL_OUTPUT_PROBE_METHOD = 'io.github.mcp-apps-bridge/tool-output-probe';

/** `_meta` key of a request under which a 2026-07-28 client declares its capabilities. */
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** Bare field of `ClientCapabilities` that opts a call in (S1). */
export const PARTIAL_RESULTS_CAPABILITY = 'partialResults';
/** `_meta` key of a `tools/call` that carries the token (S2). */
export const PARTIAL_RESULT_TOKEN_KEY = 'partialResultToken';
/** Tool annotation that announces a stream (S16). */
export const STREAMING_HINT_KEY = 'streamingHint';

/** Key in `experimental` of both sides of `ui/initialize` under which acks are negotiated. */
export const STREAM_EXTENSION = 'io.github.mcp-apps-bridge/tool-output-partial';
/** `_meta` of a tool definition or a chunk: how chunks combine, see {@link MergeModes}. */
export const MERGE_META_KEY = 'io.github.mcp-apps-bridge/merge';
/** `_meta` of a forwarded chunk: `[first, last]` of the server chunks it stands for. */
export const UPSTREAM_META_KEY = 'io.github.mcp-apps-bridge/upstream';
/** `_meta` of a forwarded chunk, ack or result: raised on each replay; `seq` restarts with it. */
export const EPOCH_META_KEY = 'io.github.mcp-apps-bridge/epoch';
/** `_meta` of a forwarded chunk: the JSON merge patches that follow `structuredContent`, in order. */
export const PATCHES_META_KEY = 'io.github.mcp-apps-bridge/patches';
/**
 * `_meta` of a forwarded chunk: how many numbers just before its own the host gave up. They will never come, so
 * there is nothing to wait for.
 */
export const SKIPPED_META_KEY = 'io.github.mcp-apps-bridge/skipped';
/** `_meta` of a forwarded result: `{ partialResultToken, epoch, seq }` of the last chunk before it. */
export const LAST_CHUNK_META_KEY = 'io.github.mcp-apps-bridge/last-chunk';

/** Media types of A2UI message streams: 1.0 and 0.9.1, then 0.9 and 0.8. */
export const A2UI_MIME_TYPES: readonly string[] = ['application/a2ui+json', 'application/json+a2ui'];

/** Extension under which tasks are declared (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/**
 * `_meta` of `tasks/get`. In the request `{ afterSeq }`, -1 for the beginning; in the answer
 * `{ chunks, nextSeq, truncatedBefore? }`.
 */
export const TASK_LOG_META_KEY = 'io.github.mcp-apps-bridge/task-log';
/** `_meta` of the result that a handler returns for a call that became a task; never leaves the server. */
export const TASK_HANDLE_META_KEY = 'io.github.mcp-apps-bridge/task-handle';
