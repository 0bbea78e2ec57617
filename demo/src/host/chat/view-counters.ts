import type { FeedCounters } from '@mcp-apps-bridge/host-bridge';

/** Reads the figures of the stream into a view; `undefined` before there is one. */
export type ViewCountersSource = () => FeedCounters | undefined;
