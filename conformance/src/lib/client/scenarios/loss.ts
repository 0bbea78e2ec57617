import { expectNone, warning } from '../../report.ts';
import { appliedNumbers, orderProblems } from '../outcome.ts';
import { callNames, inOrder, resultFor, type Scenario } from '../scenario.ts';
import type { Script } from '../scripted-server.ts';

const ALL = [0, 1, 2, 3, 4, 5];
const gapSteps = [
  Object.fromEntries(ALL.map((missing) => [`gap-${missing}`, inOrder(ALL.filter((seq) => seq !== missing))])),
];
const gapNames = callNames(gapSteps);
/** With the last one missing nobody can know. */
const noticeable = gapNames.slice(0, -1);

/** S6: each of six chunks missing once. */
export const gaps: Scenario = {
  name: 'gaps',
  steps: gapSteps,
  checks: ['s6-gap-tolerated', 's6-gap-reported'],
  needsChunks: true,
  judge(outcome) {
    const problems = gapNames.flatMap((name) => [
      ...outcome.problemsWith(name, resultFor(name)),
      ...orderProblems(outcome, name),
    ]);
    const silent = noticeable.filter((name) => !outcome.events(name).some(({ event }) => event === 'gap'));
    return [
      ['s6-gap-tolerated', expectNone(problems, `${gapNames.length} streams with a gap`)],
      [
        's6-gap-reported',
        expectNone(
          silent.map((name) => `${name} printed no gap`),
          'each was',
          warning,
        ),
      ],
    ];
  },
};

/** Twice at once, again later, and a replay of the whole stream with other contents. */
const repeated: Script = (call) => {
  for (const seq of [0, 0, 1, 2, 1, 2, 0, 3]) call.chunk(seq);
  for (const seq of [0, 1, 2, 3]) call.chunk(seq, { content: [{ type: 'text', text: 'replayed' }] });
  call.chunk(4);
  call.finish(resultFor(call.name));
};

/** S4: duplicates, as a replay after a reconnect makes them. */
export const duplicates: Scenario = {
  name: 'duplicates',
  steps: [{ duplicates: repeated }],
  checks: ['s4-applied-once'],
  needsChunks: true,
  judge(outcome) {
    const numbers = appliedNumbers(outcome, 'duplicates');
    const twice = numbers.filter((seq, index) => numbers.indexOf(seq) < index);
    return [
      [
        's4-applied-once',
        expectNone(
          [...twice.map((seq) => `${seq} was applied again`), ...outcome.problemsWith('duplicates')],
          `${numbers.length} numbers`,
        ),
      ],
    ];
  },
};
