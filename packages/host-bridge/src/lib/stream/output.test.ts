import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MERGE_META_KEY, type PartialResultBody } from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import type { OutputEvent } from '../events.ts';
import { createToolOutput } from './output.ts';
import type { OutputSink, ToolOutputOptions } from './output-types.ts';
import type { OutputChunk, OutputEnd } from './types.ts';

function setup(options: ToolOutputOptions = {}) {
  const scheduler = createManualScheduler();
  const events: OutputEvent[] = [];
  const output = createToolOutput({ scheduler, onEvent: (event) => void events.push(event), ...options });
  const listen = (extra: OutputSink = {}) => {
    const log: string[] = [];
    const chunks: OutputChunk[] = [];
    let end: OutputEnd | undefined;
    const stop = output.subscribe({
      input: (args) => void log.push(`input ${JSON.stringify(args)}`),
      chunk(chunk) {
        chunks.push(chunk);
        log.push(shown(chunk));
      },
      restart: () => void log.push('restart'),
      truncated: () => void log.push('truncated'),
      end(reached) {
        end = reached;
        log.push(reached.status);
      },
      ...extra,
    });
    return {
      log,
      chunks,
      stop,
      get end() {
        return end;
      },
    };
  };
  const push = (seq: number, body: PartialResultBody = text(`${seq}`), more: object = {}): void =>
    output.push({ partialResultToken: 't', seq, ...body, ...more });
  return { scheduler, events, output, push, listen, ...listen(), main: listen() };
}

const text = (value: string): PartialResultBody => ({ content: [{ type: 'text', text: value }] });
const shown = ({ body }: OutputChunk): string =>
  (body.content ?? []).map((block) => block.text ?? block.type).join('') ||
  JSON.stringify(body.structuredContent);
const RESULT = { content: [{ type: 'text', text: 'final' }] };

test('S4: every order of six chunks is shown in order', () => {
  const permute = (rest: number[]): number[][] =>
    rest.length < 2
      ? [rest]
      : rest.flatMap((first) => permute(rest.filter((it) => it !== first)).map((it) => [first, ...it]));
  for (const order of permute([0, 1, 2, 3, 4, 5])) {
    const { push, log } = setup();
    for (const seq of order) push(seq);
    expect(log).toEqual(['0', '1', '2', '3', '4', '5']);
  }
});

test('case 1: a scrambled relay with random delays shows each chunk once, in order, unless its gap was given up', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        Array.from({ length: 20 }, (_, i) => i),
        { minLength: 20, maxLength: 20 },
      ),
      fc.array(fc.nat({ max: 900 }), { minLength: 20, maxLength: 20 }),
      (order, waits) => {
        const { push, scheduler, chunks, output } = setup();
        for (const [i, seq] of order.entries()) {
          push(seq);
          scheduler.advance(waits[i]!);
        }
        scheduler.advance(10_000);
        const seen = chunks.map(({ range }) => range.first);
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
        const { delivered, late, missing, received } = output.counters;
        expect(delivered + late).toBe(received);
        expect(late).toBe(missing);
      },
    ),
  );
});

test('case 2: a chunk after the result is late, quietly', () => {
  const { push, output, log, events } = setup();
  push(0);
  output.finish(RESULT);
  push(1, text('x'), { final: true });
  expect(log).toEqual(['0', 'complete']);
  expect(output.counters).toMatchObject({ received: 2, late: 1 });
  expect(events.at(-1)).toEqual({ type: 'chunk_late', seq: 1 });
});

test('case 7: a missing chunk is waited for, reported once, and not applied when it comes late', () => {
  const { push, scheduler, log, chunks, events, output } = setup();
  for (const seq of [0, 1, 3, 4]) push(seq);
  expect(log).toEqual(['0', '1']);
  scheduler.advance(3_000);
  push(2);
  expect(log).toEqual(['0', '1', '3', '4']);
  expect(chunks[2]!.gaps).toBe(1);
  expect(events.filter(({ type }) => type === 'gap')).toEqual([
    { type: 'gap', first: 2, last: 2, reason: 'time' },
  ]);
  expect(output.counters).toMatchObject({ late: 1, gaps: 1, missing: 1 });
});

