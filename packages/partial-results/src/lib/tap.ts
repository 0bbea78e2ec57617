import { createConnection, type Connection, type SendOptions } from './connection.ts';

/** The members of an SDK transport that are tapped. */
export interface TransportLike {
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  send(message: never, options?: never): Promise<void>;
}

type Receive = (this: unknown, message: unknown, extra?: unknown) => void;
type Send = (this: unknown, message: unknown, options?: SendOptions) => Promise<void>;

/** A transport with one shape for the message types of both generations. */
interface Wires {
  onmessage: Receive;
  send: Send;
}

interface Tap {
  connection: Connection;
  receive: Receive | undefined;
  send: Send | undefined;
  /** Messages that passed a tap of this connection. */
  seen: WeakSet<object>;
}

const taps = new WeakMap<object, Tap>();

/**
 * The connection behind a transport, with both its wires tapped. Done at each call, so that a client
 * that reconnects over a new transport is tapped there, and one whose transport was wrapped or
 * rewired by someone else since is tapped again; a message that passes two taps counts once. Every
 * message that is not a chunk for a call of ours goes on untouched.
 * @returns undefined when the transport is not connected, or refuses to be tapped.
 */
export function tapTransport(transport: TransportLike | undefined): Connection | undefined {
  const wires = transport as unknown as Wires | undefined;
  if (typeof wires?.onmessage !== 'function' || typeof wires.send !== 'function') return undefined;
  const tap = taps.get(wires) ?? {
    connection: createConnection(),
    receive: undefined,
    send: undefined,
    seen: new WeakSet(),
  };
  taps.set(wires, tap);
  try {
    if (wires.onmessage !== tap.receive) tapReceive(wires, tap);
    if (wires.send !== tap.send) tapSend(wires, tap);
  } catch {
    return undefined; // a frozen transport
  }
  return tap.connection;
}

function tapReceive(wires: Wires, tap: Tap): void {
  const inner = wires.onmessage;
  tap.receive = function (message, extra) {
    if (isFirst(tap, message) && tap.connection.receive(message)) return;
    inner.call(this, message, extra);
  };
  wires.onmessage = tap.receive;
}

function tapSend(wires: Wires, tap: Tap): void {
  const inner = wires.send;
  tap.send = function (message, options) {
    if (!isFirst(tap, message)) return inner.call(this, message, options);
    const [outgoing, sendOptions] = tap.connection.send(message, options);
    return inner.call(this, outgoing, sendOptions);
  };
  wires.send = tap.send;
}

function isFirst(tap: Tap, message: unknown): boolean {
  if (typeof message !== 'object' || message === null || tap.seen.has(message)) return false;
  tap.seen.add(message);
  return true;
}
