import { expectNone, type Verdict } from '../../report.ts';
import { orderProblems } from '../outcome.ts';
import { resultFor, type Scenario, type ScenarioSizes } from '../scenario.ts';
import type { Script } from '../scripted-server.ts';

/** S5, S13, S14: more than a client wants, in place and behind a gap that never closes. */
export function volume({ flood }: ScenarioSizes): Scenario {
  const from =
    (first: number): Script =>
    async (call) => {
      for (let seq = first; seq < flood; seq++) {
        call.chunk(seq);
        // Lets the socket drain, so that the flood is on the client's side.
        if (seq % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      call.finish(resultFor(call.name));
    };
  return {
    name: 'volume',
    steps: [{ flood: from(0) }, { held: from(1) }],
    checks: ['s14-flood-tolerated', 's5-overflow-tolerated'],
    needsChunks: true,
    judge(outcome) {
      const judge = (call: string): Verdict =>
        expectNone(
          [...outcome.problemsWith(call, resultFor(call)), ...orderProblems(outcome, call)],
          `${flood} chunks, ${outcome.applied(call).length} applied`,
        );
      return [
        ['s14-flood-tolerated', judge('flood')],
        ['s5-overflow-tolerated', judge('held')],
      ];
    },
  };
}
