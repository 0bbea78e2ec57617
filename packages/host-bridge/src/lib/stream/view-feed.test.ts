import { serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  MERGE_META_KEY,
  PATCHES_META_KEY,
  type MergeModes,
  type PartialResultBody,
} from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import type { FeedEvent, OutputEvent } from '../events.ts';
import { createToolOutput } from './output.ts';
import type { ToolOutputLimits } from './output-types.ts';
import { createTestView, upstreamOf } from './testing/view.ts';
import { createViewFeed } from './view-feed.ts';
import type { FeedLimits } from './view-feed-types.ts';

interface Setup {
  modes?: MergeModes;
  limits?: FeedLimits;
  outputLimits?: ToolOutputLimits;
  notify?: (method: string) => unknown;
}

function setup({ modes = { content: 'append' }, limits, outputLimits, notify }: Setup = {}) {
  const scheduler = createManualScheduler();
  const events: Array<FeedEvent | OutputEvent> = [];
  const onEvent = (event: FeedEvent | OutputEvent): void => void events.push(event);
  const output = createToolOutput({ modes, limits: outputLimits, scheduler, onEvent });
  const attach = () => {
    const view = createTestView();
    const feed = createViewFeed({
      output,
      limits,
      scheduler,
      onEvent,
      notify(method, params) {
        view.receive(method, params);
        return notify?.(method);
      },
    });
    return { view, feed };
  };
  let seq = 0;
  const push = (...bodies: PartialResultBody[]): void => {
    for (const body of bodies) output.push({ partialResultToken: 'server-token', seq: seq++, ...body });
  };
  const types = () => events.map(({ type }) => type);
  return { scheduler, events, types, output, attach, push, ...attach() };
}

const text = (value: string): PartialResultBody => ({ content: [{ type: 'text', text: value }] });
const RESULT = { content: [{ type: 'text', text: 'final' }] };

test('case 61: nothing is sent before the view opens; then all of it, in order', () => {
  const { output, push, feed, view, scheduler } = setup();
  output.input({ q: 1 });
  push(text('a'), text('b'), text('c'));
  scheduler.advance(500);
  expect(view.messages).toEqual([]);
  feed.open({ acks: true });
  scheduler.flush();
  output.finish(RESULT);
  expect(view.methods).toEqual(['tool-input', 'tool-output-partial', 'tool-result']);
  expect(view.streamed.content).toEqual([{ type: 'text', text: 'abc' }]);
});

test('the server token never reaches a view, and two views get two of our own', () => {
  const { push, feed, view, scheduler, attach } = setup();
  const other = attach();
  feed.open({ acks: true });
  other.feed.open({ acks: true });
  push(text('a'));
  scheduler.flush();
  const tokens = [view, other.view].map(({ chunks }) => chunks[0]!.partialResultToken);
  expect(JSON.stringify([view.messages, other.view.messages])).not.toContain('server-token');
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/);
});

test('case 6: merging consumes no number and says which chunks it stands for', () => {
  const { push, feed, view, scheduler } = setup();
  feed.open({ acks: true });
  push(text('a'), text('b'));
  scheduler.flush();
  push(text('c'));
  scheduler.flush();
  expect(view.chunks.map(({ seq }) => seq)).toEqual([0, 1]);
  expect(view.chunks.map(upstreamOf)).toEqual([
    [0, 1],
    [2, 2],
  ]);
  expect(view.chunks[0]!._meta![MERGE_META_KEY]).toEqual({ content: 'append' });
});

