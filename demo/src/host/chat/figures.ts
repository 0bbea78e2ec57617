import type { FeedCounters, OutputCounters } from '@mcp-apps-bridge/host-bridge';

/** The stream of one call in six numbers. */
export interface Figures {
  /** Partial results that came from the server. */
  received: number;
  /** Of those, joined with another on the way to the app. */
  merged: number;
  /** Messages the app says it has applied. */
  applied: number;
  /** Losses: on the way here, or on the way to the app. */
  gaps: number;
  /** Estimated size of what was received. */
  bytes: number;
  /** Refused, whole or in part: by the client, at intake, as a line of a message stream, or by the app, which may leave out a part of it. */
  rejected: number;
}

export const NO_FIGURES: Figures = { received: 0, merged: 0, applied: 0, gaps: 0, bytes: 0, rejected: 0 };

/**
 * @param refused partial results the client refused before they reached the output: malformed ones and those
 * of a token that is not this call's.
 * @param leftOut parts of messages that the app took and did not show
 */
export function readFigures(
  output: OutputCounters,
  feed: FeedCounters | undefined,
  refused: number,
  leftOut: number,
): Figures {
  return {
    received: output.received,
    merged: feed?.merged ?? 0,
    applied: feed?.view?.applied ?? 0,
    // What the host lost it tells the app by a skipped number, which the app counts again.
    gaps: Math.max(output.gaps, feed?.view?.gaps ?? 0),
    bytes: output.bytes,
    rejected: refused + output.rejected + output.badRecords + (feed?.view?.rejected ?? 0) + leftOut,
  };
}
