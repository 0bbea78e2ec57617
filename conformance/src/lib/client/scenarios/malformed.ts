import { expectNone, failure, warning } from '../../report.ts';
import { callsWith } from '../outcome.ts';
import { resultFor, type Scenario } from '../scenario.ts';
import type { Script } from '../scripted-server.ts';

const bad = [{ type: 'text', text: 'malformed' }];

const badNumbers: Script = (call) => {
  call.chunk(0);
  for (const seq of ['1', -1, 1.5, null, true, 1e300]) {
    call.partial({ partialResultToken: call.token, seq, content: bad });
  }
  call.partial({ partialResultToken: call.token, content: bad });
  call.chunk(1);
  call.finish(resultFor(call.name));
};

const badBodies: Script = (call) => {
  call.chunk(0);
  const bodies = [
    { content: bad[0] },
    { content: 'malformed' },
    { content: [null, ...bad] },
    { content: [{ text: 'malformed' }] },
    { content: [{ type: 'text' }, ...bad] },
    { content: [{ type: 'resource' }, ...bad] },
  ];
  for (const body of bodies) call.partial({ partialResultToken: call.token, seq: 1, ...body });
  call.chunk(1);
  call.finish(resultFor(call.name));
};

/** S3 on the reader's side: what is not a chunk is none, and costs nothing else. */
export const malformed: Scenario = {
  name: 'malformed chunks',
  steps: [{ 'bad-numbers': badNumbers }, { 'bad-bodies': badBodies }],
  checks: ['s3-invalid-seq-ignored', 'shape-invalid-chunk-survived'],
  needsChunks: true,
  judge(outcome) {
    const applied = (call: string): string[] =>
      callsWith(outcome, [call], 'malformed').map(() => `${call}: a malformed chunk was applied`);
    const broken = (call: string): string[] => [
      ...outcome.problemsWith(call),
      ...[0, 1]
        .filter((seq) => callsWith(outcome, [call], `${call}:${seq};`).length === 0)
        .map((seq) => `${call}: the good chunk ${seq} was not applied`),
    ];
    const survived = broken('bad-bodies');
    return [
      [
        's3-invalid-seq-ignored',
        expectNone([...applied('bad-numbers'), ...broken('bad-numbers')], 'none was applied'),
      ],
      [
        'shape-invalid-chunk-survived',
        // The proposal does not say that a client must check bodies.
        survived.length > 0
          ? failure(survived.join('; '))
          : expectNone(applied('bad-bodies'), 'it does', warning),
      ],
    ];
  },
};