test('case 7: a loss upstream skips exactly one number, however many chunks it took', () => {
  const { output, feed, view, scheduler, types } = setup();
  feed.open({ acks: true });
  const push = (seq: number): void => output.push({ partialResultToken: 't', seq, ...text(`${seq}`) });
  push(0);
  scheduler.flush();
  feed.ack(view.ack().params);
  push(4);
  push(5);
  scheduler.advance(3_000);
  expect(view.chunks.map(({ seq }) => seq)).toEqual([0, 2]);
  expect(view.chunks.map(upstreamOf)).toEqual([
    [0, 0],
    [4, 5],
  ]);
  expect(types().filter((type) => type === 'gap')).toHaveLength(1);
  push(2);
  expect(types().at(-1)).toBe('chunk_late');
  output.finish(RESULT);
  expect(view.result).toMatchObject(RESULT);
});

describe('case 4: the tail is never lost', () => {
  const slow = { limits: { pace: { intervalMs: 150, messagesPerInterval: 1 } } };

  function streamed() {
    const all = setup(slow);
    all.feed.open({ acks: false });
    all.push(text('a'));
    all.scheduler.advance(20);
    all.push(text('b'));
    all.scheduler.flush();
    expect(all.view.chunks).toHaveLength(1);
    return all;
  }

  test('silence: it follows within one window', () => {
    const { view, scheduler } = streamed();
    scheduler.advance(150);
    expect(view.streamed.content).toEqual([{ type: 'text', text: 'ab' }]);
  });

  test('result: it is superseded, and nothing follows the result', () => {
    const { view, scheduler, output, feed } = streamed();
    output.finish(RESULT);
    scheduler.advance(5_000);
    expect(view.methods).toEqual(['tool-output-partial', 'tool-result']);
    expect(feed.counters).toMatchObject({ accepted: 2, forwarded: 1, superseded: 1, queued: 0 });
  });

  test('error: it is sent, then the error result', () => {
    const { view, output } = streamed();
    output.finish({ isError: true, content: [{ type: 'text', text: 'quota' }] });
    expect(view.methods).toEqual(['tool-output-partial', 'tool-output-partial', 'tool-result']);
    expect(view.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'quota' }] });
  });

  test('cancel: it is discarded', () => {
    const { view, scheduler, output, feed } = streamed();
    output.cancel('UserSession#42 closed');
    scheduler.advance(5_000);
    expect(view.methods).toEqual(['tool-output-partial', 'tool-cancelled']);
    expect(JSON.stringify(view.messages)).not.toContain('UserSession');
    expect(feed.counters.discarded).toBe(1);
  });
});

describe('case 5: teardown with a full queue', () => {
  test.each(['close', 'lost'] as const)('%s: timers stop and nothing is posted any more', (how) => {
    const { feed, view, push, scheduler, output } = setup();
    feed.open({ acks: true });
    push(text('a'), text('b'), text('c'));
    feed[how]();
    output.finish(RESULT);
    scheduler.advance(10_000);
    expect(view.messages).toEqual([]);
    expect(feed.counters).toMatchObject({ accepted: 3, discarded: 1, merged: 2 });
    expect(scheduler.pending).toBe(0);
  });

  test('close wins over a later open', () => {
    const { feed, view, push, scheduler } = setup();
    feed.close();
    feed.open({ acks: true });
    push(text('a'));
    scheduler.flush();
    expect(view.messages).toEqual([]);
  });
});

test('case 17: two views of one call each get every chunk once', () => {
  const { feed, view, push, scheduler, attach, output } = setup();
  const other = attach();
  feed.open({ acks: true });
  push(text('a'));
  scheduler.flush();
  other.feed.open({ acks: false });
  push(text('b'));
  scheduler.flush();
  output.finish(RESULT);
  for (const { streamed, result } of [view, other.view]) {
    expect(streamed.content).toEqual([{ type: 'text', text: 'ab' }]);
    expect(result).toMatchObject(RESULT);
  }
});

