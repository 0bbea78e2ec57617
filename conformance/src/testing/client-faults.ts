import type { ClientCheckId } from '../lib/client/catalogue.ts';
import type { FaultInfo } from './server-faults.ts';

export const CLIENT_FAULTS = {
  'no-capability': {
    rule: 'S1',
    does: 'sends the token without the capability',
    fails: ['s1-capability-on-the-call'],
  },
  'capability-as-extension': {
    rule: 'S1',
    does: 'puts partialResults under `extensions`',
    fails: ['s1-capability-on-the-call'],
  },
  'no-token': { rule: 'S2', does: 'sends the capability without a token', fails: ['s2-token-on-the-call'] },
  'takes-any-seq': {
    rule: 'S3',
    does: 'applies chunks with any seq, as they come',
    fails: ['s3-invalid-seq-ignored', 's4-seq-order', 's4-applied-once'],
    warns: ['s6-gap-reported'],
  },
  'dies-of-malformed': {
    rule: 'S3',
    does: 'ends at a malformed chunk',
    fails: ['s3-invalid-seq-ignored', 'shape-invalid-chunk-survived'],
  },
  'drops-stream-at-malformed': {
    rule: 'S3',
    does: 'gives the stream up at a malformed chunk',
    fails: ['shape-invalid-chunk-survived'],
  },
  'takes-any-content': {
    rule: 'S3',
    does: 'applies chunks whose content is malformed, and loses the good ones for it',
    fails: ['shape-invalid-chunk-survived'],
  },
  'applies-as-it-comes': {
    rule: 'S4',
    does: 'applies chunks in the order of arrival',
    fails: ['s4-seq-order', 's4-applied-once'],
    warns: ['s6-gap-reported'],
  },
  'applies-again': { rule: 'S4', does: 'applies a repeated number again', fails: ['s4-applied-once'] },
  'drops-early-ones': {
    rule: 'S5',
    does: 'drops what comes out of order',
    fails: [],
    warns: ['s5-out-of-order-buffered', 's6-gap-reported'],
  },
  'dies-of-overflow': {
    rule: 'S5',
    does: 'ends when its buffer is full',
    fails: ['s5-overflow-tolerated'],
  },
  'gap-is-fatal': {
    rule: 'S6',
    does: 'takes a missing chunk for an error',
    fails: ['s6-gap-tolerated'],
    warns: ['s6-gap-reported'],
  },
  'silent-about-gaps': { rule: 'S6', does: 'says nothing of a gap', fails: [], warns: ['s6-gap-reported'] },
  'ends-at-final-flag': {
    rule: 'S8',
    does: 'takes `final: true` for the result',
    fails: ['s8-hint-does-not-end'],
    warns: ['s8-lower-after-final'],
  },
  'drops-after-final-flag': {
    rule: 'S8',
    does: 'applies nothing after `final: true`',
    fails: [],
    warns: ['s8-lower-after-final'],
  },
  'one-token-for-all': {
    rule: 'S9',
    does: 'uses one token for all calls',
    fails: ['s9-token-unique', 's9-streams-kept-apart'],
  },
  'object-token': { rule: 'S9', does: 'sends an object for a token', fails: ['s9-token-type'] },
  'crosses-calls': {
    rule: 'S9',
    does: 'applies each chunk to the oldest call in flight',
    fails: ['s9-streams-kept-apart'],
  },
  'takes-any-token': {
    rule: 'S10',
    does: 'applies chunks under any token',
    fails: [
      's10-foreign-token-ignored',
      's10-token-type-matters',
      's10-late-token-ignored',
      's9-streams-kept-apart',
    ],
  },
  'compares-tokens-as-text': {
    rule: 'S10',
    does: 'takes the token "7" for 7',
    fails: ['s10-token-type-matters'],
  },
  'takes-late-tokens': {
    rule: 'S10',
    does: 'applies chunks of a call that has ended',
    fails: ['s10-late-token-ignored'],
  },
  'dies-of-flood': {
    rule: 'S14',
    does: 'ends in a flood',
    fails: ['s14-flood-tolerated', 's5-overflow-tolerated'],
  },
  'requires-partials': {
    rule: 'S17',
    does: 'fails when no chunk came',
    fails: ['s17-works-without-partials'],
  },
  'result-from-chunks': {
    rule: 'S18',
    does: 'makes the result out of the chunks',
    fails: [
      's18-result-as-sent',
      's18-state-from-final-alone',
      's18-error-is-final',
      's14-flood-tolerated',
      's8-hint-does-not-end',
      's6-gap-tolerated',
      's5-overflow-tolerated',
    ],
  },
  'appends-the-final': {
    rule: 'S18',
    does: 'shows the result below what was streamed',
    fails: ['s18-state-from-final-alone'],
  },
  'swallows-errors': {
    rule: 'S18',
    does: 'makes an empty result of an error',
    fails: ['s18-error-is-final'],
  },
} as const satisfies Record<string, FaultInfo<ClientCheckId>>;

export type ClientFault = keyof typeof CLIENT_FAULTS;