test('case 9: malformed frames are counted by reason and end nothing', () => {
  const { push, output, log } = setup();
  push(0);
  for (const bad of [
    null,
    5,
    'x',
    [],
    { partialResultToken: 't', seq: -1 },
    { partialResultToken: 't', seq: '1' },
  ]) {
    expect(() => output.push(bad)).not.toThrow();
  }
  push(1);
  output.finish(RESULT);
  expect(log).toEqual(['0', '1', 'complete']);
  expect(output.counters).toMatchObject({
    received: 8,
    rejected: 6,
    rejectedBy: { not_an_object: 4, out_of_range: 1, wrong_type: 1 },
  });
});

test('a media type that is no string stops neither stream nor result', () => {
  const { output, log } = setup();
  const content = [{ type: 'resource', resource: { uri: 'x:1', text: 'a', mimeType: 7 } }] as never;
  output.push({ partialResultToken: 't', seq: 0, content });
  output.push({ partialResultToken: 't', seq: 1, ...text('b') });
  output.finish({ content });
  expect(log).toEqual(['b', 'complete']);
});

test('case 10: nothing of lower authority follows the end', () => {
  const { push, output, log, events } = setup();
  output.input({ a: 1 });
  output.input({ a: 2 });
  output.finish(RESULT);
  output.input({ a: 3 });
  output.fail(new Error('late'));
  output.cancel();
  output.finish({ content: [] });
  push(99);
  expect(log).toEqual(['input {"a":1}', 'complete']);
  expect(events.flatMap((event) => (event.type === 'call_ignored' ? [event.call] : []))).toEqual([
    'input',
    'input',
    'fail',
    'cancel',
    'finish',
  ]);
});

test('case 12: a replay after a reconnect is dropped as duplicates', () => {
  const { push, output, log } = setup();
  for (const seq of [0, 1, 2, 3, 4]) push(seq);
  for (const seq of [0, 1, 2, 3, 4, 5, 6]) push(seq);
  expect(log).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  expect(output.counters).toMatchObject({ delivered: 7, duplicates: 5 });
});

