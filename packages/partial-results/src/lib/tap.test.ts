import { expect, it } from 'vitest';
import { tapTransport, type TransportLike } from './tap.ts';

/** A transport in the style of the SDK's: `send` on the prototype, private state behind it. */
class Transport {
  #sent: unknown[] = [];
  received: unknown[][] = [];
  onmessage: ((message: unknown, extra?: unknown) => void) | undefined = (...args) =>
    void this.received.push(args);
  async send(...args: unknown[]): Promise<void> {
    this.#sent.push(args);
  }
  get sent(): unknown[] {
    return this.#sent;
  }
}

const like = (transport: object): TransportLike => transport as TransportLike;

it('hands everything else on untouched, in both directions', async () => {
  const transport = new Transport();
  tapTransport(like(transport));
  const message = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
  const extra = { authInfo: 1 };
  transport.onmessage!(message, extra);
  const options = { relatedRequestId: 3 };
  await transport.send(message, options);
  expect(transport.received).toEqual([[message, extra]]);
  expect(transport.received[0]![0]).toBe(message);
  expect(transport.sent).toEqual([[message, options]]);
  expect((transport.sent[0] as unknown[])[1]).toBe(options);
});

it('taps a transport once, however many calls there are', () => {
  const transport = new Transport();
  const connection = tapTransport(like(transport));
  const { onmessage, send } = transport;
  expect(tapTransport(like(transport))).toBe(connection);
  expect(transport.onmessage).toBe(onmessage);
  expect(transport.send).toBe(send);
});

it('taps again what was rewired, and counts a message that passes two taps once', async () => {
  const transport = new Transport();
  const connection = tapTransport(like(transport))!;
  const inner = transport.onmessage!;
  transport.onmessage = (message, extra) => inner(message, extra);
  const sendInner = transport.send.bind(transport);
  transport.send = (...args) => sendInner(...args);
  expect(tapTransport(like(transport))).toBe(connection);

  const attempts: number[] = [];
  const ignore = (): void => {};
  const observer = {
    deliver: ignore,
    report: ignore,
    pause: ignore,
    resume: ignore,
    cut: ignore,
    task: ignore,
  };
  const call = connection.open({
    ...observer,
    progress: () => false,
    attempt: (count) => attempts.push(count),
  });
  await transport.send({ id: 1, method: 'tools/call', params: { _meta: { partialResultToken: call.key } } });
  expect(attempts).toEqual([1]);
  transport.onmessage({
    method: 'notifications/tools/partial_result',
    params: { partialResultToken: 'x', seq: 0 },
  });
  expect(connection.counters.unknownToken).toBe(1);
  expect(transport.received.length).toBe(1);
});

it('comes back after somebody replaced a wire without regard to it', async () => {
  const transport = new Transport();
  const connection = tapTransport(like(transport))!;
  const received: unknown[] = [];
  transport.onmessage = (message) => void received.push(message);
  Reflect.deleteProperty(transport, 'send');
  expect(tapTransport(like(transport))).toBe(connection);

  const chunks: number[] = [];
  const ignore = (): void => {};
  const observer = {
    report: ignore,
    attempt: ignore,
    pause: ignore,
    resume: ignore,
    cut: ignore,
    task: ignore,
  };
  const call = connection.open({
    ...observer,
    progress: () => false,
    deliver: ({ seq }) => chunks.push(seq),
  });
  await transport.send({ id: 1, method: 'tools/call', params: { _meta: { partialResultToken: call.key } } });
  const [sent] = transport.sent[0] as [{ params: { _meta: { partialResultToken: string } } }];
  const { partialResultToken } = sent.params._meta;
  transport.onmessage({
    method: 'notifications/tools/partial_result',
    params: { partialResultToken, seq: 0 },
  });
  expect(chunks).toEqual([0]);
  expect(received).toEqual([]);
});

it('keeps transports apart', () => {
  expect(tapTransport(like(new Transport()))).not.toBe(tapTransport(like(new Transport())));
});

it('finds nothing to tap on what is not connected, and leaves a frozen transport alone', () => {
  const unconnected = new Transport();
  unconnected.onmessage = undefined;
  for (const nothing of [undefined, {}, unconnected, Object.freeze(new Transport())]) {
    expect(tapTransport(nothing && like(nothing))).toBeUndefined();
  }
});
