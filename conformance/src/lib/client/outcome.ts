import { isDeepStrictEqual } from 'node:util';
import { essence } from '../server/calls.ts';
import type { Message } from '../wire/message.ts';
import type { ClientEvent } from './protocol.ts';
import type { ScriptedCall } from './scripted-server.ts';

type Of<Name extends ClientEvent['event']> = Extract<ClientEvent, { event: Name }>;

/** What the client printed and what the server saw, in one scenario. */
export interface Outcome {
  seen: ReadonlyMap<string, ScriptedCall>;
  /** The events of one call, in order. */
  events(call: string): ClientEvent[];
  applied(call: string): Array<Of<'applied'>>;
  /** Why the call did not end with a result, or not with exactly the one given; empty when it did. */
  problemsWith(call: string, expected?: Message): string[];
  /** `undefined` while the client printed none. */
  state(call: string): { state: unknown } | undefined;
  /** How the client ended: `exit 0`, or that it had to be stopped. */
  ending: string;
}

export function createOutcome(
  events: readonly ClientEvent[],
  seen: ReadonlyMap<string, ScriptedCall>,
  ending: string,
): Outcome {
  const of = (call: string): ClientEvent[] => events.filter((event) => event.call === call);
  function pick<Name extends ClientEvent['event']>(call: string, name: Name): Array<Of<Name>> {
    return of(call).filter((event): event is Of<Name> => event.event === name);
  }
  return {
    seen,
    events: of,
    applied: (call) => pick(call, 'applied'),
    problemsWith(call, expected) {
      const [final, ...more] = pick(call, 'final');
      const [error] = pick(call, 'error');
      if (error) return [`${call} failed: ${error.message}`];
      if (!final) return [`${call} never ended (${ending})`];
      if (more.length > 0) return [`${call} ended ${more.length + 1} times`];
      if (!expected || isDeepStrictEqual(essence(final.result), essence(expected))) return [];
      return [`${call} ended with ${JSON.stringify(essence(final.result)).slice(0, 120)}`];
    },
    state: (call) => pick(call, 'state').at(-1),
    ending,
  };
}

/** Why the numbers applied are not in order; empty when they are. */
export function orderProblems(outcome: Outcome, call: string): string[] {
  let before = -1;
  for (const { seq, last = seq } of outcome.applied(call)) {
    if (seq <= before) return [`${call} applied ${seq} after ${before}`];
    before = last;
  }
  return [];
}

/** The numbers of a call that were applied. */
export function appliedNumbers(outcome: Outcome, call: string): number[] {
  return outcome
    .applied(call)
    .flatMap(({ seq, last = seq }) => Array.from({ length: last - seq + 1 }, (_, index) => seq + index));
}

/** Calls in which the content of a chunk that was applied contains the text. */
export function callsWith(outcome: Outcome, calls: readonly string[], text: string): string[] {
  return calls.filter((call) =>
    outcome.applied(call).some((event) => JSON.stringify(event.content ?? null).includes(text)),
  );
}
