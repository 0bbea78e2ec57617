import {
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  SKIPPED_META_KEY,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { createAssembler } from '@mcp-apps-bridge/partial-results/stream';
import { createManualScheduler, type ManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { a2uiBlock, text, textChunk, TOKEN } from '../testing/chunks.ts';
import { textConsumer, type TextState } from './consumers/text.ts';
import { createAppRuntime } from './runtime.ts';
import type { AckParams, AppRuntime, AppRuntimeOptions, Consumer, RuntimeEvent, Snapshot } from './types.ts';

interface Rig {
  runtime: AppRuntime<TextState>;
  scheduler: ManualScheduler;
  events: RuntimeEvent[];
  acks: AckParams[];
  changes: Snapshot<TextState>[];
  now(): Snapshot<TextState>;
}

function setUp(options: Partial<AppRuntimeOptions<TextState>> = {}): Rig {
  const scheduler = createManualScheduler();
  const events: RuntimeEvent[] = [];
  const acks: AckParams[] = [];
  const changes: Snapshot<TextState>[] = [];
  const runtime = createAppRuntime({
    consumer: textConsumer(),
    onChange: (snapshot) => changes.push(snapshot),
    onEvent: (event) => events.push(event),
    sendAck: (params) => acks.push(params),
    scheduler,
    ...options,
  });
  const now = (): Snapshot<TextState> => {
    scheduler.flush();
    return runtime.snapshot();
  };
  return { runtime, scheduler, events, acks, changes, now };
}

const RESULT: ToolResult = { content: [text('the end')] };

function lastChunk(seq: number, epoch = 0, token: unknown = TOKEN): ToolResult {
  return { ...RESULT, _meta: { [LAST_CHUNK_META_KEY]: { partialResultToken: token, epoch, seq } } };
}

function codes(events: RuntimeEvent[]): string[] {
  return events.map((event) => (event.type === 'rejected' ? event.rejection.code : event.type));
}

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

describe('a stream in the view', () => {
  it('goes from waiting over streaming to complete', () => {
    const { runtime, now } = setUp();
    expect(now()).toMatchObject({ status: 'waiting', state: { text: '' }, incomplete: false });
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(1, 'b'));
    expect(now()).toMatchObject({ status: 'streaming', state: { text: 'ab' } });
    runtime.finish(RESULT);
    expect(now()).toMatchObject({ status: 'complete', state: { text: 'the end' }, incomplete: false });
  });

  it('applies chunks once each and in order, for every permutation of 6 (S4, field case 1)', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const order of permutations([0, 1, 2, 3, 4, 5])) {
      const { runtime, now } = setUp();
      for (const seq of order) runtime.receive(textChunk(seq, letters[seq]!));
      expect(now().state.text).toBe('abcdef');
      expect(now().counters).toMatchObject({ received: 6, applied: 6, duplicates: 0, gaps: 0 });
    }
  });

  it('applies a shuffled stream with duplicates as if it had come in order (field case 12)', () => {
    const copies = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4], {
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(copies, (seqs) => {
        const { runtime, now } = setUp();
        for (const seq of seqs) runtime.receive(textChunk(seq, `${seq}`));
        expect(now().state.text).toBe('0123456');
        expect(now().counters).toMatchObject({ applied: 7, duplicates: 5, gaps: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('ends in the same state whatever part of the stream arrived, in whatever order (S18, D7)', () => {
    const seqs = fc.array(fc.nat(9), { maxLength: 30 });
    fc.assert(
      fc.property(seqs, fc.nat(30), (arrivals, waitMs) => {
        const { runtime, scheduler, now } = setUp();
        for (const seq of arrivals) {
          runtime.receive(textChunk(seq, `${seq}`));
          scheduler.advance(waitMs * 10);
        }
        runtime.finish(RESULT);
        expect(now().state).toEqual(textConsumer().final(RESULT));
        expect(now().status).toBe('complete');
      }),
    );
  });

  it('survives poison frames: each is refused with a code, its neighbours and the result apply (field case 9)', () => {
    const { runtime, events, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    const poison = [
      null,
      5,
      'x',
      [],
      undefined,
      { ...textChunk(1, ''), seq: '1' },
      { ...textChunk(1, ''), seq: -1 },
      { ...textChunk(1, ''), seq: 1.5 },
      { ...textChunk(1, ''), seq: 9e99 },
    ];
    for (const frame of poison) runtime.receive(frame);
    expect(codes(events)).toEqual([
      ...Array<string>(5).fill('not_an_object'),
      'wrong_type',
      'out_of_range',
      'out_of_range',
      'out_of_range',
    ]);
    runtime.receive(textChunk(1, 'b'));
    expect(now()).toMatchObject({ state: { text: 'ab' }, counters: { rejected: 9, applied: 2 } });
    runtime.finish(RESULT);
    expect(now().state.text).toBe('the end');
  });

  it('settles the number of a frame whose body is bad, so that the next one does not wait for it (field case 9)', () => {
    const { runtime, acks, scheduler, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.receive({ partialResultToken: TOKEN, seq: 1, content: {} });
    runtime.receive(textChunk(2, 'c'));
    expect(now()).toMatchObject({ state: { text: 'ac', gaps: [1] }, counters: { rejected: 1, gaps: 0 } });
    scheduler.flush();
    expect(acks.at(-1)).toMatchObject({ seq: 2, counters: { applied: 2, rejected: 1 } });
  });

  it('gives a hole its place and tells the consumer when the wait is over (S6, field case 7)', () => {
    const { runtime, scheduler, events, now } = setUp();
    for (const seq of [0, 1, 3, 4]) runtime.receive(textChunk(seq, `${seq}`));
    expect(now().state.text).toBe('01');
    scheduler.advance(250);
    expect(now().state).toMatchObject({ text: '0134', gaps: [2] });
    expect(events).toEqual([{ type: 'gap', first: 2, last: 2, reason: 'time' }]);
    runtime.receive(textChunk(2, '2'));
    expect(now()).toMatchObject({ state: { text: '0134' }, counters: { late: 1, gaps: 1, skipped: 1 } });
    runtime.finish(RESULT);
    expect(now().state.text).toBe('the end');
  });

  it('goes on at once behind numbers the host says it gave up (case 7)', () => {
    const { runtime, now, events, scheduler } = setUp();
    const skipped = (count: unknown) => ({ _meta: { [SKIPPED_META_KEY]: count } });
    runtime.receive(textChunk(0, '0'));
    runtime.receive(textChunk(2, '2', skipped(1)));
    expect(now().state).toMatchObject({ text: '02', gaps: [1] });
    expect(events).toEqual([{ type: 'gap', first: 1, last: 1, reason: 'told' }]);
    // A refused body still says so; a count that is none costs a wait.
    runtime.receive({ ...textChunk(4, ''), content: 5, ...skipped(1) });
    runtime.receive(textChunk(5, '5'));
    expect(now()).toMatchObject({ state: { text: '025' }, counters: { skipped: 2, rejected: 1 } });
    runtime.receive(textChunk(7, '7', skipped('1')));
    expect(now().state.text).toBe('025');
    scheduler.advance(250);
    expect(now().state.text).toBe('0257');
  });

  it('ignores and counts foreign tokens; 0 and the empty string are tokens like any other (field cases 18, 19)', () => {
    for (const token of [0, '', 't9']) {
      const { runtime, now } = setUp();
      runtime.receive({ ...textChunk(0, 'a'), partialResultToken: token });
      runtime.receive({ ...textChunk(1, 'x'), partialResultToken: 'tool-call-7' });
      runtime.receive({ ...textChunk(1, 'x'), partialResultToken: null });
      runtime.receive({ seq: 1, content: [text('x')] });
      runtime.receive({ ...textChunk(1, '0'), partialResultToken: token });
      expect(now()).toMatchObject({
        state: { text: 'a0' },
        counters: { foreign: 1, rejected: 2, applied: 2 },
      });
    }
  });

  it('says when a chunk follows the one that called itself the last, and applies it (S8)', () => {
    const { runtime, events, now } = setUp();
    runtime.receive(textChunk(2, 'c', { final: true }));
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(1, 'b'));
    expect(now()).toMatchObject({ status: 'streaming', state: { text: 'abc' } });
    runtime.receive(textChunk(3, 'd'));
    expect(codes(events)).toEqual(['after_final']);
    expect(now().state.text).toBe('abcd');
  });
});

describe('a replay', () => {
  const at = (epoch: number): { _meta: Record<string, unknown> } => ({ _meta: { [EPOCH_META_KEY]: epoch } });

  it('starts from the initial state and leaves nothing doubled (D2, field cases 12, 13)', () => {
    const { runtime, events, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(1, 'b'));
    runtime.receive(textChunk(0, 'a', at(1)));
    runtime.receive(textChunk(2, 'old'));
    runtime.receive(textChunk(1, 'bc', at(1)));
    expect(now()).toMatchObject({ state: { text: 'abc' }, counters: { late: 1 } });
    expect(codes(events)).toEqual(['epoch', 'stale_epoch']);
  });

  it('refuses an epoch that is no integer from 0', () => {
    const { runtime, events, now } = setUp();
    for (const epoch of [-1, 1.5, 'x', {}]) {
      runtime.receive({ ...textChunk(0, 'x'), _meta: { [EPOCH_META_KEY]: epoch } });
    }
    expect(codes(events)).toEqual(Array(4).fill('out_of_range'));
    expect(now().status).toBe('waiting');
  });
});

describe('the result', () => {
  it('is final: nothing of lower authority changes the state after it (field cases 2, 10)', () => {
    const { runtime, events, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(RESULT);
    const end = now();
    runtime.receive(textChunk(1, 'late', { final: true }));
    runtime.receive(textChunk(0, 'replay', { _meta: { [EPOCH_META_KEY]: 1 } }));
    runtime.input({ arguments: { a: 1 } });
    runtime.finish({ content: [text('second')] });
    runtime.cancel({ reason: 'x' });
    expect(now()).toMatchObject({ state: end.state, status: 'complete', counters: { late: 2, applied: 1 } });
    expect(now().input).toBeUndefined();
    expect(codes(events)).toEqual(['late', 'late', 'ignored', 'ignored', 'ignored']);
  });

  it('waits for the chunks sent before it, then comes at once (D13)', () => {
    const { runtime, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(lastChunk(2));
    expect(now()).toMatchObject({ status: 'streaming', state: { text: 'a' } });
    runtime.receive(textChunk(2, 'c'));
    runtime.receive(textChunk(1, 'b'));
    expect(now()).toMatchObject({ status: 'complete', counters: { applied: 3 } });
  });

  it('waits no longer than the hold when they never come', () => {
    const { runtime, scheduler, events, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(lastChunk(5));
    scheduler.advance(249);
    expect(now().status).toBe('streaming');
    scheduler.advance(1);
    expect(now().status).toBe('complete');
    expect(events).toContainEqual({ type: 'result_overdue', missing: 5 });
  });

  it('waits for the replay it belongs to', () => {
    const { runtime, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(lastChunk(0, 1));
    expect(now().status).toBe('streaming');
    runtime.receive(textChunk(0, 'a', { _meta: { [EPOCH_META_KEY]: 1 } }));
    expect(now().status).toBe('complete');
  });

  it('does not wait on a last-chunk note of another stream', () => {
    const { runtime, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(lastChunk(9, 0, 'other'));
    expect(now().status).toBe('complete');
  });

  it('never reaches the consumer together with streamed state (D7)', () => {
    const final = vi.fn((result: ToolResult) => ({
      text: String(result.content?.length),
      parts: [],
      tail: '',
      gaps: [],
      olderGaps: 0,
    }));
    const { runtime, now } = setUp({ consumer: { ...textConsumer(), final } });
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(RESULT);
    expect(now().state.text).toBe('1');
    expect(final.mock.calls).toEqual([[RESULT]]);
  });

  it('that is an error flushes what was held, marks it incomplete and carries the text (field case 82)', () => {
    const { runtime, now } = setUp();
    for (const seq of [0, 1, 3]) runtime.receive(textChunk(seq, `${seq}`));
    runtime.finish({ isError: true, content: [text('quota')] });
    expect(now()).toMatchObject({
      status: 'failed',
      incomplete: true,
      error: { kind: 'tool', text: 'quota' },
      state: { text: '013' },
    });
  });

  it('that is an error can drop what had come, by option (field case 82)', () => {
    const { runtime, now } = setUp({ keepPartial: false });
    runtime.receive(textChunk(0, 'a'));
    runtime.finish({ isError: true, content: [] });
    expect(now()).toMatchObject({ status: 'failed', state: { text: '' } });
    expect(now().error?.text).not.toBe('');
  });

  it('without isError, and with null fields, is a success (field cases 82, 89)', () => {
    const { runtime, now } = setUp();
    runtime.finish({ content: [text('x')], structuredContent: null, _meta: null, 'x-new': 1 });
    expect(now()).toMatchObject({ status: 'complete', state: { text: 'x' } });
  });

  it('that the consumer cannot read fails the view instead of the page', () => {
    const consumer: Consumer<TextState> = {
      ...textConsumer(),
      final() {
        throw new Error('unreadable');
      },
    };
    const { runtime, events, now } = setUp({ consumer });
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(RESULT);
    expect(now()).toMatchObject({
      status: 'failed',
      error: { kind: 'consumer', text: 'unreadable' },
      state: { text: 'a' },
    });
    expect(codes(events)).toEqual(['consumer_failed']);
  });
});

describe('the counters', () => {
  it('have every message in one place: what waited at the end or at a replay is superseded', () => {
    const { runtime, now } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(2, 'c'));
    expect(now().counters).toMatchObject({ received: 2, applied: 1, held: 1, superseded: 0 });
    runtime.receive(textChunk(1, 'x', { _meta: { [EPOCH_META_KEY]: 1 } }));
    expect(now().counters).toMatchObject({ received: 3, applied: 1, held: 1, superseded: 1 });
    runtime.finish(RESULT);
    expect(now().counters).toMatchObject({ received: 3, applied: 1, held: 0, superseded: 2 });
  });
});

describe('a cancel', () => {
  it('drops what is held and closes the call to everything later (field case 84)', () => {
    const { runtime, scheduler, now } = setUp();
    for (const seq of [0, 1, 3]) runtime.receive(textChunk(seq, `${seq}`));
    runtime.cancel({ reason: 'user' });
    runtime.receive(textChunk(2, '2'));
    runtime.finish(RESULT);
    scheduler.advance(10_000);
    expect(now()).toMatchObject({ status: 'cancelled', incomplete: true, state: { text: '01' } });
    expect(now().result).toBeUndefined();
  });

  it('does not undo a result that only waited for its chunks', () => {
    const { runtime, now } = setUp();
    runtime.finish(lastChunk(3));
    runtime.cancel();
    expect(now()).toMatchObject({ status: 'complete', state: { text: 'the end' } });
  });
});

describe('acks', () => {
  it('are cumulative, one a task, and only after the model took the chunks (D5)', () => {
    const { runtime, scheduler, acks } = setUp();
    for (const seq of [0, 1, 2]) runtime.receive(textChunk(seq, 'x'));
    expect(acks).toEqual([]);
    scheduler.flush();
    expect(acks).toEqual([
      {
        partialResultToken: TOKEN,
        epoch: 0,
        seq: 2,
        counters: { applied: 3, skipped: 0, rejected: 0, duplicates: 0, late: 0, gaps: 0 },
      },
    ]);
  });

  it('hold still behind a gap and pass it when it is given up', () => {
    const { runtime, scheduler, acks } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(2, 'c'));
    scheduler.flush();
    expect(acks.at(-1)?.seq).toBe(0);
    scheduler.advance(250);
    expect(acks.at(-1)).toMatchObject({ seq: 2, counters: { skipped: 1, gaps: 1 } });
  });

  it('do not wait for a paint (field cases 32, 33)', () => {
    const { runtime, scheduler, acks } = setUp({ paint: () => () => undefined });
    for (let seq = 0; seq < 2_000; seq++) runtime.receive(textChunk(seq, 'x'));
    scheduler.flush();
    expect(acks.at(-1)?.seq).toBe(1_999);
    runtime.finish(RESULT);
    scheduler.flush();
    expect(runtime.snapshot()).toMatchObject({ status: 'complete', state: { text: 'the end' } });
  });

  it('answer a probe at once, and not one about another stream', () => {
    const { runtime, acks } = setUp();
    runtime.probe({ partialResultToken: TOKEN, epoch: 0 });
    expect(acks).toMatchObject([{ partialResultToken: TOKEN, seq: -1 }]);
    runtime.receive(textChunk(0, 'a'));
    runtime.probe({ partialResultToken: TOKEN, epoch: 0 });
    expect(acks.at(-1)?.seq).toBe(0);
    runtime.probe({ partialResultToken: 'other', epoch: 0 });
    runtime.probe(null);
    expect(acks).toHaveLength(2);
  });

  it('go on after the end, so that a host that replays is not left waiting', () => {
    const { runtime, scheduler, acks } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(RESULT);
    runtime.receive(textChunk(0, 'a', { _meta: { [EPOCH_META_KEY]: 1 } }));
    runtime.receive(textChunk(1, 'b', { _meta: { [EPOCH_META_KEY]: 1 } }));
    scheduler.flush();
    expect(acks.at(-1)).toMatchObject({ epoch: 1, seq: 1 });
  });

  it('that cannot be sent stop nothing', () => {
    const { runtime, now } = setUp({
      sendAck() {
        throw new Error('host gone');
      },
    });
    runtime.receive(textChunk(0, 'a'));
    expect(now().state.text).toBe('a');
    runtime.probe({ partialResultToken: TOKEN });
  });
});

describe('publication', () => {
  it('tells of 2,000 chunks in a few snapshots, the last one right (field case 31)', () => {
    const paints: Array<() => void> = [];
    const { runtime, changes } = setUp({
      paint: (run) => {
        paints.push(run);
        return () => undefined;
      },
    });
    for (let seq = 0; seq < 2_000; seq++) {
      runtime.receive(textChunk(seq, 'x'));
      if (seq % 100 === 99) paints.splice(0).forEach((run) => run());
    }
    expect(changes).toHaveLength(20);
    expect(changes.at(-1)?.state.text).toBe('x'.repeat(2_000));
  });

  it('keeps the same snapshot until the next publication', () => {
    const { runtime, scheduler } = setUp();
    const before = runtime.snapshot();
    runtime.receive(textChunk(0, 'a'));
    expect(runtime.snapshot()).toBe(before);
    scheduler.flush();
    const after = runtime.snapshot();
    expect(after).not.toBe(before);
    expect(runtime.snapshot()).toBe(after);
    runtime.receive(textChunk(1, 'b'));
    runtime.flush();
    expect(runtime.snapshot().state.text).toBe('ab');
  });

  it('has everything ready for a late subscriber (field case 61)', () => {
    const { runtime, scheduler } = setUp();
    runtime.input({ arguments: { city: 'Oslo' } });
    runtime.receive(textChunk(0, 'a'));
    runtime.finish(RESULT);
    scheduler.advance(500);
    const seen: string[] = [];
    runtime.subscribe((snapshot) => seen.push(snapshot.status));
    expect(runtime.snapshot()).toMatchObject({ status: 'complete', input: { city: 'Oslo' }, result: RESULT });
    expect(seen).toEqual([]);
  });

  it('survives a listener and an observer that throw', () => {
    const events: RuntimeEvent[] = [];
    const { runtime, changes, now } = setUp({
      onEvent(event) {
        events.push(event);
        throw new Error('observer');
      },
    });
    runtime.subscribe(() => {
      throw new Error('listener');
    });
    runtime.receive(null);
    runtime.receive(textChunk(0, 'a'));
    expect(now().state.text).toBe('a');
    expect(changes).toHaveLength(1);
    expect(codes(events)).toEqual(['not_an_object', 'listener_failed']);
  });
});

describe('a message stream', () => {
  const lines = '{"a":1}\n{"b":';
  const consumer: Consumer<unknown[]> = {
    init: () => [],
    chunk: (state, { blocks = [] }) => [...state, ...blocks.map(({ block, records }) => records ?? block)],
    final: () => [],
  };

  it('comes in whole messages to a consumer that asks for them, and as it is to any other', () => {
    const reads = (assembled: boolean): unknown[] => {
      const scheduler = createManualScheduler();
      const runtime = createAppRuntime<unknown[]>({
        consumer: { ...consumer, ...(assembled && { assemble: createAssembler }) },
        scheduler,
      });
      runtime.receive({ partialResultToken: TOKEN, seq: 0, content: [a2uiBlock(lines)] });
      runtime.receive({ partialResultToken: TOKEN, seq: 1, content: [a2uiBlock('2}')] });
      scheduler.flush();
      return runtime.snapshot().state;
    };
    expect(reads(true)).toEqual([[{ a: 1 }], [{ b: 2 }]]);
    expect(reads(false)).toEqual([a2uiBlock(lines), a2uiBlock('2}')]);
  });
});

describe('a consumer that throws on a chunk', () => {
  it('loses that chunk only', () => {
    const consumer: Consumer<TextState> = {
      ...textConsumer(),
      chunk(state, chunk) {
        if (chunk.range.first === 1) throw new Error('no');
        return textConsumer().chunk(state, chunk);
      },
    };
    const { runtime, acks, now } = setUp({ consumer });
    for (const seq of [0, 1, 2]) runtime.receive(textChunk(seq, `${seq}`));
    expect(now()).toMatchObject({ state: { text: '02' }, counters: { applied: 2, rejected: 1 } });
    expect(acks.at(-1)?.seq).toBe(2);
  });
});

describe('close', () => {
  it('stops timers, listeners and acks, twice as well as once', () => {
    const { runtime, scheduler, changes, acks } = setUp();
    runtime.receive(textChunk(0, 'a'));
    runtime.receive(textChunk(2, 'c'));
    runtime.finish(lastChunk(4));
    runtime.close();
    runtime.close();
    scheduler.advance(10_000);
    runtime.receive(textChunk(1, 'b'));
    runtime.finish(RESULT);
    expect(scheduler.pending).toBe(0);
    expect(changes).toEqual([]);
    expect(acks).toEqual([]);
  });
});
