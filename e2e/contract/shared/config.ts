import type { Faults } from '@mcp-apps-bridge/partial-results/testing';

/** What the contract app is told by the page that shows it, written into its HTML. */
export interface AppConfig {
  /** Of the faults between the proxy and the app. */
  seed: number;
  /** Faults of chunks on their way to the app. Input, result and cancel pass untouched, as notifications do. */
  faults: Faults;
  /** Faults of the app's acks. */
  ackFaults: Faults;
  /** How long the app waits for a missing chunk, in milliseconds. */
  maxWaitMs: number;
  /** The control: chunks are received and acknowledged, but change nothing. */
  ignorePartials: boolean;
  /** What is shown. `log` keeps lines of text, `a2ui` draws surfaces. */
  shows: 'a2ui' | 'log';
  /** Milliseconds the app is busy with each chunk. */
  applyMs: number;
}

export const DEFAULT_CONFIG: AppConfig = {
  seed: 1,
  faults: {},
  ackFaults: {},
  maxWaitMs: 250,
  ignorePartials: false,
  shows: 'a2ui',
  applyMs: 0,
};

/** The element in the app's HTML that its configuration is written into. */
export const CONFIG_PLACE = /<script type="application\/json" id="config">\s*\{\}\s*<\/script>/;

/** Page → app, past the bridge. `params`: `{ id, what, … }`. The proxy relays it like any other message. */
export const ASK_METHOD = 'contract/ask';
/** App → page. `params`: `{ id, value }`. */
export const ANSWER_METHOD = 'contract/answer';

/** A chunk as it reached the app's door, before the faults there. */
export interface SentChunk {
  token: unknown;
  epoch: number;
  seq: number;
  /** Texts of its message streams, joined. */
  text: string;
}

/** What the app shows and how it came to it. */
export interface AppState {
  /** All markup, shadow roots included. */
  page: string;
  /** Components and data of each surface. */
  model: unknown;
  status: string;
  counters: Record<string, number>;
}

/** How the app's link stands, and what it was sent. */
export interface AppLog {
  sent: SentChunk[];
  /** Keys, `epoch/seq`, of chunks that passed the link at least once. */
  delivered: string[];
  /** Keys of chunks that came after their gap was given up. */
  late: string[];
  /** Copies still held by the link. */
  underWay: number;
  methods: string[];
  /** Times the view was told of a change. */
  renders: number;
}
