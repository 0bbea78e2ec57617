import { createAppRuntime } from '@mcp-apps-bridge/app-runtime';
import { describe, expect, it } from 'vitest';
import type { MakeRuntime } from './support/chain.ts';
import { checkComplete, checkNothingWaits, checkShown } from './support/checks.ts';
import { finalOnly, whatIsShown } from './support/ends.ts';
import { runStream, settle, type Plan } from './support/runs.ts';
import { KINDS } from './support/samples.ts';

/*
 * Shows that the assertions about the moment before the result can fail: a runtime that ignores every
 * chunk ends right all the same, and fails each of them.
 */

const real: MakeRuntime = createAppRuntime;

/** Takes input and result, and no chunk. */
const ignorant: MakeRuntime = (options) => {
  const runtime = createAppRuntime(options);
  return { ...runtime, receive: () => undefined };
};

/** Takes its chunks and acknowledges them, and applies none. */
const idle: MakeRuntime = (options) =>
  createAppRuntime({ ...options, consumer: { ...options.consumer, chunk: (state) => state } });

/** Shows each chunk on its own, as if there had been none before. */
const forgetful: MakeRuntime = (options) => {
  const { consumer } = options;
  const chunk: typeof consumer.chunk = (_state, next) => consumer.chunk(consumer.init(), next);
  return createAppRuntime({ ...options, consumer: { ...consumer, chunk } });
};

const BROKEN: Record<string, MakeRuntime> = { ignorant, idle, forgetful };
const usual: Omit<Plan, 'kind' | 'weather'> = {
  chunks: 12,
  seed: 5,
  acks: true,
  caps: 'usual',
  reload: 0,
  reopen: 0,
};

interface Verdict {
  stepwise: boolean;
  before: boolean;
  complete: boolean | undefined;
  end: boolean;
}

function judge(plan: Plan, makeRuntime: MakeRuntime): Verdict {
  let stepwise = true;
  const run = runStream(plan, makeRuntime, ({ chain, sample }) => {
    stepwise &&= holds(() => checkShown(chain, sample));
  });
  settle(run, plan);
  const { chain, sample } = run;
  const before = holds(() => {
    checkNothingWaits(chain);
    checkShown(chain, sample);
  });
  // A host that gives up on a view that applies nothing does not excuse the view.
  const complete = plan.weather !== 'loss' ? holds(() => checkComplete(chain, sample)) : undefined;
  chain.output.finish(sample.result);
  chain.scheduler.advance(5_000);
  const end = holds(() => expect(whatIsShown(chain)).toEqual(finalOnly(run)));
  chain.close();
  return { stepwise, before, complete, end };
}

function holds(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

describe.each(KINDS)('a stream of kind %s', (kind) => {
  it.each(['fair', 'disorder', 'loss'] as const)('in weather %s passes with the real runtime', (weather) => {
    const complete = weather === 'loss' ? undefined : true;
    expect(judge({ ...usual, kind, weather }, real)).toEqual({
      stepwise: true,
      before: true,
      complete,
      end: true,
    });
  });

  it.each(['ignorant', 'idle'])(
    'ends right with the %s runtime, which fails all that is said before',
    (name) => {
      expect(judge({ ...usual, kind, weather: 'fair' }, BROKEN[name]!)).toEqual({
        stepwise: false,
        before: false,
        complete: false,
        end: true,
      });
      expect(judge({ ...usual, kind, weather: 'loss' }, BROKEN[name]!)).toMatchObject({
        before: false,
        end: true,
      });
    },
  );
});

describe('the forgetful runtime', () => {
  it.each(KINDS.filter((kind) => kind !== 'replace'))('is found out by a stream of kind %s', (kind) => {
    expect(judge({ ...usual, kind, weather: 'fair', caps: 'slow' }, forgetful)).toMatchObject({
      before: false,
      complete: false,
      end: true,
    });
  });
});
