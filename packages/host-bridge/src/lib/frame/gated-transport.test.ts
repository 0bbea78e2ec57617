import { expect, test } from 'vitest';
import type { RpcMessage } from './frame-channel.ts';
import { createGatedTransport } from './gated-transport.ts';

const notification = (method: string): RpcMessage => ({ jsonrpc: '2.0', method });
const initialized = notification('ui/notifications/initialized');

function setup() {
  const posted: unknown[] = [];
  const received: unknown[] = [];
  const overflowed: string[] = [];
  const acks: unknown[] = [];
  const transport = createGatedTransport({
    post: (message) => posted.push(message['method'] ?? message),
    divert: new Map([['ack', (params) => acks.push(params)]]),
    onOverflow: (method) => overflowed.push(method),
  });
  transport.onmessage = (message) => received.push((message as { method?: string }).method ?? message);
  return { transport, posted, received, overflowed, acks };
}

test('before initialized answers go out at once, the rest waits and keeps its order', async () => {
  const { transport, posted } = setup();
  transport.notify('a', {});
  await transport.send({ jsonrpc: '2.0', id: 9, method: 'b' });
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(posted).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  transport.receive(initialized);
  transport.notify('c', {});
  expect(posted.slice(1)).toEqual(['a', 'b', 'c']);
});

test('a second initialized sends nothing again', () => {
  const { transport, posted } = setup();
  transport.notify('a', {});
  transport.receive(initialized);
  transport.receive(initialized);
  expect(posted).toEqual(['a']);
});

test('what waits is bounded; the oldest goes and is reported', () => {
  const { transport, posted, overflowed } = setup();
  for (let i = 0; i < 258; i++) transport.notify(`n${i}`, {});
  transport.receive(initialized);
  expect(overflowed).toEqual(['n0', 'n1']);
  expect(posted).toHaveLength(256);
  expect(posted[0]).toBe('n2');
});

test('diverted notifications do not reach the SDK, a request of the same name does', () => {
  const { transport, received, acks } = setup();
  transport.receive({ jsonrpc: '2.0', method: 'ack', params: { seq: 1 } });
  transport.receive({ jsonrpc: '2.0', id: 1, method: 'ack', params: {} });
  expect([acks, received]).toEqual([[{ seq: 1 }], ['ack']]);
});

test('after close nothing is received, sending fails, and onclose came once', async () => {
  const { transport, received, posted } = setup();
  let closes = 0;
  transport.onclose = () => closes++;
  transport.notify('a', {});
  await transport.close();
  await transport.close();
  transport.receive(initialized);
  await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('closed');
  expect(() => transport.notify('x', {})).toThrow('closed');
  expect([closes, received, posted]).toEqual([1, [], []]);
});
