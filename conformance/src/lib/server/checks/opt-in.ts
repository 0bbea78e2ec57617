import { expectNone, failure, skipped, success, type Verdict, warning } from '../../report.ts';
import { partialParams } from '../../wire/message.ts';
import { describe } from '../../wire/peer.ts';
import { type Made, partialsOf, resultOf } from '../calls.ts';
import type { ServerCheckId } from '../catalogue.ts';
import type { CallName, ServerRun } from '../run.ts';

type Verdicts = Array<[ServerCheckId, Verdict]>;

/** S1, S2, S17: who gets partials and who must not. */
export function judgeOptIn(run: ServerRun): Verdicts {
  const { calls } = run;
  return [
    ['s2-opted-in-call-streams', judgeStreams(run)],
    ['s1-no-capability-no-partials', judgeSilence(run, ['plain', 'afterwards'])],
    ['s1-capability-not-inferred', judgeSilence(run, ['afterwards', 'plainAgain'])],
    ['s1-extension-is-no-capability', judgeSilence(run, ['extension'])],
    ['s2-no-token-no-partials', judgeSilence(run, ['capabilityOnly'])],
    ['s2-invalid-token-no-partials', judgeSilence(run, ['invalidToken'], warning)],
    ['s17-plain-call-unchanged', judgePlain(calls.plain)],
  ];
}

function judgeStreams(run: ServerRun): Verdict {
  const { streamed } = run.calls;
  if (!streamed) return skipped('the call was not made');
  const count = partialsOf(run.peer, streamed).length;
  if (count > 0) return success(`${count} partials`);
  return warning(
    `${run.targets.tool.name} sent none, so what its partials must be like could not be checked: name a tool that streams`,
  );
}

/**
 * Partials that came while the call was in flight, under its own token or under one that belongs to
 * no opted-in call. Calls here are made one at a time.
 */
function judgeSilence(run: ServerRun, names: readonly CallName[], otherwise = failure): Verdict {
  const made = names.map((name) => run.calls[name]).filter((call) => call !== undefined);
  if (made.length < names.length) return skipped('the call was not made');
  return expectNone(
    made.flatMap((call) => strayPartials(run, call)),
    'none came',
    otherwise,
  );
}

function strayPartials(run: ServerRun, call: Made): string[] {
  const { sentAt, responseAt = run.peer.frames.length } = call.exchange;
  const optedIn = allCalls(run).filter((other) => other.optedIn);
  const during = run.peer.frames.slice(sentAt, responseAt);
  const own = call.token === undefined ? [] : partialsOf(run.peer, call);
  const strays = during.filter(({ message }) => {
    const params = partialParams(message);
    return params !== undefined && !optedIn.some(({ token }) => token === params['partialResultToken']);
  });
  return [...new Set([...own, ...strays])].map(
    ({ message }) => `got a partial under ${JSON.stringify(partialParams(message)!['partialResultToken'])}`,
  );
}

export function allCalls(run: ServerRun): Made[] {
  return [...Object.values(run.calls), ...run.together];
}

function judgePlain(plain: Made | undefined): Verdict {
  if (!plain) return skipped('the call was not made');
  const result = resultOf(plain);
  if (!result) return failure(`a call without opt-in got ${describe(plain.exchange.response)}`);
  if (!Array.isArray(result['content'])) return failure('the result of a call without opt-in has no content');
  return success('a result, and no partials asked for');
}
