import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { RpcMessage } from './frame-channel.ts';

const initializedMethod = 'ui/notifications/initialized';
/* Host context changes and little else are due this early; a view that never initializes must not grow it. */
const maxHeld = 256;

/** Options of {@link createGatedTransport}. */
export interface GatedTransportOptions {
  post(message: RpcMessage): void;
  /** Notifications taken out before the SDK sees them: its validation costs more than they do. */
  divert: ReadonlyMap<string, (params: unknown) => void>;
  onOverflow(method: string): void;
}

/** What AppBridge runs on. */
export interface GatedTransport extends Transport {
  /** Hands in a message of the view. */
  receive(message: RpcMessage): void;
  /** Sends a notification past the SDK, in order with what goes through it. */
  notify(method: string, params: Record<string, unknown>): void;
}

/**
 * A transport that keeps the rule of the handshake: until the view's `initialized` only answers go out; requests
 * and notifications wait, in order (H12).
 */
export function createGatedTransport(options: GatedTransportOptions): GatedTransport {
  let held: RpcMessage[] = [];
  let open = false;
  let closed = false;

  function send(message: RpcMessage): void {
    if (closed) throw new Error('The view is closed.');
    const { method } = message;
    if (open || typeof method !== 'string') return options.post(message);
    held.push(message);
    if (held.length > maxHeld) options.onOverflow(String(held.shift()?.['method']));
  }

  const transport: GatedTransport = {
    async start() {},
    async send(message: JSONRPCMessage) {
      send(message);
    },
    async close() {
      if (closed) return;
      closed = true;
      held = [];
      transport.onclose?.();
    },
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
    receive(message) {
      if (closed) return;
      const { method, id } = message;
      const diverted =
        typeof method === 'string' && id === undefined ? options.divert.get(method) : undefined;
      if (diverted) return diverted(message['params']);
      if (method === initializedMethod && !open) {
        open = true;
        const due = held;
        held = [];
        for (const waiting of due) options.post(waiting);
      }
      transport.onmessage?.(message as unknown as JSONRPCMessage);
    },
  };
  return transport;
}