describe('case 65: a view that initializes again', () => {
  test('mid-stream it gets input and stream again, under a new epoch', () => {
    const { feed, view, push, scheduler, output } = setup();
    output.input({ q: 1 });
    feed.open({ acks: true });
    push(text('a'));
    scheduler.flush();
    feed.lost();
    push(text('b'));
    scheduler.flush();
    feed.open({ acks: true });
    push(text('c'));
    scheduler.flush();
    expect(view.methods.filter((method) => method === 'tool-input')).toHaveLength(2);
    expect(view.chunks.map(({ seq }) => seq)).toEqual([0]);
    expect(view.chunks[0]!._meta![EPOCH_META_KEY]).toBe(1);
    expect(view.streamed.content).toEqual([{ type: 'text', text: 'abc' }]);
  });

  test('one without acks gets a new token, so that it takes the replay for a stream of its own', () => {
    const { feed, view, push, scheduler } = setup();
    feed.open({ acks: false });
    push(text('a'));
    scheduler.flush();
    const before = view.chunks[0]!.partialResultToken;
    feed.open({ acks: false });
    scheduler.flush();
    expect(view.chunks.at(-1)!.partialResultToken).not.toBe(before);
  });

  test('case 69: after a success it gets the result alone', () => {
    const { feed, view, push, output, scheduler } = setup();
    output.input({});
    push(text('a'));
    output.finish(RESULT);
    feed.open({ acks: true });
    scheduler.advance(1_000);
    expect(view.methods).toEqual(['tool-input', 'tool-result']);
    expect(view.result).toEqual(RESULT);
  });

  test.each([
    ['an error', 'tool-result'],
    ['a cancel', 'tool-cancelled'],
  ])('after %s it gets the partial output and how it ended', (how, last) => {
    const { feed, view, push, output, scheduler } = setup();
    push(text('a'));
    if (how === 'a cancel') output.cancel();
    else output.fail(new Error('x'));
    feed.open({ acks: true });
    scheduler.flush();
    expect(view.methods).toEqual(['tool-output-partial', last]);
    expect(scheduler.pending).toBe(0);
  });
});

describe('the replay of a call that is over', () => {
  const over = (count: number, limits?: FeedLimits) => {
    const all = setup({ modes: {}, ...(limits && { limits }) });
    all.output.input({});
    for (let i = 0; i < count; i++) all.push(text(`${i},`));
    all.output.fail(new Error('x'));
    return all;
  };
  const partials = (methods: readonly string[]): number =>
    methods.filter((method) => method === 'tool-output-partial').length;

  test.each([true, false])(
    'is paced like a live stream, and the end comes right behind it (acks: %s)',
    (acks) => {
      const { feed, view, scheduler } = over(400);
      feed.open({ acks });
      expect(view.methods).toEqual(['tool-input']);
      scheduler.flush();
      expect(partials(view.methods)).toBe(acks ? 6 : 8);
      for (let i = 0; i < 400 && view.result === undefined; i++) {
        scheduler.advance(16);
        if (acks) feed.ack(view.ack().params);
      }
      expect(partials(view.methods)).toBe(400);
      expect(view.methods.at(-1)).toBe('tool-result');
      expect(feed.counters).toMatchObject({ queued: 0, discarded: 0 });
      expect(scheduler.pending).toBe(0);
    },
  );

  test('keeps the end no longer than its limit from a view that is silent, whose state is the same', () => {
    const { feed, view, scheduler } = over(400, { maxEndDelayMs: 1_000 });
    feed.open({ acks: true });
    scheduler.advance(999);
    expect(view.result).toBeUndefined();
    scheduler.advance(1);
    expect(partials(view.methods)).toBe(400);
    expect(view.methods.at(-1)).toBe('tool-result');
    expect(scheduler.pending).toBe(0);
  });

  test('whose messages were lost is not sent again: the end is', () => {
    const { feed, view, scheduler } = over(400, { pace: { lostAfterMs: 1_000 } });
    feed.open({ acks: true });
    scheduler.advance(1_000);
    feed.ack({ ...view.ack().params, seq: -1 });
    expect(view.methods.at(-1)).toBe('tool-result');
    expect(feed.counters.epoch).toBe(0);
  });

  test.each(['lost', 'close'] as const)('stops when the view is gone: %s', (how) => {
    const { feed, view, scheduler } = over(400);
    feed.open({ acks: true });
    scheduler.flush();
    const sent = view.messages.length;
    feed[how]();
    scheduler.advance(60_000);
    expect(view.messages).toHaveLength(sent);
    expect(scheduler.pending).toBe(0);
  });
});