test('case 12: a server that counts from 0 again is told from a replay: ignored, counted apart, repaired by the result', () => {
  const { push, output, log, events } = setup();
  for (const seq of [0, 1, 2]) push(seq);
  push(0);
  for (const seq of [0, 1, 2, 3, 4]) push(seq, text(`again ${seq}`));
  output.finish(RESULT);
  expect(log).toEqual(['0', '1', '2', 'complete']);
  expect(output.counters).toMatchObject({ received: 9, delivered: 3, duplicates: 1, restarted: 5 });
  expect(events.flatMap((event) => (event.type === 'chunk_restarted' ? [event.seq] : []))).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

test('a new attempt may count from 0 again', () => {
  const { push, output, log } = setup();
  push(0);
  output.restart();
  push(0, text('second'));
  expect(log).toEqual(['0', 'restart', 'second']);
  expect(output.counters.restarted).toBe(0);
});

test('cases 15, 16: outputs share nothing, whatever token their server uses', () => {
  const a = setup();
  const b = setup();
  a.push(0, text('A0'));
  b.push(0, text('B0'));
  b.push(1, text('B1'));
  a.push(1, text('A1'));
  b.output.finish(RESULT);
  a.push(2, text('A2'));
  a.output.finish(RESULT);
  expect(a.log).toEqual(['A0', 'A1', 'A2', 'complete']);
  expect(b.log).toEqual(['B0', 'B1', 'complete']);
});

describe('case 17: subscribers', () => {
  test('each gets everything once, also one that comes late or leaves', () => {
    const { push, output, listen, main } = setup();
    output.input({});
    push(0);
    const late = listen();
    push(1);
    main.stop();
    push(2);
    output.finish({ ...RESULT, isError: true });
    expect(late.log).toEqual(['input {}', '0', '1', '2', 'failed']);
    expect(main.log).toEqual(['input {}', '0', '1']);
  });

  test('one that throws is reported and the others go on', () => {
    const { push, output, listen, log, events } = setup();
    const broken = listen({
      chunk() {
        throw new Error('sink');
      },
    });
    push(0);
    output.finish(RESULT);
    expect(log).toEqual(['0', 'complete']);
    expect(broken.log).toEqual(['complete']);
    expect(events.filter(({ type }) => type === 'sink_error')).toHaveLength(1);
  });

  test('one that pushes, subscribes or cancels while it is served breaks no order', () => {
    const { output, push, listen } = setup();
    let inner: ReturnType<typeof listen> | undefined;
    const outer = listen({
      chunk(chunk) {
        outer.log.push(shown(chunk));
        if (chunk.range.first === 0) {
          inner = listen();
          push(1);
          output.cancel();
          push(2);
        }
      },
    });
    push(0);
    expect(outer.log).toEqual(['0', '1', 'cancelled']);
    expect(inner!.log).toEqual(['0', '1', 'cancelled']);
    expect(output.counters.late).toBe(1);
  });
});

describe('ends (D7)', () => {
  const withHeld = () => {
    const all = setup();
    all.push(0);
    all.push(2);
    return all;
  };

  test('a result supersedes what waits behind a gap', () => {
    const { output, log, scheduler } = withHeld();
    output.finish(RESULT);
    scheduler.advance(60_000);
    expect(log).toEqual(['0', 'complete']);
    expect(output.counters).toMatchObject({ superseded: 1, held: 0 });
    expect(scheduler.pending).toBe(0);
  });

  test('case 82: an error result comes after everything that was held', () => {
    const all = withHeld();
    all.output.finish({ isError: true, content: [{ type: 'text', text: 'quota' }] });
    expect(all.log).toEqual(['0', '2', 'failed']);
    expect(all.output.end).toEqual({
      status: 'failed',
      result: { isError: true, content: [{ type: 'text', text: 'quota' }] },
    });
  });

  test('case 84: a cancel discards it, keeps its reason here, and nothing later counts', () => {
    const { output, log, push } = withHeld();
    output.cancel('user 42 left');
    push(1);
    output.finish(RESULT);
    expect(log).toEqual(['0', 'cancelled']);
    expect(output.end).toEqual({ status: 'cancelled', reason: 'user 42 left' });
    expect(output.counters).toMatchObject({ discarded: 1, late: 1 });
  });

  test.each<[string, unknown, string, string]>([
    ['case 85: our time-out', { code: 'idle_timeout', message: 'x' }, 'interrupted', 'lost before'],
    [
      'a closed SDK v2 connection',
      { code: 'CONNECTION_CLOSED', message: 'ws://10.0.0.7' },
      'interrupted',
      'lost before',
    ],
    [
      'a closed SDK v1 connection',
      { code: -32_000, message: 'MCP error -32000: Connection closed' },
      'interrupted',
      'lost before',
    ],
    ['a JSON-RPC error', { code: -32_602, message: 'Unknown tool' }, 'failed', 'Unknown tool'],
    ['a server error that shares the code', { code: -32_000, message: 'quota' }, 'failed', 'quota'],
    ['an error of the host', new Error('ENOENT /etc/secret'), 'failed', 'The tool call failed.'],
    ['nothing at all', undefined, 'failed', 'The tool call failed.'],
  ])('%s is shown as %s', (_, error, status, message) => {
    const { output, log } = withHeld();
    output.fail(error);
    expect(log).toEqual(['0', '2', status]);
    const { end } = output;
    const result = end?.status === 'cancelled' ? undefined : end?.result;
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.text).toContain(message);
    expect(JSON.stringify(result)).not.toMatch(/secret|10\.0\.0\.7/);
  });

  test('a result that is none fails', () => {
    const { output } = setup();
    output.finish(undefined as never);
    expect(output.status).toBe('failed');
  });
});

test('the status follows the call and is announced once each', () => {
  const { push, output, events } = setup();
  expect(output.status).toBe('waiting');
  push(0);
  push(1);
  output.finish(RESULT);
  expect(events.filter(({ type }) => type === 'status')).toEqual([
    { type: 'status', status: 'streaming' },
    { type: 'status', status: 'complete' },
  ]);
});

test('case 57: a held output shows nothing before it is released, and a refused one only its cancel', () => {
  const held = setup({ hold: true });
  held.output.input({ secret: 1 });
  held.push(0);
  expect(held.log).toEqual([]);
  held.output.release();
  held.push(1);
  expect(held.log).toEqual(['input {"secret":1}', '0', '1']);

  const refused = setup({ hold: true });
  refused.output.input({ secret: 1 });
  refused.push(0);
  refused.output.cancel();
  refused.output.release();
  expect(refused.log).toEqual(['cancelled']);
  expect(refused.listen().log).toEqual(['cancelled']);
});

test('case 36: a subscriber after a history overflow gets input and end, and is told', () => {
  const { push, output, listen, log } = setup({ limits: { history: { maxItems: 2 } } });
  output.input({});
  for (const seq of [0, 1, 2, 3]) push(seq);
  const late = listen();
  push(4);
  output.finish(RESULT);
  expect(late.log).toEqual(['input {}', 'truncated', 'complete']);
  expect(log).toEqual(['input {}', '0', '1', '2', '3', '4', 'complete']);
});

test('D3: a stream that is only replaced waits for no gap, until a part that is not comes along', () => {
  const { push, output, log } = setup({ modes: { structuredContent: 'replace' } });
  const value = (n: number): PartialResultBody => ({ structuredContent: { n } });
  push(0, value(0));
  push(2, value(2));
  expect(log).toEqual(['{"n":0}', '{"n":2}']);
  push(3, text('a'));
  push(5, value(5));
  expect(log).toHaveLength(3);
  expect(output.counters.held).toBe(1);
});

test.each<[string, ToolOutputOptions['modes'], PartialResultBody, PartialResultBody]>([
  [
    'only says so of itself',
    { content: 'append', structuredContent: 'merge-patch' },
    { structuredContent: { a: 1 } },
    { ...text('x'), _meta: { [MERGE_META_KEY]: { content: 'replace' } } },
  ],
  [
    'lacks a part that is replaced too',
    { content: 'replace', structuredContent: 'replace' },
    { structuredContent: { a: 1 } },
    text('x'),
  ],
  ['has neither part', undefined, text('x'), { final: true }],
])('D3: a chunk that %s still waits for the one before it', (_name, modes, first, second) => {
  const { push, chunks, events } = setup({ modes });
  push(1, second);
  expect(chunks).toEqual([]);
  push(0, first);
  expect(chunks.map(({ range }) => range.first)).toEqual([0, 1]);
  expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
});

test('D3: the tool declares the modes, a chunk overrides them per part', () => {
  const tool = {
    name: 'x',
    _meta: { [MERGE_META_KEY]: { content: 'append', structuredContent: 'replace' } },
  };
  const { push, chunks } = setup({ tool });
  push(0);
  push(1, text('b'), { _meta: { [MERGE_META_KEY]: { content: 'replace' } } });
  expect(chunks.map(({ modes }) => modes)).toEqual([
    { content: 'append', structuredContent: 'replace' },
    { content: 'replace', structuredContent: 'replace' },
  ]);
});

test('case 24: pieces of a message make no chunk; the one that completes it stands for them all', () => {
  const { output, chunks } = setup();
  const line = '{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}';
  const pieces = [line.slice(0, 20), line.slice(20, 40), line.slice(40)];
  for (const [seq, piece] of pieces.entries()) {
    const block = {
      type: 'resource',
      resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text: piece },
    };
    output.push({ partialResultToken: 't', seq, content: [block] });
  }
  expect(chunks).toHaveLength(1);
  expect(chunks[0]!.range).toEqual({ first: 0, last: 2 });
  expect(chunks[0]!.body.content![0]!.resource!.text).toBe(`${line}\n`);
  expect(output.counters).toMatchObject({ delivered: 3, withheld: 2 });
});

