/** Every check that a server is put through, in the order of the report. */
export const SERVER_CHECKS = {
  's16-streaming-hint': { rule: 'S16', title: 'the tool announces its stream in annotations.streamingHint' },
  's2-opted-in-call-streams': { rule: 'S2', title: 'a call with capability and token gets partials' },
  's1-no-capability-no-partials': { rule: 'S1', title: 'a token without the capability gets none' },
  's1-capability-not-inferred': {
    rule: 'S1',
    title: 'the capability of an earlier call or of the connection does not count',
  },
  's1-extension-is-no-capability': {
    rule: 'S1',
    title: 'partialResults under extensions is not the capability',
  },
  's2-no-token-no-partials': { rule: 'S2', title: 'the capability without a token gets none' },
  's2-invalid-token-no-partials': {
    rule: 'S2',
    title: 'a token that is neither string nor integer gets none',
  },
  'shape-valid-chunks': { rule: 'S3', title: 'each partial is a notification with well-formed params' },
  'shape-no-null-fields': { rule: 'S3', title: 'absent fields are left out, not null' },
  's3-seq-starts-at-zero': { rule: 'S3', title: 'the first chunk of a call is number 0' },
  's3-seq-strictly-increasing': { rule: 'S3', title: 'numbers strictly increase within a call' },
  's3-independent-counters': { rule: 'S3', title: 'calls in flight together count apart' },
  's9-token-string': { rule: 'S9', title: 'a string token comes back as sent' },
  's9-token-integer': { rule: 'S9', title: 'an integer token comes back as sent' },
  's9-token-zero': { rule: 'S9', title: 'the token 0 is a token' },
  's9-token-empty-string': { rule: 'S9', title: 'the token "" is a token' },
  's9-nothing-after-response': { rule: 'S9', title: 'no partial follows the response of its call' },
  's9-on-the-requests-stream': {
    rule: 'S9',
    title: 'over HTTP, partials come on the answer to their own request',
  },
  's10-only-issued-tokens': { rule: 'S10', title: 'no partial carries a token that no call issued' },
  's7-final-is-complete': { rule: 'S7', title: 'the result is complete for a client that saw no partial' },
  's8-response-ends-the-call': { rule: 'S8', title: 'each call gets exactly one response, final or not' },
  's8-final-is-the-last-chunk': { rule: 'S8', title: 'nothing follows a chunk with final: true' },
  's9-cancel-stops-partials': { rule: 'S9', title: 'a cancelled call sends no more partials' },
  's15-task-id': { rule: 'S15', title: 'partials of a call that became a task carry its taskId' },
  's16-progress-beside-partials': {
    rule: 'S16',
    title: 'asking for progress as well takes no partial away',
  },
  's17-plain-call-unchanged': { rule: 'S17', title: 'a call that knows nothing of partials works as ever' },
} as const;

export type ServerCheckId = keyof typeof SERVER_CHECKS;
