import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOKEN, text } from '../testing/chunks.ts';
import { textConsumer } from './consumers/text.ts';
import { createAppRuntime } from './runtime.ts';
import type { AppRuntime, Consumer, RuntimeEvent } from './types.ts';

/* Nothing that arrives throws through a view, and each message counts once. */

function setUp(consumer: Consumer<unknown> = textConsumer()): {
  runtime: AppRuntime<unknown>;
  events: RuntimeEvent[];
  advance(ms: number): void;
} {
  const scheduler = createManualScheduler();
  const events: RuntimeEvent[] = [];
  const runtime = createAppRuntime({ consumer, onEvent: (event) => events.push(event), scheduler });
  return { runtime, events, advance: (ms) => scheduler.advance(ms) };
}

const chunk = (seq: unknown, content: unknown = [text(String(seq))], more: object = {}): object => ({
  partialResultToken: TOKEN,
  seq,
  content,
  ...more,
});

function sumOf(runtime: AppRuntime<unknown>): number {
  const { applied, rejected, duplicates, late, foreign, held, superseded } = runtime.snapshot().counters;
  return applied + rejected + duplicates + late + foreign + held + superseded;
}

describe('a message nested without end', () => {
  const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));

  it.each([
    ['as structured content', { structuredContent: deep }],
    ['in a block', { content: [{ type: 'text', text: 'x', more: deep }] }],
    ['in its metadata', { _meta: { deep } }],
  ])('is refused, %s, and the next one applies', (_, more) => {
    const { runtime, events, advance } = setUp();
    runtime.receive(chunk(0));
    runtime.receive({ ...chunk(1), ...more });
    runtime.receive(chunk(2));
    advance(1_000);
    expect(events).toMatchObject([{ type: 'rejected', rejection: { code: 'out_of_range' } }]);
    expect(runtime.snapshot()).toMatchObject({
      state: { text: '02' },
      counters: { applied: 2, rejected: 1 },
    });
  });
});

describe('a malformed message with a number', () => {
  it('counts once as rejected, again as duplicate', () => {
    const { runtime, advance } = setUp();
    for (const message of [chunk(0), chunk(1, 'no list'), chunk(1, 'no list'), chunk(2)])
      runtime.receive(message);
    advance(1_000);
    const { counters, state } = runtime.snapshot();
    expect(counters).toMatchObject({ received: 4, applied: 2, rejected: 1, duplicates: 1 });
    expect(state).toMatchObject({ text: '02' });
  });

  it('counts as late after the end', () => {
    const { runtime, advance } = setUp();
    runtime.receive(chunk(0));
    runtime.finish({ content: [] });
    runtime.receive(chunk(1, 'no list'));
    advance(1_000);
    expect(runtime.snapshot().counters).toMatchObject({ received: 2, applied: 1, late: 1, rejected: 0 });
  });
});

it('a consumer without a beginning is reported, and the end still shows', () => {
  const consumer: Consumer<unknown> = {
    ...(textConsumer() as Consumer<unknown>),
    init() {
      throw new Error('no beginning');
    },
  };
  const { runtime, events, advance } = setUp(consumer);
  runtime.receive(chunk(0));
  runtime.finish({ content: [text('end')] });
  advance(1_000);
  expect(events[0]).toEqual({ type: 'consumer_failed', stage: 'init', message: 'no beginning' });
  expect(runtime.snapshot()).toMatchObject({ status: 'complete', state: { text: 'end' } });
});

describe('what throws when it is looked at', () => {
  const hostile = (): unknown[] => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw Object.create(null) as Error;
        },
      },
    );
    return [
      revoked.proxy,
      throwing,
      chunk(0, [throwing]),
      { ...chunk(0), _meta: throwing },
      { arguments: throwing, _meta: revoked.proxy },
    ];
  };

  it('is malformed, and the next one applies', () => {
    for (const each of hostile()) {
      const { runtime, advance } = setUp();
      runtime.receive(each);
      runtime.input(each);
      runtime.probe(each);
      runtime.receive(chunk(0));
      advance(1_000);
      expect(runtime.snapshot()).toMatchObject({
        state: { text: '0' },
        counters: { applied: 1, rejected: 1 },
      });
      runtime.cancel(each);
      expect(sumOf(runtime)).toBe(2);
    }
  });

  it('ends the call as a result nobody can read', () => {
    for (const each of hostile().slice(0, 2)) {
      const { runtime, advance } = setUp();
      runtime.finish(each);
      advance(1_000);
      expect(runtime.snapshot()).toMatchObject({ status: 'failed', error: { kind: 'consumer' } });
    }
  });

  it('a consumer may throw anything', () => {
    const fail = (): never => {
      throw Object.create(null) as Error;
    };
    const { runtime, events, advance } = setUp({ init: fail, chunk: fail, final: fail });
    runtime.receive(chunk(0));
    runtime.finish({ content: [] });
    advance(1_000);
    expect(events.map(({ type }) => type)).toEqual(Array(3).fill('consumer_failed'));
    expect(runtime.snapshot().status).toBe('failed');
  });
});

it('nothing comes back from any message, whatever it is', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const params = fc.oneof(
    fc.anything(),
    fc.record({
      partialResultToken: fc.constant(TOKEN),
      seq: fc.nat(3),
      content: fc.anything(),
      _meta: fc.anything(),
    }),
    fc.record({
      isError: fc.boolean(),
      content: fc.anything(),
      structuredContent: fc.constant(deep),
      _meta: fc.anything(),
    }),
    fc.record({ arguments: fc.anything() }),
  );
  const entry = fc.constantFrom('receive', 'input', 'probe', 'finish', 'cancel');
  fc.assert(
    fc.property(fc.array(fc.tuple(entry, params), { maxLength: 12 }), (calls) => {
      const { runtime, advance } = setUp();
      for (const [name, value] of calls) runtime[name](value);
      advance(1_000);
      expect(sumOf(runtime)).toBe(runtime.snapshot().counters.received);
    }),
    { numRuns: 1_000 },
  );
});

it('whatever arrives in whatever order, each message is in exactly one figure', () => {
  const seq = fc.nat(6);
  const epoch = fc.option(fc.nat(2), { nil: undefined });
  const message = fc.oneof(
    seq.map((at) => chunk(at)),
    seq.map((at) => chunk(at, 'no list')),
    seq.map((at) => chunk(at, [], { _meta: { 'io.github.mcp-apps-bridge/skipped': 2 } })),
    fc.tuple(seq, epoch).map(([at, n]) => chunk(at, [], { _meta: { 'io.github.mcp-apps-bridge/epoch': n } })),
    fc.constantFrom(chunk(1e9), chunk(-1), chunk('0'), { ...chunk(0), partialResultToken: 'another' }),
    fc.anything(),
  );
  const step = fc.oneof(
    { weight: 20, arbitrary: message.map((params) => ({ receive: params })) },
    { weight: 2, arbitrary: fc.nat(400).map((ms) => ({ wait: ms })) },
    { weight: 1, arbitrary: fc.constant({ finish: true }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { runtime, advance } = setUp();
      for (const each of steps) {
        if ('receive' in each) runtime.receive(each.receive as object);
        else if ('wait' in each) advance(each.wait);
        else runtime.finish({ content: [] });
        runtime.flush();
        expect(sumOf(runtime)).toBe(runtime.snapshot().counters.received);
      }
    }),
    { numRuns: 1_000 },
  );
});
