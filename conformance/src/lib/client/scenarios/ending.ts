import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expectNone, failure, skipped, success, type Verdict, warning } from '../../report.ts';
import type { Message } from '../../wire/message.ts';
import { appliedNumbers, type Outcome } from '../outcome.ts';
import { callNames, resultFor, type Scenario } from '../scenario.ts';
import type { Script } from '../scripted-server.ts';

/** Long enough for a client that takes the flag for the end to say so. */
const AFTER_FLAG_MS = 60;

const flagged: Script = async (call) => {
  call.chunk(0);
  call.chunk(2, { final: true });
  await delay(AFTER_FLAG_MS);
  call.chunk(1);
  await delay(AFTER_FLAG_MS);
  call.finish(resultFor(call.name));
};

/** S8: the flag comes before a lower number and well before the response. */
export const finalFlag: Scenario = {
  name: 'final flag',
  steps: [{ flagged }],
  checks: ['s8-hint-does-not-end', 's8-lower-after-final'],
  needsChunks: true,
  judge(outcome) {
    const lost = !appliedNumbers(outcome, 'flagged').includes(1);
    return [
      [
        's8-hint-does-not-end',
        expectNone(outcome.problemsWith('flagged', resultFor('flagged')), 'the response did'),
      ],
      ['s8-lower-after-final', expectNone(lost ? ['number 1 was dropped'] : [], 'it was applied', warning)],
    ];
  },
};

const WHOLE: Message = {
  content: [{ type: 'text', text: 'the whole' }],
  structuredContent: { rows: [1, 2, 3] },
};
const FAILED: Message = { content: [{ type: 'text', text: 'quota exceeded' }], isError: true };

function endWith(result: Message, order: readonly number[]): Script {
  return (call) => {
    for (const seq of order) call.chunk(seq, { structuredContent: { rows: [seq] } });
    call.finish(result);
  };
}

const steps: Scenario['steps'] = [
  {
    'state-all': endWith(WHOLE, [0, 1, 2]),
    'state-none': endWith(WHOLE, []),
    'state-gap': endWith(WHOLE, [0, 2, 2]),
  },
  {
    'error-result': endWith(FAILED, [0, 1]),
    'error-response': (call) => {
      call.chunk(0);
      call.fail(-32_000, 'disk on fire');
    },
  },
];
const states = callNames(steps).slice(0, 3);

/** S17, S18: the end does not depend on what was streamed. */
export const authority: Scenario = {
  name: 'final authority',
  steps,
  checks: [
    's18-result-as-sent',
    's17-works-without-partials',
    's18-state-from-final-alone',
    's18-error-is-final',
  ],
  needsChunks: false,
  judge(outcome) {
    return [
      ['s18-result-as-sent', expectNone(outcome.problemsWith('state-all', WHOLE), 'it is')],
      ['s17-works-without-partials', expectNone(outcome.problemsWith('state-none', WHOLE), 'it does')],
      ['s18-state-from-final-alone', judgeStates(outcome)],
      ['s18-error-is-final', judgeErrors(outcome)],
    ];
  },
};

function judgeStates(outcome: Outcome): Verdict {
  const printed = states.map((call) => outcome.state(call));
  if (printed.includes(undefined)) return skipped('the client prints no state');
  const [first] = printed;
  const differing = states.filter((_, index) => !isDeepStrictEqual(printed[index]!.state, first!.state));
  return expectNone(
    differing.map((call) => `${call} ended as ${JSON.stringify(outcome.state(call)!.state).slice(0, 120)}`),
    'three equal states',
  );
}

function judgeErrors(outcome: Outcome): Verdict {
  const problems = outcome.problemsWith('error-result', FAILED);
  const events = outcome.events('error-response').map(({ event }) => event);
  if (!events.includes('error')) problems.push('a JSON-RPC error after a chunk was not told as an error');
  return problems.length > 0 ? failure(problems.join('; ')) : success('both kinds');
}