test('a loss in the middle of a message splices nothing and is told once, with the next chunk shown', () => {
  const { output, scheduler, chunks } = setup();
  const line = (id: string): string => `{"version":"v0.9","deleteSurface":{"surfaceId":"${id}"}}`;
  const push = (seq: number, piece: string): void => {
    const block = {
      type: 'resource',
      resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text: piece },
    };
    output.push({ partialResultToken: 't', seq, content: [block] });
  };
  push(0, line('a').slice(0, 30));
  push(2, `${line('b').slice(30)}\n`);
  push(3, `${line('c')}\n`);
  scheduler.advance(3_000);
  expect(chunks.map(({ body, gaps, range }) => [body.content![0]!.resource!.text, gaps, range])).toEqual([
    [`${line('c')}\n`, 1, { first: 2, last: 3 }],
  ]);
});

test('two losses before the next chunk that shows anything are two', () => {
  const { output, chunks } = setup();
  const half = {
    type: 'resource',
    resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text: '{"half' },
  };
  output.push({ partialResultToken: 't', seq: 1, content: [half] });
  output.push({ partialResultToken: 't', seq: 3, ...text('shown') });
  output.finish({ isError: true });
  expect(chunks.map(({ gaps, range }) => [gaps, range])).toEqual([[2, { first: 3, last: 3 }]]);
});

