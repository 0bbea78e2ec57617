import type { MergeModes, PartialToolResult } from '@mcp-apps-bridge/partial-results';
import {
  createAssembler,
  foldStructured,
  type AssembledChunk,
} from '@mcp-apps-bridge/partial-results/stream';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textChunk, TOKEN } from '../../testing/chunks.ts';
import { createAppRuntime } from '../runtime.ts';
import type { Consumer } from '../types.ts';
import { logConsumer } from './log.ts';
import { structuredConsumer } from './structured.ts';
import { tableConsumer } from './table.ts';
import { textConsumer } from './text.ts';

const consumers: ReadonlyArray<[string, () => Consumer<unknown>]> = [
  ['text', () => textConsumer() as Consumer<unknown>],
  ['log', () => logConsumer({ maxLines: 200, maxLineChars: 20 }) as Consumer<unknown>],
  ['table', () => tableConsumer({ maxRows: 6 }) as Consumer<unknown>],
  ['structured', () => structuredConsumer()],
];

const words = fc.constantFrom(
  '',
  'a',
  'line\n',
  '\r\n',
  '\n'.repeat(130),
  'x'.repeat(30),
  'y'.repeat(5_000),
  '😀',
);
const values = fc.oneof(
  fc.array(fc.nat(9), { maxLength: 4 }),
  fc.dictionary(
    fc.constantFrom('rows', 'title', 'more', '__proto__'),
    fc.oneof(fc.array(fc.nat(9), { maxLength: 3 }), fc.constantFrom(null, 'x', 0), fc.constant({ d: [1] })),
    { maxKeys: 3 },
  ),
  fc.constantFrom('x', 0),
);
const mode = fc.constantFrom<NonNullable<MergeModes['structuredContent']>[]>(
  'append',
  'replace',
  'merge-patch',
);
const step = fc.record({
  word: words,
  value: values,
  lost: fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? 1 : 0)),
  modes: fc.record(
    { content: fc.constantFrom('append', 'replace'), structuredContent: mode },
    { requiredKeys: [] },
  ),
  shows: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function assemble(steps: readonly Step[]): AssembledChunk[] {
  let seq = 0;
  return steps.map(({ word, value, lost, modes }) => {
    const chunk: PartialToolResult = { ...textChunk(seq + lost, word), structuredContent: value };
    const gap = lost > 0 ? { first: seq, last: seq + lost - 1 } : undefined;
    seq = chunk.seq + 1;
    return createAssembler({ modes: modes as MergeModes, onEvent: () => undefined }).push(chunk, gap);
  });
}

describe.each(consumers)('a %s state', (_, create) => {
  it('is the same whenever it was shown, and what was shown stays as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const consumer = create();
        const shown: Array<[state: unknown, text: string | undefined]> = [];
        let own = new WeakSet<object>();
        let state = consumer.init();
        let copied = consumer.init();
        assemble(steps).forEach((chunk, i) => {
          state = consumer.chunk(state, chunk, own);
          copied = consumer.chunk(copied, chunk);
          if (!steps[i]!.shows) return;
          const text = JSON.stringify(state);
          expect(text).toBe(JSON.stringify(copied));
          const before = shown.at(-1);
          if (before && before[1] !== text) expect(before[0]).not.toBe(state);
          shown.push([state, text]);
          own = new WeakSet();
        });
        for (const [one, text] of shown) expect(JSON.stringify(one)).toBe(text);
        expect(JSON.stringify(state)).toBe(JSON.stringify(copied));
      }),
      { numRuns: 300 },
    );
  });
});

it('a table is what its rows and the rest come to when folded as one value', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const consumer = tableConsumer();
      let state = consumer.init();
      let whole: unknown = { rows: [] };
      for (const chunk of assemble(steps)) {
        state = consumer.chunk(state, chunk);
        const by = chunk.modes.structuredContent ?? 'append';
        const next = chunk.structuredContent;
        const bare = Array.isArray(next) && by === 'append' ? { rows: next } : next;
        const { rows, rest } = consumer.final({ structuredContent: foldStructured(whole, bare, by) });
        whole = { ...rest, rows };
        expect(state).toMatchObject({ rows, rest });
      }
    }),
    { numRuns: 1_000 },
  );
});

describe('the cost of a chunk', () => {
  /** Lists and objects that a state went through while 1,000 chunks came and every 100th was shown. */
  function copies<S>(
    consumer: Consumer<S>,
    chunkOf: (seq: number) => object,
    part: (state: S) => unknown,
  ): number {
    const scheduler = createManualScheduler();
    const paints: Array<() => void> = [];
    const seen = new Set<unknown>();
    const runtime = createAppRuntime<S>({
      consumer: {
        ...consumer,
        chunk(state, chunk, own) {
          const next = consumer.chunk(state, chunk, own);
          seen.add(part(next));
          return next;
        },
      },
      scheduler,
      paint: (run) => (paints.push(run), () => undefined),
    });
    for (let seq = 0; seq < 1_000; seq++) {
      runtime.receive({ partialResultToken: TOKEN, seq, ...chunkOf(seq) });
      if (seq % 100 === 99) for (const paint of paints.splice(0)) paint();
    }
    expect(runtime.snapshot().counters.applied).toBe(1_000);
    return seen.size;
  }

  const words = (text: string) => (): object => ({ content: [{ type: 'text', text }] });
  const merge = (by: string): object => ({ 'io.github.mcp-apps-bridge/merge': { structuredContent: by } });

  it.each([
    ['pieces of a text', () => copies(textConsumer(), words('x'.repeat(4_096)), ({ parts }) => parts)],
    ['blocks of a log', () => copies(logConsumer({ maxLines: 1e6 }), words('a\n'), ({ blocks }) => blocks)],
    [
      'lines of a block',
      () =>
        copies(logConsumer({ maxLines: 1e6 }), words('a\n'.repeat(3)), ({ blocks }) => blocks.at(-1)!.lines) -
        30,
    ],
    [
      'rows',
      () =>
        copies(
          tableConsumer(),
          (seq) => ({ structuredContent: [seq] }),
          ({ rows }) => rows,
        ),
    ],
    [
      'what is beside rows',
      () =>
        copies(
          tableConsumer(),
          (seq) => ({ structuredContent: { [`k${seq}`]: 1 } }),
          ({ rest }) => rest,
        ),
    ],
    [
      'an object that is patched',
      () =>
        copies(
          structuredConsumer(),
          (seq) => ({ structuredContent: { [`k${seq}`]: 1 }, _meta: merge('merge-patch') }),
          (state) => state,
        ),
    ],
    [
      'a list that is appended to',
      () =>
        copies(
          structuredConsumer(),
          (seq) => ({ structuredContent: [seq], _meta: merge('append') }),
          (state) => state,
        ),
    ],
  ])('has one copy a paint, of the %s', (_, count) => {
    expect(count()).toBeLessThanOrEqual(12);
  });

  it('of a line that never ends does not grow with it', () => {
    const consumer = logConsumer({ maxLineChars: 50 });
    let state = consumer.init();
    const opens = new Set<string>();
    for (const chunk of assemble(
      Array.from({ length: 200 }, () => ({
        word: 'x'.repeat(10),
        value: 0,
        lost: 0,
        modes: {},
        shows: false,
      })),
    )) {
      state = consumer.chunk(state, chunk);
      opens.add(state.open);
    }
    expect(opens.size).toBe(6);
  });
});