test.each(['lost', 'close'] as const)(
  'a view that goes while what led to an error is sent gets no result: %s',
  (how) => {
    const { feed, view, push, output, scheduler } = setup({
      modes: {},
      limits: { pace: { maxFrames: 1 } },
      notify: (method) =>
        method === 'ui/notifications/tool-output-partial' && view.chunks.length === 2 && feed[how](),
    });
    feed.open({ acks: true });
    push(text('a'), text('b'), text('c'));
    scheduler.flush();
    output.fail(new Error('x'));
    scheduler.advance(60_000);
    expect(view.methods).toEqual(['tool-output-partial', 'tool-output-partial']);
  },
);

test('acks that a proxy drops hold the stream up once, then it goes on without them', () => {
  const { feed, view, push, scheduler, types } = setup({ modes: {} });
  feed.open({ acks: true });
  for (let i = 0; i < 50; i++) push(text(`${i}`));
  scheduler.advance(60_000);
  expect(view.chunks).toHaveLength(50);
  expect(types().filter((type) => type.startsWith('view_'))).toEqual([
    'view_open',
    'view_suspended',
    'view_unheard',
  ]);
  for (let i = 0; i < 50; i++) push(text(`${i}`));
  scheduler.advance(2_000);
  expect(view.chunks).toHaveLength(100);
  feed.ack(view.ack().params);
  expect(types().at(-1)).toBe('view_resumed');
});

test('a queue that overflowed before a view turned out to be unheard is made good by a replay, and goes on', () => {
  const limits = { coalesce: { maxItems: 10 } };
  const { feed, view, push, scheduler, types, output } = setup({ modes: {}, limits });
  feed.open({ acks: true });
  push(text('0'));
  scheduler.advance(700);
  for (let i = 1; i < 50; i++) push(text(`${i}`));
  scheduler.advance(2_000);
  expect(view.chunks).toHaveLength(50);
  expect(view.chunks[0]!._meta![EPOCH_META_KEY]).toBe(1);
  expect(types()).not.toContain('final_only');
  output.restart();
  output.push({ partialResultToken: 't', seq: 0, ...text('again') });
  for (let i = 1; i < 8; i++) output.push({ partialResultToken: 't', seq: i, ...text(`${i}`) });
  scheduler.advance(16);
  // What was learnt of the way holds for the next epoch.
  expect(view.chunks).toHaveLength(8);
});

test('the result names the last chunk, so that a view can wait for it', () => {
  const { feed, view, push, output, scheduler } = setup();
  feed.open({ acks: true });
  push(text('a'));
  scheduler.flush();
  output.finish({ ...RESULT, _meta: { own: 1, [LAST_CHUNK_META_KEY]: 'forged' } });
  const { partialResultToken } = view.chunks[0]!;
  expect(view.result!._meta).toEqual({
    own: 1,
    [LAST_CHUNK_META_KEY]: { partialResultToken, epoch: 0, seq: 0 },
  });
});

test('merge patches travel as a batch to a view with acks and one by one to any other', () => {
  const { feed, view, push, scheduler, attach } = setup({ modes: { structuredContent: 'merge-patch' } });
  const plain = attach();
  feed.open({ acks: true });
  plain.feed.open({ acks: false });
  push(
    { structuredContent: { a: 1, b: 1 } },
    { structuredContent: { a: null } },
    { structuredContent: { c: 3 } },
  );
  scheduler.flush();
  expect(view.chunks).toHaveLength(1);
  expect(view.chunks[0]!._meta![PATCHES_META_KEY]).toEqual([{ a: null }, { c: 3 }]);
  expect(JSON.stringify(plain.view.messages)).not.toContain(PATCHES_META_KEY);
  for (const { streamed } of [view, plain.view]) expect(streamed.structured).toEqual({ b: 1, c: 3 });
});

