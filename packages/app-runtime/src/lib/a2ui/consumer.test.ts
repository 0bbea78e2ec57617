import { basicCatalog } from '@a2ui/lit/v0_9';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { a2uiBlock, chunkOf, text } from '../../testing/chunks.ts';
import { createAppRuntime } from '../runtime.ts';
import type { AppRuntime } from '../types.ts';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';
import { createA2uiConsumer, type A2uiState } from './consumer.ts';

const catalogs = [secureCatalog(basicCatalog as A2uiCatalog)];
const CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

/** Six lines, characters of one to four bytes, an escape and an exponent to be cut in two. */
const STREAM = [
  `{"version":"v0.9","createSurface":{"surfaceId":"s1","catalogId":"${CATALOG_ID}"}}`,
  '{"version":"v0.9","updateComponents":{"surfaceId":"s1","components":[{"id":"root","component":"Column","children":["a","b","c"]}]}}',
  '{"version":"v0.9","updateComponents":{"surfaceId":"s1","components":[{"id":"a","component":"Text","text":"日本語 — 😀 \\u00e9"}]}}',
  '{"version":"v0.9","updateComponents":{"surfaceId":"s1","components":[{"id":"b","component":"Text","text":{"path":"/n"}}]}}',
  '{"version":"v0.9","updateDataModel":{"surfaceId":"s1","path":"/n","value":1e-3}}',
  '{"version":"v0.9","updateComponents":{"surfaceId":"s1","components":[{"id":"c","component":"Icon","name":"star"}]}}',
].join('\n');

interface Rig {
  runtime: AppRuntime<A2uiState>;
  state(): A2uiState;
}

function setUp(): Rig {
  const scheduler = createManualScheduler();
  const runtime = createAppRuntime({ consumer: createA2uiConsumer({ catalogs }), scheduler });
  return {
    runtime,
    state() {
      scheduler.flush();
      return runtime.snapshot().state;
    },
  };
}

function dump({ model, flow }: A2uiState): unknown {
  const surfaces = [...model.surfaces].map(([id, { dataModel, componentsModel }]) => ({
    id,
    data: dataModel.get('/') as unknown,
    components: [...componentsModel.entries].map(([, component]) => component.componentTree).sort(byId),
  }));
  return { surfaces, flow };
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

const whole = setUp();
whole.runtime.receive(chunkOf(0, [a2uiBlock(STREAM)]));
const expected = dump(whole.state());

describe('A2UI cut into chunks', () => {
  it('is read whole', () => {
    expect(expected).toMatchObject({
      surfaces: [
        {
          id: 's1',
          data: { n: 0.001 },
          components: [{ id: 'a', text: '日本語 — 😀 é' }, {}, {}, { id: 'root' }],
        },
      ],
    });
  });

  it('is the same for a cut at every place, the last line without a newline (field cases 21, 24, 26)', () => {
    for (let cut = 0; cut <= STREAM.length; cut++) {
      const { runtime, state } = setUp();
      runtime.receive(chunkOf(0, [a2uiBlock(STREAM.slice(0, cut))]));
      runtime.receive(chunkOf(1, [a2uiBlock(STREAM.slice(cut))]));
      expect(dump(state())).toEqual(expected);
      expect(state().problems).toEqual([]);
    }
  });

  it('is the same for many cuts, in every order and with duplicates (S4, field cases 1, 12)', () => {
    const cuts = fc.array(fc.nat(STREAM.length), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(cuts, fc.infiniteStream(fc.nat()), (at, random) => {
        const places = [0, ...at.sort((a, b) => a - b), STREAM.length];
        const chunks = places
          .slice(1)
          .map((to, seq) => chunkOf(seq, [a2uiBlock(STREAM.slice(places[seq], to))]));
        const arrivals = [...chunks, ...chunks]
          .map((chunk) => ({ chunk, key: random.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const { runtime, state } = setUp();
        for (const { chunk } of arrivals) runtime.receive(chunk);
        expect(dump(state())).toEqual(expected);
        expect(runtime.snapshot().counters).toMatchObject({
          applied: chunks.length,
          duplicates: chunks.length,
        });
      }),
      { numRuns: 200 },
    );
  });

  it('is the same under either media type, with a byte order mark, a blank line and trailing prose (field cases 25, 26, 78)', () => {
    const { runtime, state } = setUp();
    runtime.receive(
      chunkOf(0, [
        a2uiBlock(`\uFEFF${STREAM.replaceAll('\n', '\n\n')}\nThat is all.\n`, 'application/json+a2ui'),
      ]),
    );
    expect(dump(state())).toEqual(expected);
  });
});

describe('the end', () => {
  it('is the same with every stream before it, complete, cut short, with holes, or none (S18, field case 20)', () => {
    const result = { content: [text('In words.'), a2uiBlock(STREAM)] };
    const fresh = setUp();
    fresh.runtime.finish(result);
    const end = dump(fresh.state());
    const lines = STREAM.split('\n');
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3, 4, 5]), (arrived) => {
        const { runtime, state } = setUp();
        for (const seq of arrived) runtime.receive(chunkOf(seq, [a2uiBlock(`${lines[seq]!}\n`)]));
        runtime.finish(result);
        expect(dump(state())).toEqual(end);
      }),
    );
  });

  it('comes without a throw after the base of the stream was lost (field case 8)', () => {
    const { runtime, state } = setUp();
    runtime.receive(chunkOf(1, [a2uiBlock(`${STREAM.split('\n')[1]!}\n`)]));
    runtime.finish({ content: [a2uiBlock(STREAM)] });
    expect(dump(state())).toEqual(expected);
    expect(runtime.snapshot().status).toBe('complete');
  });

  it('reads one JSON array as well as one message a line', () => {
    const { runtime, state } = setUp();
    const messages = STREAM.split('\n').map((line) => JSON.parse(line) as unknown);
    runtime.finish({ content: [a2uiBlock(JSON.stringify(messages, undefined, 2))] });
    expect(dump(state())).toEqual(expected);
  });
});

it('keeps texts and surfaces in the order in which they came (field case 29)', () => {
  const { runtime, state } = setUp();
  runtime.receive(chunkOf(0, [text('be'), text('fore')]));
  runtime.receive(chunkOf(1, [a2uiBlock(STREAM)]));
  runtime.receive(chunkOf(2, [text('after')]));
  expect(state().flow).toEqual([
    { kind: 'text', text: 'before' },
    { kind: 'surface', surfaceId: 's1' },
    { kind: 'text', text: 'after' },
  ]);
});

describe('a surface that is deleted and made again', () => {
  const line = (message: object): string => `${JSON.stringify({ version: 'v0.9', ...message })}\n`;
  const create = line({ createSurface: { surfaceId: 's', catalogId: CATALOG_ID } });
  const remove = line({ deleteSurface: { surfaceId: 's' } });
  const blocks = [text('a'), a2uiBlock(create), text('b'), a2uiBlock(remove), text('c'), a2uiBlock(create)];

  it('has its place where it was made again, whether that came in one chunk or in many', () => {
    const flows = [[blocks], blocks.map((block) => [block])].map((chunks) => {
      const { runtime, state } = setUp();
      chunks.forEach((chunk, seq) => runtime.receive(chunkOf(seq, chunk)));
      return state().flow;
    });
    expect(flows[0]).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'bc' },
      { kind: 'surface', surfaceId: 's' },
    ]);
    expect(flows[1]).toEqual(flows[0]);
  });
});