test('after a success a new subscriber gets the result alone; after any other end the stream too', () => {
  for (const isError of [false, true]) {
    const { push, output, listen } = setup();
    push(0);
    output.finish({ ...RESULT, isError });
    expect(listen().log).toEqual(isError ? ['0', 'failed'] : ['complete']);
  }
});

test('a new attempt voids what was streamed, and its numbers start anew', () => {
  const { push, output, log, listen } = setup();
  push(0, text('old'));
  push(2, text('held'));
  output.restart();
  push(0, text('new'));
  expect(log).toEqual(['old', 'restart', 'new']);
  expect(listen().log).toEqual(['new']);
  expect(output.counters).toMatchObject({ received: 3, delivered: 2, discarded: 1 });
});

test('a sanitizer of the embedder that throws refuses, and ends nothing', () => {
  const broken = () => {
    throw new Error('sanitizer');
  };
  const sanitizer = { content: broken, structured: broken, meta: broken, result: broken } as never;
  const { push, output, log } = setup({ sanitizer });
  push(0);
  push(1);
  output.finish(RESULT);
  expect(log).toEqual(['failed']);
  expect(output.counters.sanitizedBy).toEqual({ rule_failed: 3 });
});

test('closing stops the timer and silences every subscriber', () => {
  const { push, output, scheduler, log } = setup();
  push(1);
  output.close();
  output.close();
  push(0);
  output.finish(RESULT);
  scheduler.advance(60_000);
  expect(log).toEqual([]);
  expect(scheduler.pending).toBe(0);
});

test('case 35: unknown options and limits throw at once', () => {
  expect(() => createToolOutput({ mode: {} } as never)).toThrow(/"mode"/);
  expect(() => createToolOutput({ limits: { history: { maxItem: 1 } as never } })).toThrow(/"maxItem"/);
  expect(() => createToolOutput({ limits: { intakes: {} } as never })).toThrow(/"intakes"/);
  expect(() => createToolOutput({ limits: { reorder: { maxItem: 1 } as never } })).toThrow(/"maxItem"/);
  expect(() => createToolOutput({ limits: { reorder: { maxItems: '1' } as never } })).toThrow(/"maxItems"/);
  expect(() => createToolOutput({ limits: { assemble: { maxStream: 1 } as never } })).toThrow(/"maxStream"/);
  expect(() => createToolOutput({ limits: { reorder: { maxItems: 0 } } })).not.toThrow();
});

