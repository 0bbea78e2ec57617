import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PartialResultBody } from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createToolOutput } from './output.ts';
import type { ToolOutput } from './output-types.ts';
import { createTestView } from './testing/view.ts';
import { createViewFeed } from './view-feed.ts';
import type { FeedLimits } from './view-feed-types.ts';

/* Whatever a subscriber or a view does from inside its own delivery, timers included, breaks no order. */

interface Step<Kind extends string> {
  do: Kind;
  n: number;
}

const stepsOf = <Kind extends string>(
  kinds: readonly Kind[],
  maxLength: number,
): fc.Arbitrary<Step<Kind>[]> =>
  fc.array(fc.record({ do: fc.constantFrom(...kinds), n: fc.nat({ max: 9 }) }), { maxLength });

const CALL = ['input', 'restart', 'cancel', 'finish', 'fail', 'release', 'forget'] as const;

const body = (n: number): PartialResultBody => ({
  content: [{ type: 'text', text: `${n}` }],
  structuredContent: { n },
});

/** What only concerns the output. */
function call(output: ToolOutput, step: Step<(typeof CALL)[number] | 'push'>): void {
  switch (step.do) {
    case 'push':
      return output.push({ partialResultToken: 't', seq: step.n, ...body(step.n) });
    case 'input':
      return output.input({});
    case 'restart':
      return output.restart();
    case 'cancel':
      return output.cancel();
    case 'finish':
      return output.finish({ content: [], isError: step.n > 4 });
    case 'fail':
      return output.fail(new Error('x'));
    case 'release':
      return output.release();
    case 'forget':
      return output.close();
  }
}

test('property: subscribers get each chunk once and in order, and nothing after they left or it ended', () => {
  const kinds = ['push', 'push', 'push', 'push', 'wait', 'subscribe', 'leave', ...CALL] as const;
  fc.assert(
    fc.property(stepsOf(kinds, 40), stepsOf(kinds, 20), fc.boolean(), (steps, inside, hold) => {
      const scheduler = createManualScheduler();
      const output = createToolOutput({ scheduler, hold, limits: { history: { maxItems: 3 } } });
      const logs: (string | number)[][] = [];
      const leave: (() => void)[] = [];
      const later = [...inside];
      let delivering = false;

      function subscribe(): void {
        if (logs.length > 12) return;
        const log: (string | number)[] = [];
        logs.push(log);
        let gone = false;
        const take = (what: string | number): void => {
          log.push(gone ? 'after it left' : what);
          const next = later.shift();
          const before = delivering;
          delivering = true;
          if (next) act(next);
          delivering = before;
        };
        const stop = output.subscribe({
          input: () => take('input'),
          chunk: ({ range }) => take(range.first),
          restart: () => take('restart'),
          truncated: () => take('truncated'),
          end: () => take('end'),
        });
        leave.push(() => {
          gone = true;
          stop();
        });
      }

      function act(step: Step<(typeof kinds)[number]>): void {
        if (step.do === 'subscribe') subscribe();
        else if (step.do === 'leave') leave[step.n]?.();
        else if (step.do !== 'wait') call(output, { do: step.do, n: step.n });
        else if (!delivering) scheduler.advance(step.n * 500);
      }

      subscribe();
      for (const step of steps) {
        act(step);
        const { rejected, duplicates, late, restarted, delivered, held, superseded, discarded, received } =
          output.counters;
        const known = rejected + duplicates + late + restarted + delivered + held + superseded + discarded;
        expect(known).toBe(received);
      }
      output.close();
      expect(scheduler.pending).toBe(0);
      for (const log of logs) {
        expect(log).not.toContain('after it left');
        expect(log.indexOf('end') === -1 || log.indexOf('end') === log.length - 1).toBe(true);
        expect(log.filter((what) => what === 'input').length).toBeLessThanOrEqual(1);
        let last: number = -1;
        for (const what of log) {
          if (what === 'restart') last = -1;
          if (what === 'truncated') last = Infinity;
          if (typeof what !== 'number') continue;
          expect(what).toBeGreaterThan(last);
          last = what;
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('property: a view gets rising numbers, one end, and nothing while it is not open', () => {
  const kinds = [
    ...(['push', 'push', 'push', 'wait', 'ack', 'ack', 'ack nothing', 'ack too much'] as const),
    ...(['open', 'open without acks', 'lost', 'close', ...CALL] as const),
  ];
  const limits = fc.constantFrom<FeedLimits>(
    {},
    { pace: { maxFrames: 1 } },
    { coalesce: { maxItems: 3 } },
    { maxOpens: 2, maxEndDelayMs: 700 },
    { pace: { lostAfterMs: 300, maxFrames: 2 } },
  );
  fc.assert(
    fc.property(
      stepsOf(kinds, 50),
      stepsOf(kinds, 25),
      fc.boolean(),
      limits,
      (steps, inside, hold, limits) => {
        const scheduler = createManualScheduler();
        const output = createToolOutput({ scheduler, hold, limits: { history: { maxItems: 3 } } });
        const view = createTestView();
        const later = [...inside];
        let delivering = false;
        let open = false;
        let closed = false;
        let forgotten = false;
        let ended = false;
        const wrong: string[] = [];

        function react(): void {
          const next = later.shift();
          const before = delivering;
          delivering = true;
          if (next) act(next);
          delivering = before;
        }

        const feed = createViewFeed({
          output,
          scheduler,
          limits,
          onEvent({ type }) {
            if (type === 'view_open') ended = false;
            react();
          },
          // What throws here counts as a failed channel, so it is noted.
          notify(method, params) {
            if (!open || closed) wrong.push(`${method} while not open`);
            if (ended) wrong.push(`${method} after the end`);
            const before = view.chunks.at(-1);
            view.receive(method, params);
            const now = view.chunks.at(-1);
            // A new epoch empties the list, and only a view without acks gets a new token.
            const goes = view.chunks.length > 1 && before?.partialResultToken === now!.partialResultToken;
            if (goes && method.endsWith('partial') && now!.seq <= before!.seq)
              wrong.push(`${now!.seq} after ${before!.seq}`);
            if (/tool-(result|cancelled)$/.test(method)) ended = true;
            react();
          },
        });

        function act(step: Step<(typeof kinds)[number]>): void {
          switch (step.do) {
            case 'wait':
              if (!delivering) scheduler.advance(step.n * 300);
              return;
            case 'ack':
              return feed.ack(view.ack().params);
            case 'ack nothing':
              return feed.ack({ ...view.ack().params, seq: -1 });
            case 'ack too much':
              return feed.ack({ ...view.ack().params, seq: 1e9 });
            case 'open':
            case 'open without acks':
              open = true;
              return feed.open({ acks: step.do === 'open' });
            case 'lost':
              open = false;
              return feed.lost();
            case 'close':
              closed = true;
              return feed.close();
            default:
              forgotten ||= step.do === 'forget';
              call(output, { do: step.do, n: step.n });
          }
        }

        for (const step of steps) {
          act(step);
          const { accepted, forwarded, merged, superseded, discarded, queued } = feed.counters;
          expect(forwarded + merged + superseded + discarded + queued).toBe(accepted);
        }
        output.release();
        output.finish({ content: [] });
        scheduler.advance(100_000);
        while (later.length > 0) react();
        scheduler.advance(100_000);
        expect(wrong).toEqual([]);
        expect(scheduler.pending).toBe(0);
        expect(ended).toBe(ended || (open && !closed && !forgotten));
      },
    ),
    { numRuns: 2_000 },
  );
});
