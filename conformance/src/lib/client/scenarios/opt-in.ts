import { setTimeout as delay } from 'node:timers/promises';
import { isToken } from '@mcp-apps-bridge/partial-results';
import { expectNone, skipped, type Verdict } from '../../report.ts';
import { callsWith, type Outcome } from '../outcome.ts';
import { callNames, resultFor, type Scenario } from '../scenario.ts';
import type { Script, ScriptedCall } from '../scripted-server.ts';

/** A client that runs its calls one by one never sends the second; it is waited for no longer. */
const PARTNER_MS = 5_000;

/** Streams once both are in flight, so that their chunks interleave; the longer stream ends first. */
function together(partner: string, chunks: number, turns: number): Script {
  return async (call, server) => {
    await Promise.race([server.arrival(partner), delay(PARTNER_MS)]);
    for (let turn = 0; turn < turns; turn++) {
      if (turn < chunks) call.chunk(turn);
      await delay(1);
    }
    call.finish(resultFor(call.name));
  };
}

const steps: Scenario['steps'] = [
  { 'opt-in-a': together('opt-in-b', 3, 12), 'opt-in-b': together('opt-in-a', 6, 6) },
  { 'opt-in-c': (call) => call.finish(resultFor(call.name)) },
];
const names = callNames(steps);

/** S1, S2, S9 on the request: what each call says of partials. */
export const optIn: Scenario = {
  name: 'opt-in',
  steps,
  checks: [
    's1-capability-on-the-call',
    's2-token-on-the-call',
    's9-token-type',
    's9-token-unique',
    's9-streams-kept-apart',
  ],
  needsChunks: false,
  judge(outcome) {
    const seen = names.flatMap((name) => outcome.seen.get(name) ?? []);
    const judgeEach = (wrong: (call: ScriptedCall) => string | undefined): Verdict =>
      expectNone(
        seen.map((call) => wrong(call)).filter((problem) => problem !== undefined),
        `${seen.length} calls`,
      );
    return [
      [
        's1-capability-on-the-call',
        judgeEach(({ hasCapability, name }) => (hasCapability ? undefined : `${name} has none`)),
      ],
      [
        's2-token-on-the-call',
        judgeEach(({ token, name }) => (token === undefined ? `${name} has none` : undefined)),
      ],
      [
        's9-token-type',
        judgeEach(({ token, name }) =>
          token === undefined || isToken(token)
            ? undefined
            : `${name} has the token ${JSON.stringify(token)}`,
        ),
      ],
      ['s9-token-unique', judgeUnique(outcome)],
      ['s9-streams-kept-apart', judgeApart(outcome)],
    ];
  },
};

function judgeUnique({ seen }: Outcome): Verdict {
  const a = seen.get('opt-in-a');
  const b = seen.get('opt-in-b');
  if (!a?.optedIn || !b?.optedIn) return skipped('two opted-in calls were not in flight');
  return expectNone(a.token === b.token ? [`both have ${JSON.stringify(a.token)}`] : [], 'they differ');
}

function judgeApart(outcome: Outcome): Verdict {
  const [a, b] = ['opt-in-a', 'opt-in-b'] as const;
  if (outcome.applied(a).length + outcome.applied(b).length === 0) return skipped('no chunk was applied');
  const crossed = [...callsWith(outcome, [a], `${b}:`), ...callsWith(outcome, [b], `${a}:`)];
  return expectNone(
    crossed.map((call) => `${call} applied a chunk of the other call`),
    'each has its own',
  );
}
