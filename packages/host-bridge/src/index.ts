/* The host side, framework-free. The stream half first, then the frame half. */
export { HostBridgeError, type HostBridgeErrorCode } from './lib/errors.ts';
export type { FeedEvent, FinalOnlyReason, OutputEvent, StreamEvent } from './lib/events.ts';
export type { ViewCounters } from './lib/stream/ack.ts';
export { createCallGate, MAX_CALLS_PER_ORIGIN, type CallGate } from './lib/stream/call-gate.ts';
export { COALESCE_LIMITS, type CoalesceLimits } from './lib/stream/coalesce.ts';
export type { OutputCounters } from './lib/stream/counters.ts';
export {
  forwardToolOutput,
  speaksAcks,
  withStreamCapability,
  type BridgeLike,
  type ForwardOptions,
} from './lib/stream/forward-tool-output.ts';
export { HISTORY_LIMITS, type HistoryLimits } from './lib/stream/history.ts';
export { INTAKE_LIMITS, type IntakeCode, type IntakeLimits } from './lib/stream/intake.ts';
export { createToolOutput } from './lib/stream/output.ts';
export type {
  OutputSink,
  ToolLike,
  ToolOutput,
  ToolOutputLimits,
  ToolOutputOptions,
} from './lib/stream/output-types.ts';
export { PACE_LIMITS, type PaceLimits } from './lib/stream/pace.ts';
export type { HtmlPolicy, HtmlRules } from './lib/stream/sanitize/html.ts';
export type { Report, SanitizeCode, SanitizeDecision } from './lib/stream/sanitize/report.ts';
export {
  createSanitizer,
  SANITIZE_LIMITS,
  type SanitizeLimits,
  type Sanitizer,
  type SanitizerOptions,
} from './lib/stream/sanitize/sanitizer.ts';
export {
  startToolCall,
  type Outcome,
  type ToolCall,
  type ToolCallEvent,
  type ToolCallOptions,
  type ToolCallRequest,
} from './lib/stream/start-tool-call.ts';
export type { OutputChunk, OutputEnd, OutputStatus } from './lib/stream/types.ts';
export { createViewFeed } from './lib/stream/view-feed.ts';
export {
  FEED_LIMITS,
  type FeedCounters,
  type FeedLimits,
  type ViewFeed,
  type ViewFeedOptions,
} from './lib/stream/view-feed-types.ts';

export { createAppView } from './lib/frame/app-view.ts';
export type {
  AppView,
  AppViewClient,
  AppViewEvent,
  AppViewLimits,
  AppViewOptions,
  SandboxSettings,
} from './lib/frame/app-view-types.ts';
export { uiClientCapabilities } from './lib/frame/client-capabilities.ts';
export type { ChannelRejection } from './lib/frame/frame-channel.ts';
export type { AppViewStatus, FrameEvent, RefusalReason } from './lib/frame/frame-events.ts';
export { checkSandbox, type SandboxProblem } from './lib/frame/check-sandbox.ts';
export { safeFileName } from './lib/frame/file-name.ts';
export type {
  HostHandlers,
  ModelContext,
  ViewDownload,
  ViewMessage,
  ViewSampling,
  ViewToolCall,
} from './lib/frame/host-handlers.ts';
export type { ViewTool } from './lib/frame/view-tools.ts';
export { TRAFFIC_LIMITS, type TrafficEvent, type TrafficLimits } from './lib/frame/view-traffic.ts';
export type { ToolDefinition } from './lib/frame/tool-directory.ts';
export {
  readUiResource,
  uiResourceUri,
  type ReadUiOptions,
  type ResourceClient,
  type UiPermissions,
  type UiResource,
} from './lib/frame/ui-resource.ts';
export { isToolVisibleTo, type ToolAudience } from './lib/frame/visibility.ts';
export { buildCsp, type BuiltCsp, type CspRejection, type UiCsp } from './lib/sandbox/csp.ts';
