import type { ServerCheckId } from '../lib/server/catalogue.ts';

export interface FaultInfo<Id extends string> {
  rule: string;
  /** What the broken peer does. */
  does: string;
  /** The checks that must fail, and no others may. */
  fails: readonly Id[];
  /** Checks that must warn. */
  warns?: readonly Id[];
}

/** Server faults that only show under some circumstances say which. */
export interface ServerFaultInfo extends FaultInfo<ServerCheckId> {
  /** Default `stdio`. */
  over?: 'http' | 'stdio';
  /** Compared with a fixed fixture. */
  fixture?: boolean;
}

export const SERVER_FAULTS = {
  'ignores-capability': {
    rule: 'S1',
    does: 'streams to every call with a token',
    fails: ['s1-no-capability-no-partials', 's1-capability-not-inferred', 's1-extension-is-no-capability'],
  },
  'remembers-capability': {
    rule: 'S1',
    does: 'streams to each later call once one had the capability',
    fails: ['s1-no-capability-no-partials', 's1-capability-not-inferred', 's1-extension-is-no-capability'],
  },
  'reads-extensions': {
    rule: 'S1',
    does: 'takes `extensions.partialResults` for the capability',
    fails: ['s1-extension-is-no-capability'],
  },
  'makes-up-a-token': {
    rule: 'S2',
    does: 'streams under a token of its own when the call has none',
    fails: ['s2-no-token-no-partials', 's10-only-issued-tokens'],
  },
  'takes-any-token': {
    rule: 'S2',
    does: 'streams under the token 1.5',
    fails: ['shape-valid-chunks', 's10-only-issued-tokens'],
    warns: ['s2-invalid-token-no-partials'],
  },
  'counts-from-one': {
    rule: 'S3',
    does: 'numbers chunks 1, 2, 3 …',
    fails: ['s3-seq-starts-at-zero', 's3-independent-counters'],
  },
  'repeats-numbers': {
    rule: 'S3',
    does: 'numbers chunks 0, 0, 1, 1',
    fails: ['s3-seq-strictly-increasing', 's3-independent-counters'],
  },
  'fractional-numbers': { rule: 'S3', does: 'numbers chunks 0, 0.5, 1 …', fails: ['shape-valid-chunks'] },
  'shared-counter': {
    rule: 'S3',
    does: 'counts calls in flight with one counter',
    fails: ['s3-independent-counters'],
  },
  'block-without-text': {
    rule: 'S3',
    does: 'sends a text block without text',
    fails: ['shape-valid-chunks'],
  },
  'partial-as-request': {
    rule: 'S3',
    does: 'gives partials an id, which makes them requests',
    fails: ['shape-valid-chunks'],
  },
  'null-fields': {
    rule: 'S3',
    does: 'writes absent fields as null',
    fails: [],
    warns: ['shape-no-null-fields'],
  },
  'leans-on-partials': {
    rule: 'S7',
    does: 'ends a streamed call with "see the stream"',
    fails: ['s7-final-is-complete'],
  },
  'always-leans-on-partials': {
    rule: 'S7',
    does: 'ends every call with "see the stream": only a fixture shows it',
    fails: ['s7-final-is-complete'],
    fixture: true,
  },
  'empty-final': {
    rule: 'S7',
    does: 'ends a streamed call with no content',
    fails: ['s7-final-is-complete'],
  },
  'never-responds': {
    rule: 'S8',
    does: 'takes `final: true` for the end and sends no response',
    fails: ['s8-response-ends-the-call', 's7-final-is-complete'],
  },
  'responds-twice': {
    rule: 'S8',
    does: 'responds twice to a streamed call',
    fails: ['s8-response-ends-the-call'],
  },
  'flags-early': {
    rule: 'S8',
    does: 'goes on after a chunk with `final: true`',
    fails: [],
    warns: ['s8-final-is-the-last-chunk'],
  },
  'stringifies-token': {
    rule: 'S9',
    does: 'sends the token 7 back as "7"',
    fails: ['s9-token-integer', 's9-token-zero', 's3-independent-counters', 's10-only-issued-tokens'],
  },
  'integers-only': {
    rule: 'S9',
    does: 'streams under integer tokens only',
    fails: ['s9-token-string', 's9-token-empty-string', 's3-independent-counters'],
    warns: ['s2-opted-in-call-streams'],
  },
  'zero-is-no-token': {
    rule: 'S9',
    does: 'takes 0 and "" for no token',
    fails: ['s9-token-zero', 's9-token-empty-string'],
  },
  'late-chunk': {
    rule: 'S9',
    does: 'sends a chunk after the response',
    fails: ['s9-nothing-after-response'],
  },
  'wrong-stream': {
    rule: 'S9',
    does: 'sends chunks on the answer to another request in flight',
    fails: ['s9-on-the-requests-stream'],
    over: 'http',
  },
  'ignores-cancel': {
    rule: 'S9',
    does: 'goes on streaming a cancelled call',
    fails: ['s9-cancel-stops-partials'],
  },
  'foreign-token': {
    rule: 'S10',
    does: 'sends chunks under a token nobody issued',
    fails: ['s10-only-issued-tokens'],
    warns: ['s2-opted-in-call-streams'],
  },
  'task-without-id': { rule: 'S15', does: 'leaves `taskId` out for a task', fails: ['s15-task-id'] },
  'wrong-task-id': { rule: 'S15', does: 'sends the `taskId` of another task', fails: ['s15-task-id'] },
  'hint-as-text': { rule: 'S16', does: 'says `streamingHint: "yes"`', fails: ['s16-streaming-hint'] },
  'no-hint': { rule: 'S16', does: 'streams without announcing it', fails: [], warns: ['s16-streaming-hint'] },
  'progress-steals': {
    rule: 'S16',
    does: 'sends no partials when progress is asked for as well',
    fails: ['s16-progress-beside-partials'],
  },
  'progress-under-partial-token': {
    rule: 'S16',
    does: 'reports progress under the token of the partials',
    fails: ['s16-progress-beside-partials'],
  },
  'requires-opt-in': {
    rule: 'S17',
    does: 'refuses calls that do not opt in',
    fails: ['s17-plain-call-unchanged'],
  },
} as const satisfies Record<string, ServerFaultInfo>;

export type ServerFault = keyof typeof SERVER_FAULTS;