test('case 36: a queue over its cap turns the view to result-only, reported once', () => {
  const { feed, view, push, scheduler, events, output } = setup({
    modes: {},
    limits: { coalesce: { maxItems: 10 }, pace: { maxFrames: 1 } },
  });
  feed.open({ acks: true });
  for (let i = 0; i < 100; i++) push(text(`${i}`));
  scheduler.advance(100);
  const sent = view.chunks.length;
  push(text('more'));
  scheduler.advance(100);
  expect(view.chunks).toHaveLength(sent);
  expect(events.filter(({ type }) => type === 'final_only')).toEqual([
    { type: 'final_only', reason: 'queue_overflow' },
  ]);
  output.finish(RESULT);
  expect(view.result).toMatchObject(RESULT);
});

test('case 36: a history over its cap leaves a late view the result, and says why', () => {
  const { feed, view, push, scheduler, types, output } = setup({
    modes: {},
    outputLimits: { history: { maxItems: 10 } },
  });
  output.input({ q: 1 });
  for (let i = 0; i < 100; i++) push(text(`${i}`));
  feed.open({ acks: true });
  push(text('more'));
  scheduler.advance(1_000);
  expect(view.methods).toEqual(['tool-input']);
  expect(types()).toContain('history_overflow');
  expect(types()).toContain('final_only');
  output.finish(RESULT);
  expect(view.methods).toEqual(['tool-input', 'tool-result']);
});

describe('a view that falls silent', () => {
  const limits = { pace: { maxFrames: 1, probeAfterMs: 200 }, coalesce: { maxItems: 5 } };

  test('is held, catches up at its next ack, and the stream has no hole', () => {
    const { feed, view, push, scheduler, types } = setup({ limits });
    feed.open({ acks: true });
    push(text('a'));
    scheduler.advance(1_000);
    expect(types()).toContain('view_suspended');
    for (const letter of 'bcdefgh') push(text(letter));
    expect(view.chunks).toHaveLength(1);
    feed.ack(view.ack().params);
    expect(types()).toContain('view_resumed');
    expect(view.streamed.content).toEqual([{ type: 'text', text: 'abcdefgh' }]);
  });

  test('whose queue overflowed meanwhile gets a replay', () => {
    const { feed, view, push, scheduler, types } = setup({ limits, modes: {} });
    feed.open({ acks: true });
    push(text('a'));
    scheduler.advance(1_000);
    for (const letter of 'bcdefgh') push(text(letter));
    expect(types()).not.toContain('final_only');
    feed.ack(view.ack().params);
    for (let i = 0; i < 10; i++) {
      scheduler.flush();
      feed.ack(view.ack().params);
    }
    expect(view.chunks.map(({ _meta }) => _meta![EPOCH_META_KEY])).toEqual(Array.from('abcdefgh', () => 1));
    expect(view.streamed.content.map(({ text }) => text).join('')).toBe('abcdefgh');
  });

  test('still gets the result', () => {
    const { feed, view, push, scheduler, output } = setup({ limits });
    feed.open({ acks: true });
    push(text('a'));
    scheduler.advance(60_000);
    output.finish(RESULT);
    expect(view.result).toMatchObject(RESULT);
    expect(scheduler.pending).toBe(0);
  });
});

