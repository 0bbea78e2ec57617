import { describe, expect, it } from 'vitest';
import { createPartialEmitter, type EmitterEvent, type PartialEmitterOptions } from './emitter.ts';
import { PartialResultsError } from './errors.ts';
import type { PartialResultBody, PartialResultToken } from './types.ts';
import { type EmitsPartials, withPartialResults } from './with-partial-results.ts';

interface Sent {
  method: string;
  params: Record<string, unknown>;
}

/** A v2 context with the opt-in, over a transport that takes everything. */
function context(token: PartialResultToken = 't', notify?: (sent: Sent) => Promise<void>) {
  const sent: Sent[] = [];
  const controller = new AbortController();
  const ctx = {
    mcpReq: {
      _meta: { partialResultToken: token },
      envelope: { 'io.modelcontextprotocol/clientCapabilities': { partialResults: {} } },
      signal: controller.signal,
      async notify(notification: Sent) {
        sent.push(notification);
        await notify?.(notification);
      },
    },
  };
  return { ctx, sent, controller };
}

const word = (text: string): PartialResultBody => ({ content: [{ type: 'text', text }] });
const seqs = (sent: Sent[]) => sent.map(({ params }) => params['seq']);

describe('numbers', () => {
  it('counts from 0 and carries token, body and nothing else', async () => {
    const { ctx, sent } = context(0);
    const emitter = createPartialEmitter(ctx);
    await emitter.emit(word('a'));
    await emitter.emit({ structuredContent: 0, final: true, _meta: { k: 1 } });
    expect(sent).toEqual([
      {
        method: 'notifications/tools/partial_result',
        params: { partialResultToken: 0, seq: 0, ...word('a') },
      },
      {
        method: 'notifications/tools/partial_result',
        params: { partialResultToken: 0, seq: 1, structuredContent: 0, final: true, _meta: { k: 1 } },
      },
    ]);
    expect(emitter.counters).toEqual({ emitted: 2, sent: 2, merged: 0, dropped: 0, failed: 0, late: 0 });
  });

  it('never lets a tool choose token, seq or taskId', async () => {
    const { ctx, sent } = context();
    const forged = { ...word('a'), partialResultToken: 'mine', seq: 99, taskId: 'x' } as PartialResultBody;
    await createPartialEmitter(ctx).emit(forged);
    expect(sent[0]!.params).toEqual({ partialResultToken: 't', seq: 0, ...word('a') });
  });

  it('goes on counting in a second emitter of the same request', async () => {
    const { ctx, sent } = context();
    await createPartialEmitter(ctx).emit(word('a'));
    await createPartialEmitter({ ...ctx, mcpReq: { ...ctx.mcpReq } }).emit(word('b'));
    expect(seqs(sent)).toEqual([0, 1]);
  });

  it('skips one number per chunk it had to drop, and reports the loss', async () => {
    let unblock = (): void => {};
    const { ctx, sent } = context('t', () => new Promise<void>((resolve) => (unblock = resolve)));
    const events: EmitterEvent[] = [];
    const options: PartialEmitterOptions = {
      limits: { maxQueued: 1 },
      onEvent: (event) => events.push(event),
    };
    const emitter = createPartialEmitter(ctx, options);
    for (const text of ['a', 'b', 'lost', 'lost']) void emitter.emit(word(text));
    const lost = { type: 'dropped', count: 1, reason: 'count' };
    expect(events).toEqual([lost, lost]);
    unblock();
    await new Promise((resolve) => setImmediate(resolve));
    void emitter.emit(word('c'));
    unblock();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seqs(sent)).toEqual([0, 1, 4]);
    expect(emitter.counters).toMatchObject({ emitted: 5, dropped: 2 });
  });
});

describe('a call that did not opt in', () => {
  it('costs the tool nothing and tells it nothing, even of a bad chunk', async () => {
    const { ctx, sent } = context();
    const emitter = createPartialEmitter({ mcpReq: { ...ctx.mcpReq, envelope: undefined } });
    expect(emitter.enabled).toBe(false);
    await emitter.emit('nonsense' as PartialResultBody);
    await emitter.end();
    emitter.close();
    expect(sent).toEqual([]);
  });

  it('is what a handler called by hand has', async () => {
    for (const nothing of [undefined, null, {}, 'ctx', { mcpReq: {} }]) {
      expect(createPartialEmitter(nothing).enabled).toBe(false);
    }
    const handler = withPartialResults(async (args: { n: number }, ctx: object & EmitsPartials) => {
      return [args.n, typeof ctx.emitPartial];
    });
    expect(await handler({ n: 1 }, undefined as never)).toEqual([1, 'function']);
  });
});

describe('a bad chunk', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  it.each<[string, unknown, RegExp]>([
    ['no object', 'text', /takes an object/],
    ['nothing', undefined, /takes an object/],
    ['an empty one', {}, /is empty/],
    ['one of unknown fields only', { text: 'a' }, /is empty/],
    ['content that is no list', { content: 'a' }, /\$\.content: must be an array, got string/],
    ['a text block without text', { content: [{ type: 'text' }] }, /\$\.content\[0\]\.text/],
    ['a final that is no boolean', { ...word('a'), final: 1 }, /\$\.final/],
    ['a BigInt', { structuredContent: { n: 1n } }, /cannot be written as JSON/],
    ['a cycle', { structuredContent: cyclic }, /cannot be written as JSON/],
  ])('throws at once: %s', (_what, body, message) => {
    const { ctx, sent } = context();
    const emitter = createPartialEmitter(ctx);
    const emit = (): unknown => emitter.emit(body as PartialResultBody);
    expect(emit).toThrow(message);
    expect(emit).toThrow(expect.objectContaining({ name: 'PartialResultsError', code: 'invalid_body' }));
    expect(sent).toEqual([]);
  });

  it('costs no number', async () => {
    const { ctx, sent } = context();
    const emitter = createPartialEmitter(ctx);
    await emitter.emit(word('a'));
    expect(() => emitter.emit({ content: 'x' } as never)).toThrow(PartialResultsError);
    await emitter.emit(word('b'));
    expect(seqs(sent)).toEqual([0, 1]);
  });
});

