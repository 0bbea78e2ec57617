import { failure, skipped, type Verdict } from '../report.ts';
import type { Message } from '../wire/message.ts';
import type { ClientCheckId } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import type { Script } from './scripted-server.ts';

/** A set of calls and what to make of their outcome. Call names are unique over all scenarios. */
export interface Scenario {
  name: string;
  /** Calls of one step are in flight together. */
  steps: ReadonlyArray<Readonly<Record<string, Script>>>;
  checks: readonly ClientCheckId[];
  /** Without chunks there is nothing to judge: skipped when the client did not opt in. */
  needsChunks: boolean;
  /** Called when every call came in. */
  judge(outcome: Outcome): Array<[ClientCheckId, Verdict]>;
}

/** One verdict for each check of the scenario. */
export function judgeScenario(scenario: Scenario, outcome: Outcome): Array<[ClientCheckId, Verdict]> {
  const { checks, needsChunks } = scenario;
  const names = callNames(scenario.steps);
  const missing = names.find((name) => !outcome.seen.has(name));
  if (missing !== undefined) {
    const verdict = failure(`the call ${missing} was never made (${outcome.ending})`);
    return checks.map((id) => [id, verdict]);
  }
  if (needsChunks && !names.every((name) => outcome.seen.get(name)?.optedIn)) {
    const verdict = skipped('the client did not opt in, so no chunk was sent');
    return checks.map((id) => [id, verdict]);
  }
  return scenario.judge(outcome);
}

export interface ScenarioSizes {
  /** Chunks in a flood. */
  flood: number;
}

export function resultFor(call: string): Message {
  return { content: [{ type: 'text', text: `the result of ${call}` }] };
}

/** The calls of all steps. */
export function callNames(steps: Scenario['steps']): string[] {
  return steps.flatMap((step) => Object.keys(step));
}

/** Chunks in this order, then the result. */
export function inOrder(order: readonly number[]): Script {
  return (call) => {
    for (const seq of order) call.chunk(seq);
    call.finish(resultFor(call.name));
  };
}
