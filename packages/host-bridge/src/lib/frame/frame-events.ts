import type { HostBridgeError } from '../errors.ts';
import type { FeedEvent, OutputEvent } from '../events.ts';
import type { CspRejection } from '../sandbox/csp.ts';
import type { ToolCallEvent } from '../stream/start-tool-call.ts';
import type { ChannelRejection } from './frame-channel.ts';
import type { SizeEvent } from './sizer.ts';
import type { TrafficEvent } from './view-traffic.ts';

/**
 * - `loading`: the resource is being fetched; `connecting`: the frame is up, the app has not finished its
 *   handshake; `ready`: it has.
 * - `lost`: the app's document went away, `failed`: it never came; `reload()` tries again.
 * - `closing`, `closed`: for good.
 */
export type AppViewStatus = 'loading' | 'connecting' | 'ready' | 'lost' | 'failed' | 'closing' | 'closed';

/** Why the host did not do what a view asked for. */
export type RefusalReason =
  /** The host has no hook for it. */
  | 'not_offered'
  /** The hook said no. */
  | 'declined'
  /** Not an http or https address (H20). */
  | 'unsafe_link'
  /** The server lists no such tool (H8). */
  | 'unknown_tool'
  /** The tool's visibility does not include apps (H8). */
  | 'not_visible_to_app'
  /** A display mode that host or view did not offer (H16). */
  | 'mode_not_offered'
  /** A file that could not be read, or is too large (H21). */
  | 'file_unusable'
  /** More requests to the model than one view may make, or one that is none (H21). */
  | 'sampling_limit';

/** What happened around one frame, fit for an audit log. Nothing of this is thrown. */
export type FrameEvent =
  | { type: 'view_status'; status: AppViewStatus; error?: HostBridgeError }
  /** The policy under which the view runs and what was left out of it (H7). */
  | { type: 'csp_applied'; uri: string; policy: string; external: string[]; rejected: CspRejection[] }
  /** The proxy page says that no header protects it: see `sandboxProxyHtml` for what that loses. */
  | { type: 'sandbox_without_header' }
  /** A message from the frame was dropped; reported once per kind, counted always. */
  | { type: 'message_rejected'; rejection: ChannelRejection }
  /** More was sent to a view that is not initialized than is kept; the oldest is dropped. */
  | { type: 'held_overflow'; method: string }
  /** A request of the view was granted: a link opened, a tool called, a message accepted. */
  | { type: 'request_granted'; method: string; detail?: string }
  | { type: 'request_refused'; method: string; reason: RefusalReason; detail?: string }
  /** The SDK met a message it could not place, such as an answer to a request that timed out. */
  | { type: 'protocol_error'; error: unknown }
  /** A hook of the embedder threw; the view was told that the host could not do it. */
  | { type: 'handler_failed'; method: string; error: unknown }
  /** A `notifications/message` of the view. */
  | { type: 'view_log'; level: string; logger?: string; data: unknown }
  /** A tool that the view exposes was called, or its call not allowed (H22). */
  | { type: 'view_tool'; name: string; outcome: 'called' | 'refused' }
  /** Before removal (H19). `no_handler` counts as ready. */
  | { type: 'teardown'; outcome: 'acknowledged' | 'no_handler' | 'no_answer' }
  /** Something was refused or changed in the result of a call the view made. */
  | Extract<OutputEvent, { type: 'sanitized' }>
  /** What happened in a call the view made and streams, and on the way of its chunks to the view. */
  | { type: 'view_call'; tool: string; event: ToolCallEvent | FeedEvent }
  | SizeEvent
  | TrafficEvent;