it('sends the chunk as it was when emitted', async () => {
  const { ctx, sent } = context();
  const emitter = createPartialEmitter(ctx);
  const growing = { structuredContent: { rows: [1] } };
  void emitter.emit(growing);
  void emitter.emit(growing);
  growing.structuredContent.rows.push(2);
  await emitter.end();
  expect(sent.map(({ params }) => params['structuredContent'])).toEqual([{ rows: [1] }, { rows: [1] }]);
});

describe('a transport that fails', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('NOT_CONNECTED'))],
    [
      'throws',
      () => {
        throw new Error('NOT_CONNECTED');
      },
    ],
  ])('and %s never reaches the tool', async (_how, notify) => {
    const { ctx } = context('t', notify);
    const events: EmitterEvent[] = [];
    const emitter = createPartialEmitter(ctx, {
      onEvent(event) {
        events.push(event);
        throw new Error('an observer that throws');
      },
    });
    await emitter.emit(word('a'));
    await emitter.emit(word('b'));
    expect(events).toMatchObject([
      { type: 'send_failed', seq: 0 },
      { type: 'send_failed', seq: 1 },
    ]);
    expect(emitter.counters).toMatchObject({ sent: 0, failed: 2 });
  });
});

describe('the end', () => {
  it('of an aborted call discards the queue and ignores the rest', async () => {
    const { ctx, sent, controller } = context('t', () => new Promise(() => {}));
    const emitter = createPartialEmitter(ctx);
    const waiting = [emitter.emit(word('a')), emitter.emit(word('b'))];
    controller.abort();
    await Promise.all(waiting);
    await emitter.emit(word('c'));
    expect(seqs(sent)).toEqual([0]);
    expect(emitter.counters).toMatchObject({ emitted: 2, dropped: 1, late: 1 });
  });

  it('comes before the start when the signal has fired', async () => {
    const { ctx, sent, controller } = context();
    controller.abort();
    await createPartialEmitter(ctx).emit(word('a'));
    expect(sent).toEqual([]);
  });

  it('of a handler waits for the queue, then is final', async () => {
    const { ctx, sent } = context();
    let kept!: (body: PartialResultBody) => Promise<void>;
    const handler = withPartialResults(async (_args: object, extended: typeof ctx & EmitsPartials) => {
      kept = extended.emitPartial;
      for (const text of ['a', 'b', 'c']) void kept(word(text));
      expect(sent.length).toBe(1);
      return 'result';
    });
    expect(await handler({}, ctx)).toBe('result');
    expect(seqs(sent)).toEqual([0, 1, 2]);
    await kept(word('late'));
    expect(sent.length).toBe(3);
  });

  it('of a handler that throws is the same', async () => {
    const { ctx, sent } = context();
    const handler = withPartialResults(async (_args: object, extended: typeof ctx & EmitsPartials) => {
      void extended.emitPartial(word('a'));
      void extended.emitPartial(word('b'));
      throw new Error('failed');
    });
    await expect(handler({}, ctx)).rejects.toThrow('failed');
    expect(seqs(sent)).toEqual([0, 1]);
  });

  it('of a handler is not held up by a dead transport, nor by a producer that goes on', async () => {
    const { ctx, sent } = context('t', () => new Promise(() => {}));
    const emitter = createPartialEmitter(ctx, { limits: { maxFlushMs: 0 } });
    void emitter.emit(word('a'));
    void emitter.emit(word('b'));
    const ended = emitter.end();
    void emitter.emit(word('after the end'));
    await ended;
    expect(seqs(sent)).toEqual([0]);
    expect(emitter.counters).toMatchObject({ emitted: 2, dropped: 1, late: 1 });
  });
});

describe('the context of a wrapped handler', () => {
  it('is a copy with everything the SDK put there, accessors and prototype included', async () => {
    class Extra {
      get lazy(): string {
        return 'got';
      }
    }
    const given = Object.defineProperty(Object.assign(new Extra(), { requestId: 7 }), 'hidden', {
      get: () => 'seen',
    });
    let extended!: Record<string, unknown>;
    await withPartialResults(async (ctx: Extra & EmitsPartials) => {
      extended = ctx as unknown as Record<string, unknown>;
    })(given);
    expect([extended['requestId'], extended['lazy'], extended['hidden']]).toEqual([7, 'got', 'seen']);
    expect(given).not.toHaveProperty('emitPartial');
  });

  it('may be frozen', async () => {
    const { ctx, sent } = context();
    await withPartialResults(async (c: typeof ctx & EmitsPartials) => {
      await c.emitPartial(word('a'));
    })(Object.freeze(ctx));
    expect(seqs(sent)).toEqual([0]);
  });
});

it.each<[string, object]>([
  ['an unknown limit', { maxQueue: 1 }],
  ['no room', { maxQueued: 0 }],
  ['a negative one', { maxQueuedBytes: -1 }],
  ['no number', { maxWaitMs: '5' }],
  ['NaN', { maxFlushMs: Number.NaN }],
])('refuses a limit that is none, opted in or not: %s', (_what, limits) => {
  for (const ctx of [context().ctx, undefined]) {
    expect(() => createPartialEmitter(ctx, { limits })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  }
});
