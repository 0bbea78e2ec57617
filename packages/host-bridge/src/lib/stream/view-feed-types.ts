import type { PartialResultToken } from '@mcp-apps-bridge/partial-results';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { FeedEvent } from '../events.ts';
import type { ViewCounters } from './ack.ts';
import type { CoalesceLimits } from './coalesce.ts';
import type { ToolOutput } from './output-types.ts';
import type { PaceLimits } from './pace.ts';

export interface FeedLimits {
  coalesce?: Partial<CoalesceLimits>;
  pace?: Partial<PaceLimits>;
  /** Times the stream is replayed because messages to a living view were lost. Default 3. */
  maxReplays?: number;
  /** Times a view may open in quick succession; further ones wait. Default 20. */
  maxOpens?: number;
  /** Milliseconds until a view that used them up may open once more. Default 3,000. */
  openEveryMs?: number;
  /**
   * Milliseconds after which the end of a call that is over follows its replay, however much of that is still
   * queued: it then goes at once. A view that has the result has no replay to wait for. Default 5,000.
   */
  maxEndDelayMs?: number;
}

/** The feed's own; see {@link FeedLimits}. */
export const FEED_LIMITS: Readonly<Required<Omit<FeedLimits, 'coalesce' | 'pace'>>> = {
  maxReplays: 3,
  maxOpens: 20,
  openEveryMs: 3_000,
  maxEndDelayMs: 5_000,
};

export interface ViewFeedOptions {
  /** Sends one notification to the view; may throw or reject. */
  notify(method: string, params: Record<string, unknown>): unknown;
  output: ToolOutput;
  /** The view's own, for a call it made itself; opened once. Default: one of this feed's own (D1). */
  token?: PartialResultToken | undefined;
  /** Which of the standard messages the feed sends besides chunks. Default all. */
  send?: { input?: boolean; end?: boolean } | undefined;
  onEvent?: ((event: FeedEvent) => void) | undefined;
  limits?: FeedLimits | undefined;
  scheduler?: Scheduler | undefined;
}

/**
 * Figures of one (call, view). Each chunk handed in is in exactly one of `forwarded`, `merged`,
 * `superseded`, `discarded` and `queued`.
 */
export interface FeedCounters {
  /** Chunks the output handed in, replays included. */
  accepted: number;
  /** Messages sent. */
  forwarded: number;
  /** Joined with the message before them. */
  merged: number;
  /** Void when the result came. */
  superseded: number;
  /** Void for another reason: cancel, reload, an overflow, a closed view. */
  discarded: number;
  queued: number;
  /** Estimated, of the messages sent. */
  bytes: number;
  /** Losses told to the view by a skipped number. */
  gaps: number;
  /** Messages the channel refused. */
  failed: number;
  /** The number of the replay, 0 for the first showing; -1 before it. */
  epoch: number;
  inFlight: number;
  /** What the view says of itself, from its last ack. */
  view: ViewCounters | undefined;
}

/** One call's output on its way to one view. */
export interface ViewFeed {
  /**
   * The view is initialized, for the first time or again: everything is (re)played, under a new epoch. One that
   * opens too often waits, see `maxOpens`.
   * @param view.acks whether acks were negotiated with it.
   */
  open(view: { acks: boolean }): void;
  /** The view is gone or about to reload: nothing more is sent until `open`. */
  lost(): void;
  /** The `params` of an ack. Acks of other calls are ignored. */
  ack(params: unknown): void;
  /** Idempotent; nothing is sent after it. */
  close(): void;
  readonly counters: FeedCounters;
  /** Under which the view gets its chunks now. */
  readonly token: PartialResultToken;
}
