import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameChannel, type ChannelRejection, type RpcMessage } from './frame-channel.ts';

const origin = 'https://sandbox.example';

function setup() {
  const page = new EventTarget();
  const posted: [message: unknown, origin: string][] = [];
  const frame = { postMessage: (message: unknown, origin: string) => void posted.push([message, origin]) };
  const got: RpcMessage[] = [];
  const sandboxed: [string, object][] = [];
  const rejections: ChannelRejection[] = [];
  const channel = createFrameChannel({
    listenOn: page as Window,
    frame: () => frame as unknown as Window,
    origin,
    onSandbox: (...call) => sandboxed.push(call),
    onMessage: (message) => got.push(message),
    onRejected: (rejection) => rejections.push(rejection),
  });
  /* Node's MessageEvent takes no window as a source. */
  const say = (data: unknown, from: { source?: unknown; origin?: string } = {}): void => {
    page.dispatchEvent(Object.assign(new Event('message'), { data, source: frame, origin, ...from }));
  };
  return { channel, posted, got, sandboxed, rejections, say };
}

const valid: RpcMessage = { jsonrpc: '2.0', method: 'x' };

test.each<RpcMessage>([
  valid,
  { jsonrpc: '2.0', id: 0, method: 'x', params: {} },
  { jsonrpc: '2.0', id: '', method: '' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'no' } },
])('%j arrives', (message) => {
  const { say, got, rejections } = setup();
  say(message);
  expect([got, rejections]).toEqual([[message], []]);
});

describe('dropped and counted', () => {
  test.each<[unknown]>([
    [null],
    [undefined],
    ['x'],
    [5],
    [[]],
    [[valid]],
    [{ hello: true }],
    [{ ...valid, jsonrpc: '1.0' }],
    [{ ...valid, method: 5 }],
    [{ ...valid, params: [] }],
    [{ ...valid, params: null }],
    [{ ...valid, id: null }],
    [{ ...valid, id: 1.5 }],
    [{ ...valid, id: {} }],
    [{ jsonrpc: '2.0' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', result: {} }],
    [{ jsonrpc: '2.0', id: 1, result: null }],
    [{ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }],
    [{ jsonrpc: '2.0', id: 1, error: { code: 'x', message: '' } }],
    [{ jsonrpc: '2.0', id: 1, error: null }],
  ])('%j', (data) => {
    const { say, got, sandboxed, channel, rejections } = setup();
    say(data);
    say(data);
    say(valid);
    expect([got, sandboxed]).toEqual([[valid], []]);
    expect(channel.counters).toMatchObject({ malformed: 2, received: 1 });
    expect(rejections).toMatchObject([{ code: 'malformed' }]);
  });

  test('another origin in the frame', () => {
    const { say, got, channel, rejections } = setup();
    say(valid, { origin: 'https://sandbox.example.evil' });
    say(valid, { origin: 'null' });
    expect(got).toEqual([]);
    expect(channel.counters.wrongOrigin).toBe(2);
    expect(rejections).toEqual([
      {
        code: 'wrong_origin',
        origin: 'https://sandbox.example.evil',
        message: expect.stringContaining('Check sandbox.url') as string,
      },
    ]);
  });
});

test.each([[{}], [null], [undefined]])(
  'another window (%j) is not even counted, whatever its origin',
  (source) => {
    const { say, got, channel } = setup();
    say(valid, { source });
    expect([got, channel.counters]).toEqual([[], { received: 0, sent: 0, wrongOrigin: 0, malformed: 0 }]);
  },
);

test('sandbox notifications take their own way, with params that are always an object', () => {
  const { say, got, sandboxed } = setup();
  say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready' });
  say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-x', params: { a: 1 } });
  expect(got).toEqual([]);
  expect(sandboxed).toEqual([
    ['ui/notifications/sandbox-proxy-ready', {}],
    ['ui/notifications/sandbox-x', { a: 1 }],
  ]);
});

test('messages go to the exact origin', () => {
  const { channel, posted } = setup();
  channel.post(valid);
  expect(posted).toEqual([[valid, origin]]);
});

test('nothing arrives after close', () => {
  const { channel, say, got } = setup();
  channel.close();
  channel.close();
  say(valid);
  expect(got).toEqual([]);
});

test('whatever is posted, the channel does not throw and passes on only JSON-RPC objects', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.anything(),
          fc.record(
            {
              jsonrpc: fc.constant('2.0'),
              id: fc.anything(),
              method: fc.anything(),
              params: fc.anything(),
              result: fc.anything(),
            },
            { requiredKeys: ['jsonrpc'] },
          ),
        ),
      ),
      (all) => {
        const { say, got, sandboxed, channel } = setup();
        for (const data of all) say(data);
        expect(channel.counters.received + channel.counters.malformed).toBe(all.length);
        expect(got.length + sandboxed.length).toBe(channel.counters.received);
        expect(got.every((message) => message.jsonrpc === '2.0')).toBe(true);
      },
    ),
  );
});
