import type { GapReason, RecordProblem } from '@mcp-apps-bridge/partial-results/stream';
import type { IntakeCode } from './stream/intake.ts';
import type { SanitizeDecision } from './stream/sanitize/report.ts';
import type { OutputStatus } from './stream/types.ts';

/** What happened in one call's stream. Nothing here stops the stream; each is also counted. */
export type OutputEvent =
  | { type: 'status'; status: OutputStatus }
  /** A chunk was refused whole. `path` is the JSON path of the field, `message` says what would be right. */
  | { type: 'chunk_rejected'; code: IntakeCode; path: string; message: string }
  | { type: 'chunk_duplicate'; seq: number }
  /** After its gap was given up, or after the call ended. */
  | { type: 'chunk_late'; seq: number }
  /**
   * The server began to number again under the same token, without a new attempt: number 0 came twice with
   * different content. This chunk and all that follow are ignored, since they cannot be told from the first
   * ones; the result repairs what is shown.
   */
  | { type: 'chunk_restarted'; seq: number }
  | { type: 'gap'; first: number; last: number; reason: GapReason }
  /** A line of a message stream was dropped; `sample` is its beginning. */
  | { type: 'record_rejected'; problem: RecordProblem | 'too_many_streams'; uri: string; sample: string }
  /** Something was refused or changed inside a chunk or the result. */
  | ({ type: 'sanitized'; target: 'partial' | 'result' } & SanitizeDecision)
  /** So many more `record_rejected` and `sanitized` of the same chunk or result; the counters hold them all. */
  | { type: 'details_left_out'; count: number }
  /** The replay buffer is full: a view that opens from now on gets only the result. */
  | { type: 'history_overflow'; bytes: number; items: number }
  /** `input` after the first, or after the end; `finish`, `fail` or `cancel` after the first of them. */
  | { type: 'call_ignored'; call: 'input' | 'finish' | 'fail' | 'cancel' }
  /** A subscriber threw; the others are not affected. */
  | { type: 'sink_error'; error: unknown };

/**
 * Why a view gets no more chunks: its queue or the history is over a cap, replays did not help, or the call began
 * anew and the view knows no epochs.
 */
export type FinalOnlyReason = 'queue_overflow' | 'history_overflow' | 'too_many_replays' | 'restarted';

/** What happened on the way to one view. */
export type FeedEvent =
  | { type: 'view_open'; epoch: number; acks: boolean }
  /** The view opened too often: it is open in so many milliseconds. */
  | { type: 'view_deferred'; ms: number }
  /** The view answers no probe: chunks are held until it does. */
  | { type: 'view_suspended'; epoch: number }
  /** No ack has ever come, as through a proxy that drops them: chunks go on at the rate of a view without acks. */
  | { type: 'view_unheard'; epoch: number }
  | { type: 'view_resumed'; epoch: number }
  /** Chunks to this view stopped; it gets the result all the same. */
  | { type: 'final_only'; reason: FinalOnlyReason }
  | { type: 'ack_rejected'; path: string; message: string }
  /** The channel threw or rejected; the message is lost, the next ones are still tried. */
  | { type: 'send_failed'; method: string; error: unknown };

export type StreamEvent = OutputEvent | FeedEvent;
