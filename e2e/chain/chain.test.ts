import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkComplete, checkCounters, checkNothingWaits, checkShown } from './support/checks.ts';
import { finalOnly, whatIsShown } from './support/ends.ts';
import { checkStep, plans, runStream, settle, type Run } from './support/runs.ts';

/** Nothing of lower authority, and nothing that was still under way, changes an end. */
function pesterAfterEnd(run: Run): void {
  const { chain } = run;
  const before = whatIsShown(run.chain);
  chain.output.push({ partialResultToken: 'server', seq: 0, content: [{ type: 'text', text: 'again' }] });
  chain.output.push({ partialResultToken: 'server', seq: 99, content: [{ type: 'text', text: 'late' }] });
  chain.output.finish({ content: [{ type: 'text', text: 'other' }] });
  chain.output.cancel();
  chain.scheduler.advance(10_000);
  expect(whatIsShown(run.chain)).toEqual(before);
  const { counters } = chain.output;
  expect(counters.received).toBe(chain.serverLink.counts.delivered + 2);
}

function closeClean({ chain }: Run): void {
  const { length } = chain.sent;
  chain.close();
  expect(chain.scheduler.pending).toBe(0);
  chain.scheduler.advance(10_000);
  expect(chain.sent).toHaveLength(length);
}

const RUNS = { numRuns: 1_000 };

describe('a stream through host and view, whatever happens to it', () => {
  it('shows at every step the fold of what arrived, within every cap, with every chunk accounted for', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = runStream(plan);
        settle(run, plan);
        checkNothingWaits(run.chain);
        checkStep(run);
        if (run.complete) checkComplete(run.chain, run.sample);
        closeClean(run);
      }),
      RUNS,
    );
  }, 120_000);

  it('ends where a run with only the result ends, from any point of it', () => {
    fc.assert(
      fc.property(plans, fc.boolean(), (plan, waits) => {
        const run = runStream(plan);
        if (waits) settle(run, plan);
        checkShown(run.chain, run.sample);
        if (run.complete) checkComplete(run.chain, run.sample);
        const { result } = run.sample;
        run.chain.output.finish(result);
        run.chain.scheduler.advance(5_000);
        expect(whatIsShown(run.chain)).toEqual(finalOnly(run));
        checkCounters(run.chain);
        pesterAfterEnd(run);
        run.chain.load();
        run.chain.scheduler.advance(5_000);
        expect(whatIsShown(run.chain)).toEqual(finalOnly(run));
        closeClean(run);
      }),
      RUNS,
    );
  }, 120_000);

  it.each<[string, (run: Run) => void, object]>([
    [
      'an error result',
      ({ chain }) => chain.output.finish({ isError: true, content: [{ type: 'text', text: 'quota' }] }),
      { status: 'failed', incomplete: true, error: { kind: 'tool', text: 'quota' } },
    ],
    [
      'a JSON-RPC error',
      ({ chain }) => chain.output.fail({ code: -32_602, message: 'bad arguments' }),
      { status: 'failed', incomplete: true, error: { kind: 'tool', text: 'bad arguments' } },
    ],
    [
      'a cut connection',
      ({ chain }) => chain.output.fail({ code: 'connection_closed', message: 'x' }),
      { status: 'failed', incomplete: true },
    ],
    [
      'an idle time-out',
      ({ chain }) => chain.output.fail({ code: 'idle_timeout', message: 'x' }),
      { status: 'failed', incomplete: true },
    ],
    ['a cancel', ({ chain }) => chain.output.cancel('why'), { status: 'cancelled', incomplete: true }],
  ])(
    'after %s keeps the fold of what arrived, marked incomplete',
    (_name, end, expected) => {
      fc.assert(
        fc.property(plans, fc.boolean(), (plan, waits) => {
          const run = runStream(plan);
          if (waits) settle(run, plan);
          checkShown(run.chain, run.sample);
          end(run);
          run.chain.scheduler.advance(5_000);
          checkShown(run.chain, run.sample);
          expect(whatIsShown(run.chain)).toMatchObject(expected);
          checkCounters(run.chain);
          pesterAfterEnd(run);
          closeClean(run);
        }),
        { numRuns: 200 },
      );
    },
    120_000,
  );
});