test('case 86: a new attempt may run as another task', () => {
  const output = createToolOutput();
  output.push({ partialResultToken: 't', seq: 0, taskId: 'a' });
  output.restart();
  output.push({ partialResultToken: 'u', seq: 0, taskId: 'b' });
  expect(output.counters).toMatchObject({ received: 2, delivered: 2 });
});

test('a subscriber that comes in a delivery that a timer caused gets each chunk once', () => {
  const { push, output, scheduler, listen } = setup();
  const late: { log: string[] }[] = [];
  output.subscribe({ chunk: () => late.length === 0 && late.push(listen()) });
  push(1);
  push(2);
  scheduler.advance(60_000);
  expect(late[0]?.log).toEqual(['1', '2']);
});

test('an end that comes in a delivery that a timer caused leaves no bogus gap', () => {
  const { push, output, scheduler, events } = setup();
  output.subscribe({ chunk: () => output.fail(new Error('gone')) });
  push(1);
  push(2);
  scheduler.advance(60_000);
  const gaps = events.filter(({ type }) => type === 'gap');
  expect(gaps).toEqual([{ type: 'gap', first: 0, last: 0, reason: 'time' }]);
  expect(output.status).toBe('failed');
});

test('who was told that the history overflowed is told of a new attempt, and gets its chunks', () => {
  const { push, output, listen } = setup({ limits: { history: { maxItems: 1 } } });
  push(0);
  push(1);
  const { log } = listen();
  output.restart();
  expect(output.status).toBe('waiting');
  push(0, text('new'));
  expect(log).toEqual(['truncated', 'restart', 'new']);
});

test('a chunk and a result that are refused in thousands of places cause a few events each, and say how many more', () => {
  const { push, output, events } = setup();
  const content = Array.from({ length: 500 }, () => ({ type: 'nonsense' })) as never;
  push(0, { content });
  const lines = '{bad}\n'.repeat(3_000);
  const resource = { uri: 'a2ui://x', mimeType: 'application/a2ui+json', text: lines };
  push(1, { content: [{ type: 'resource', resource }] });
  output.finish({ content });
  const of = (type: string): number => events.filter((event) => event.type === type).length;
  expect(of('sanitized')).toBe(40);
  expect(of('record_rejected')).toBe(20);
  const { sanitized, badRecords } = output.counters;
  expect([sanitized, badRecords]).toEqual([1_000, 3_000]);
  expect(events.flatMap((event) => (event.type === 'details_left_out' ? [event.count] : []))).toEqual([
    480, 2_980, 480,
  ]);
});

test('a call is not streaming for a chunk that is refused as too far ahead, nor after a new attempt began', () => {
  const { push, output, events } = setup();
  push(1e9);
  expect(output.status).toBe('waiting');
  push(1);
  expect(output.status).toBe('streaming');
  output.restart();
  expect(output.status).toBe('waiting');
  push(1e9);
  expect(output.status).toBe('waiting');
  push(0);
  output.finish(RESULT);
  expect(events.flatMap((event) => (event.type === 'status' ? [event.status] : []))).toEqual([
    'streaming',
    'waiting',
    'streaming',
    'complete',
  ]);
});

test('D3: what an attempt before was like does not make this one wait for a gap', () => {
  const { push, output, log } = setup({ modes: { structuredContent: 'replace' } });
  push(0, text('a'));
  output.restart();
  push(0, { structuredContent: { n: 0 } });
  push(2, { structuredContent: { n: 2 } });
  expect(log.slice(2)).toEqual(['{"n":0}', '{"n":2}']);
});