test('a view that answers but lost its messages gets a replay without a second input', () => {
  const { feed, view, push, scheduler, output } = setup();
  output.input({});
  feed.open({ acks: true });
  push(text('a'));
  scheduler.advance(6_000);
  feed.ack({ ...view.ack().params, seq: -1 });
  scheduler.flush();
  expect(view.chunks[0]!._meta![EPOCH_META_KEY]).toBe(1);
  expect(view.methods.filter((method) => method === 'tool-input')).toHaveLength(1);
});

test('a replay that is lost whole is sent again: an answer of the epoch before shows that the view lives', () => {
  const { feed, view, push, scheduler, types } = setup();
  feed.open({ acks: true });
  push(text('a'));
  scheduler.advance(6_000);
  const nothing = { ...view.ack().params, epoch: 0, seq: -1 };
  feed.ack(nothing);
  scheduler.flush();
  expect(feed.counters.epoch).toBe(1);
  for (let i = 0; i < 60; i++) {
    scheduler.advance(100);
    feed.ack(nothing);
  }
  scheduler.flush();
  expect(feed.counters.epoch).toBe(2);
  feed.ack({ ...nothing, epoch: 2, seq: 0 });
  expect(feed.counters.inFlight).toBe(0);
  expect(types()).not.toContain('final_only');
});

test('a new attempt of the call resets a view with acks and silences any other until the result', () => {
  const { feed, view, attach, output, scheduler } = setup();
  const plain = attach();
  output.input({});
  feed.open({ acks: true });
  plain.feed.open({ acks: false });
  output.push({ partialResultToken: 1, seq: 0, ...text('old') });
  scheduler.flush();
  output.restart();
  output.push({ partialResultToken: 2, seq: 0, ...text('new') });
  scheduler.flush();
  expect(view.streamed.content).toEqual([{ type: 'text', text: 'new' }]);
  expect(plain.view.streamed.content).toEqual([{ type: 'text', text: 'old' }]);
  output.finish(RESULT);
  for (const { methods, result } of [view, plain.view]) {
    expect(methods.filter((method) => method === 'tool-input')).toHaveLength(1);
    expect(result).toMatchObject(RESULT);
  }
});

for (const acks of [true, false]) {
  test(`a view ${acks ? 'with' : 'without'} acks that opened after the history overflowed gets the next attempt`, () => {
    const { feed, view, push, output, scheduler } = setup({
      outputLimits: { history: { maxItems: 1 } },
      modes: {},
    });
    push(text('a'), text('b'));
    feed.open({ acks });
    scheduler.flush();
    expect(view.methods).toEqual([]);
    output.restart();
    output.push({ partialResultToken: 2, seq: 0, ...text('new') });
    scheduler.flush();
    expect(view.streamed.content).toEqual([{ type: 'text', text: 'new' }]);
    output.finish(RESULT);
    expect(view.result).toMatchObject(RESULT);
  });
}

test('a view that opens again and again gets everything each time, but waits for it', () => {
  const { feed, view, push, output, scheduler, events } = setup({
    limits: { maxOpens: 2, openEveryMs: 1_000 },
  });
  output.input({});
  push(text('a'));
  const inputs = (): number => view.methods.filter((method) => method === 'tool-input').length;
  for (let i = 0; i < 50; i++) {
    feed.open({ acks: true });
    scheduler.flush();
  }
  expect(inputs()).toBe(2);
  output.fail(new Error('x'));
  expect(view.methods).not.toContain('tool-result');
  scheduler.advance(1_000);
  expect(view.methods.slice(-3)).toEqual(['tool-input', 'tool-output-partial', 'tool-result']);
  expect(inputs()).toBe(3);
  expect(events.filter(({ type }) => type === 'view_deferred')).toEqual([
    { type: 'view_deferred', ms: 1_000 },
  ]);
  // Ten seconds of opening as fast as it can: so many times each second as the limit says.
  for (let ms = 0; ms < 10_000; ms += 10) {
    feed.open({ acks: true });
    scheduler.advance(10);
  }
  expect(inputs()).toBeLessThanOrEqual(13);
  expect(inputs()).toBeGreaterThan(10);
  feed.open({ acks: true });
  feed.lost();
  expect(scheduler.pending).toBe(0);
});

