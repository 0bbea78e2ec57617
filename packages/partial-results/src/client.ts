/* `./client`: a tool call that receives partial results, over a client of either SDK generation. */
export { callTool, getClaimCounters } from './lib/call-tool.ts';
export {
  DEFAULT_IDLE_TIMEOUT_MS,
  type CallToolEvent,
  type CallToolOptions,
  type ResultOf,
  type ToolCallParams,
  type ToolClient,
} from './lib/call-options.ts';
export {
  hasStreamingHint,
  listToolsWithHints,
  type HintedTool,
  type ListedTool,
  type ToolListClient,
} from './lib/tool-hints.ts';
export {
  cancelTask,
  followTask,
  type FollowTaskEvent,
  type FollowTaskOptions,
} from './lib/tasks/follow-task.ts';
export type { TaskClient } from './lib/tasks/request-task.ts';
export type { TaskLogEvent } from './lib/tasks/task-log-reader.ts';
export type { Progress } from './lib/connection.ts';
export type { AbortSignalLike } from './lib/opt-in.ts';
export type { ClaimCounters, ClaimEvent } from './lib/token-registry.ts';
export type { TransportLike } from './lib/tap.ts';
export { PartialResultsError, type PartialResultsErrorCode, type TaskHandle } from './lib/errors.ts';
