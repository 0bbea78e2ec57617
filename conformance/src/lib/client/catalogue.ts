/** Every check that a client is put through, in the order of the report. */
export const CLIENT_CHECKS = {
  's1-capability-on-the-call': {
    rule: 'S1',
    title: 'the call itself carries the bare capability partialResults',
  },
  's2-token-on-the-call': { rule: 'S2', title: 'the call carries a partialResultToken' },
  's9-token-type': { rule: 'S9', title: 'the token is a string or an integer' },
  's9-token-unique': { rule: 'S9', title: 'calls in flight together have different tokens' },
  's9-streams-kept-apart': { rule: 'S9', title: 'each chunk is applied to the call of its token' },
  's4-seq-order': { rule: 'S4', title: 'chunks are applied in seq order, whatever order they come in' },
  's4-applied-once': { rule: 'S4', title: 'a number that comes twice is applied once' },
  's5-out-of-order-buffered': { rule: 'S5', title: 'what comes out of order is kept until its turn' },
  's5-overflow-tolerated': { rule: 'S5', title: 'more chunks behind a gap than any buffer holds do no harm' },
  's6-gap-tolerated': { rule: 'S6', title: 'a missing chunk is no error and the result still applies' },
  's6-gap-reported': { rule: 'S6', title: 'a missing chunk is reported' },
  's3-invalid-seq-ignored': { rule: 'S3', title: 'a chunk whose seq is no integer from 0 is not applied' },
  'shape-invalid-chunk-survived': { rule: 'S3', title: 'a malformed chunk costs itself and nothing else' },
  's8-hint-does-not-end': { rule: 'S8', title: 'only the response ends the call, final: true does not' },
  's8-lower-after-final': { rule: 'S8', title: 'lower numbers still missing at final: true are applied' },
  's10-foreign-token-ignored': {
    rule: 'S10',
    title: 'chunks under a token the client did not issue are ignored',
  },
  's10-token-type-matters': { rule: 'S10', title: 'the token "7" is not the token 7' },
  's10-late-token-ignored': { rule: 'S10', title: 'chunks of a call that has ended are ignored' },
  's14-flood-tolerated': { rule: 'S14', title: 'a flood of chunks leaves the result untouched' },
  's17-works-without-partials': { rule: 'S17', title: 'a server that sends none is just a server' },
  's18-result-as-sent': { rule: 'S18', title: 'the result is the one the server sent' },
  's18-state-from-final-alone': {
    rule: 'S18',
    title: 'the end state is the same with all, some or no chunks seen',
  },
  's18-error-is-final': { rule: 'S18', title: 'an error after chunks reaches the caller as an error' },
} as const;

export type ClientCheckId = keyof typeof CLIENT_CHECKS;