test('acks of others are ignored, malformed ones reported, and none settles what was not sent', () => {
  const { feed, view, push, scheduler, events } = setup({ limits: { pace: { maxFrames: 1 } }, modes: {} });
  feed.open({ acks: true });
  push(text('a'), text('b'));
  scheduler.flush();
  const good = view.ack().params;
  feed.ack({ ...good, partialResultToken: 'another' });
  feed.ack({ ...good, epoch: 7 });
  expect(view.chunks).toHaveLength(1);
  for (const bad of [
    null,
    'x',
    { ...good, seq: '0' },
    { ...good, seq: 1.5 },
    { ...good, counters: { applied: -1 } },
  ]) {
    feed.ack(bad);
  }
  expect(events.filter(({ type }) => type === 'ack_rejected')).toHaveLength(5);
  expect(view.chunks).toHaveLength(1);
  feed.ack({ ...good, seq: 1e9, counters: { applied: 1 } });
  expect(view.chunks).toHaveLength(2);
  expect(feed.counters.view).toEqual({
    applied: 1,
    skipped: 0,
    rejected: 0,
    duplicates: 0,
    late: 0,
    gaps: 0,
  });
});

test('a channel that throws or rejects is reported and the next message is tried', async () => {
  for (const fails of [
    () => {
      throw new Error('gone');
    },
    () => Promise.reject(new Error('gone')),
  ]) {
    const { feed, push, scheduler, events, output } = setup({ notify: fails });
    feed.open({ acks: true });
    push(text('a'));
    scheduler.flush();
    output.finish(RESULT);
    await Promise.resolve();
    expect(events.filter(({ type }) => type === 'send_failed')).toHaveLength(2);
    expect(feed.counters.failed).toBe(2);
  }
});

test('an observer that throws stops nothing', () => {
  const scheduler = createManualScheduler();
  const onEvent = (): void => {
    throw new Error('observer');
  };
  const output = createToolOutput({ scheduler, onEvent });
  const view = createTestView();
  const feed = createViewFeed({ output, scheduler, onEvent, notify: view.receive });
  feed.open({ acks: true });
  output.push('nonsense');
  output.push({ partialResultToken: 't', seq: 0, ...text('a') });
  scheduler.flush();
  output.finish(RESULT);
  expect(view.methods).toEqual(['tool-output-partial', 'tool-result']);
});

test('case 35: unknown options and limits throw', () => {
  const { output } = setup();
  const notify = (): void => undefined;
  expect(() => createViewFeed({ output, notify, limit: {} } as never)).toThrow(/"limit"/);
  expect(() => createViewFeed({ output, notify, limits: { paces: {} } as never })).toThrow(/"paces"/);
  const make = (limits: object) => () => createViewFeed({ output, notify, limits });
  expect(make({ pace: { maxFrame: 1 } })).toThrow(/maxFrame/);
  expect(make({ pace: { maxFrames: 0 } })).toThrow(/maxFrames/);
  expect(make({ coalesce: { maxItem: 1 } })).toThrow(/maxItem/);
  expect(make({ maxOpens: Number.NaN })).toThrow(/maxOpens/);
});

test('case 34: a flood stays within the caps, and the result is intact', () => {
  for (const acks of [true, false]) {
    const { feed, view, push, scheduler, output } = setup();
    feed.open({ acks });
    let longest = 0;
    for (let i = 0; i < 8_000; i++) {
      push(text('x'.repeat(i % 97)));
      longest = Math.max(longest, feed.counters.queued);
      if (i % 200 === 199) scheduler.advance(16);
      if (i % 1_000 === 999) feed.ack(view.ack().params);
    }
    expect(longest).toBeLessThan(2_048);
    output.finish(RESULT);
    scheduler.advance(60_000);
    const { accepted, forwarded, merged, superseded } = feed.counters;
    expect(accepted).toBe(8_000);
    expect(forwarded + merged + superseded).toBe(8_000);
    expect(forwarded).toBeLessThan(1_000);
    expect(view.result).toMatchObject(RESULT);
    for (const chunk of view.chunks) expect(serialize(chunk).length).toBeLessThan(16_384);
  }
});

