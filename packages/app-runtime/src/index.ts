/* The view side of a streamed tool call; no SDK, no framework. */
export { attachToApp, streamCapabilities, type AppLike } from './lib/attach.ts';
export {
  callToolStreaming,
  type CallingApp,
  type StreamingCall,
  type StreamingCallOptions,
  type StreamingCallParams,
} from './lib/call-tool-streaming.ts';
export {
  lineCount,
  logConsumer,
  type LogBlock,
  type LogOptions,
  type LogState,
} from './lib/consumers/log.ts';
export { structuredConsumer } from './lib/consumers/structured.ts';
export { tableConsumer, type TableOptions, type TableState } from './lib/consumers/table.ts';
export { textConsumer, type TextState } from './lib/consumers/text.ts';
export { createAppRuntime } from './lib/runtime.ts';
export type {
  AckParams,
  AppRuntime,
  AppRuntimeOptions,
  Consumer,
  PaintSchedule,
  RuntimeCounters,
  RuntimeEvent,
  RuntimeLimits,
  Snapshot,
  ViewError,
  ViewStatus,
} from './lib/types.ts';
