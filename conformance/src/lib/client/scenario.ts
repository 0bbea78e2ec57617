import type { Verdict } from '../report.ts';
import type { Message } from '../wire/message.ts';
import type { ClientCheckId } from './catalogue.ts';
import type { Outcome } from './outcome.ts';
import type { Script } from './scripted-server.ts';

/** A set of calls and what to make of their outcome. Call names are unique over all scenarios. */
export interface Scenario {
  name: string;
  /** Calls of one step are in flight together. */
  steps: ReadonlyArray<Readonly<Record<string, Script>>>;
  judge(outcome: Outcome): Array<[ClientCheckId, Verdict]>;
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

/** Said of every check in which chunks were needed and the client asked for none. */
export const NOT_OPTED_IN = 'the client did not opt in, so no chunk was sent';