/* S14, S18: pressure, losses, disorder and reloads change what is shown on the way, never at the end. */
test('property: the end state equals that of a view that saw no chunk, whatever happened before', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('push' as const), seq: fc.nat({ max: 20 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('ack' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 3_000 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reload' as const) }) },
  );
  const mode = fc.constantFrom<MergeModes>({}, { content: 'append' }, { content: 'replace' });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      mode,
      fc.boolean(),
      fc.boolean(),
      (steps, modes, acks, isError) => {
        const limits = { pace: { maxFrames: 2, highBytes: 500, lowBytes: 200 }, coalesce: { maxItems: 6 } };
        const { output, feed, view, scheduler, attach } = setup({ modes, limits });
        feed.open({ acks });
        for (const action of steps) {
          if (action.do === 'push')
            output.push({ partialResultToken: 't', seq: action.seq, ...text(`<${action.seq}>`) });
          else if (action.do === 'ack') feed.ack(view.ack().params);
          else if (action.do === 'wait') scheduler.advance(action.ms);
          else feed.open({ acks });
          const { accepted, forwarded, merged, superseded, discarded, queued, inFlight } = feed.counters;
          expect(forwarded + merged + superseded + discarded + queued).toBe(accepted);
          // Six of its own, and at most the 21 numbers of a replay.
          expect(queued).toBeLessThanOrEqual(27);
          expect(inFlight).toBeLessThanOrEqual(2);
        }
        const counts = output.counters;
        const { rejected, duplicates, late, restarted, delivered, held, superseded, discarded } = counts;
        const refused = rejected + duplicates + late + restarted;
        expect(refused + delivered + held + superseded + discarded).toBe(counts.received);

        const result = { ...RESULT, isError };
        output.finish(result);
        output.push({ partialResultToken: 't', seq: 99, ...text('late') });
        scheduler.advance(60_000);
        expect(scheduler.pending).toBe(0);
        const fresh = attach();
        fresh.feed.open({ acks });
        scheduler.advance(60_000);
        expect(scheduler.pending).toBe(0);
        expect(view.shown).toEqual(fresh.view.shown);
        expect(view.messages.at(-1)!.method).toBe('ui/notifications/tool-result');
      },
    ),
  );
});

test('property: every number at most once and in order, each range after the one before it', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Array.from({ length: 12 }, (_, seq) => seq)),
      fc.array(fc.nat({ max: 1_500 }), { minLength: 12, maxLength: 12 }),
      (order, waits) => {
        const { output, feed, view, scheduler } = setup();
        feed.open({ acks: false });
        for (const [i, seq] of order.entries()) {
          output.push({ partialResultToken: 't', seq, ...text(`<${seq}>`) });
          scheduler.advance(waits[i]!);
        }
        scheduler.advance(60_000);
        const shown = view.streamed.content.map((block) => block.text).join('');
        const numbers = Array.from(shown.matchAll(/<(\d+)>/g), (match) => Number(match[1]));
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        expect(new Set(numbers).size).toBe(numbers.length);
        const seqs = view.chunks.map(({ seq }) => seq);
        expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
        const { late, gaps } = output.counters;
        expect(numbers.length + late).toBe(order.length);
        expect(seqs.length === 0 ? 0 : seqs.at(-1)! + 1 - seqs.length).toBe(gaps);
        for (const chunk of view.chunks) expect(serialize(chunk).length).toBeLessThan(16_384);
      },
    ),
  );
});
