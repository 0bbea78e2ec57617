import { isPlainObject, PARTIAL_RESULTS_CAPABILITY } from '@mcp-apps-bridge/partial-results';
import type { Link, OpenLink, StreamName } from './link.ts';
import {
  CLIENT_INFO,
  envelope,
  type Era,
  isResponse,
  type Message,
  partialParams,
  PROTOCOL_VERSIONS,
} from './message.ts';

/** One message as it came in; `index` orders all of them. */
export interface Frame {
  index: number;
  message: Message;
  stream: StreamName;
}

/** One request and everything known of its answer. */
export interface Exchange {
  readonly id: number;
  /** Frames that had come in before it was sent. */
  readonly sentAt: number;
  /** Index of the frame with the response; undefined while there is none. */
  responseAt?: number;
  response?: Message;
  /** Responses under this id, of which there should be one. */
  responses: number;
  /** Resolves with the response, or with undefined once none can come any more or the time is up. */
  done: Promise<Message | undefined>;
}

export interface PeerOptions {
  era: Era;
  /** How long one response is waited for, in milliseconds. */
  timeoutMs: number;
}

/** A raw client: sends what it is told and remembers every frame that comes in. */
export interface Peer {
  readonly era: Era;
  readonly transport: Link['transport'];
  readonly frames: readonly Frame[];
  request(method: string, params?: Message): Exchange;
  notify(method: string, params?: Message): Promise<void>;
  /** Cancels as the transport and era want it. False when nothing that follows could be seen. */
  cancel(exchange: Exchange): Promise<boolean>;
  /** Resolves at the first frame from now on that `test` likes, or with undefined when `until` does first. */
  waitFor(test: (frame: Frame) => boolean, until: Promise<unknown>): Promise<Frame | undefined>;
  close(): Promise<void>;
}

interface Pending {
  exchange: Exchange;
  settle(response: Message | undefined): void;
}

export async function openPeer(open: OpenLink, { era, timeoutMs }: PeerOptions): Promise<Peer> {
  const frames: Frame[] = [];
  const pending = new Map<number, Pending>();
  const exchanges = new Map<number, Exchange>();
  const watchers = new Set<(frame: Frame) => void>();
  let nextId = 1;

  const link = await open({
    onMessage: receive,
    onStreamEnd: ended,
    onClosed: () => pending.forEach((_, id) => ended(id)),
  });

  function receive(message: Message, stream: StreamName): void {
    const frame = { index: frames.length, message, stream };
    frames.push(frame);
    if (isResponse(message)) {
      const id = message['id'] as number;
      const exchange = exchanges.get(id);
      if (exchange) exchange.responses++;
      const waiting = pending.get(id);
      if (waiting) {
        waiting.exchange.responseAt = frame.index;
        waiting.exchange.response = message;
        waiting.settle(message);
      }
    } else if (message['id'] !== undefined) {
      void link.send(answerTo(message));
    }
    for (const watch of watchers) watch(frame);
  }

  function ended(id: number): void {
    pending.get(id)?.settle(undefined);
  }

  function withEnvelope(params: Message | undefined): Message | undefined {
    if (era === 'legacy') return params;
    const own = isPlainObject(params?.['_meta']) ? params['_meta'] : {};
    return { ...params, _meta: { ...envelope(), ...own } };
  }

  function request(method: string, params?: Message): Exchange {
    const id = nextId++;
    let settle: (response: Message | undefined) => void = () => {};
    const done = new Promise<Message | undefined>((resolve) => {
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      settle = (response) => {
        clearTimeout(timer);
        pending.delete(id);
        resolve(response);
      };
    });
    const exchange: Exchange = { id, sentAt: frames.length, responses: 0, done };
    exchanges.set(id, exchange);
    pending.set(id, { exchange, settle });
    const sent = withEnvelope(params);
    void link.send({ jsonrpc: '2.0', id, method, ...(sent && { params: sent }) });
    return exchange;
  }

  async function notify(method: string, params?: Message): Promise<void> {
    const sent = withEnvelope(params);
    await link.send({ jsonrpc: '2.0', method, ...(sent && { params: sent }) });
  }

  const peer: Peer = {
    era,
    transport: link.transport,
    frames,
    request,
    notify,
    async cancel(exchange) {
      // On modern HTTP closing the answer is the cancel, and takes away what would show its effect.
      if (era === 'modern' && link.abort(exchange.id)) return false;
      await notify('notifications/cancelled', { requestId: exchange.id, reason: 'conformance' });
      return true;
    },
    waitFor: (test, until) =>
      new Promise((resolve) => {
        const finish = (frame?: Frame): void => {
          watchers.delete(watch);
          resolve(frame);
        };
        const watch = (frame: Frame): void => {
          if (test(frame)) finish(frame);
        };
        watchers.add(watch);
        void until.then(() => finish());
      }),
    async close() {
      for (const { settle } of pending.values()) settle(undefined);
      await link.close();
    },
  };
  if (era === 'legacy') await initialize(peer);
  return peer;
}

/** Declares the capability for the connection too, which opts no call in (S1). */
async function initialize(peer: Peer): Promise<void> {
  const response = await peer.request('initialize', {
    protocolVersion: PROTOCOL_VERSIONS.legacy,
    capabilities: { [PARTIAL_RESULTS_CAPABILITY]: {} },
    clientInfo: CLIENT_INFO,
  }).done;
  if (!isPlainObject(response?.['result']))
    throw new Error(`the server did not initialize: ${describe(response)}`);
  await peer.notify('notifications/initialized');
}

function answerTo(request: Message): Message {
  const base = { jsonrpc: '2.0', id: request['id'] };
  if (request['method'] === 'ping') return { ...base, result: {} };
  return { ...base, error: { code: -32601, message: 'this client has no such method' } };
}

/** The error of a response, or that there was none. */
export function describe(response: Message | undefined): string {
  if (!response) return 'no response';
  const { error } = response;
  return isPlainObject(error)
    ? `error ${String(error['code'])}: ${String(error['message'])}`
    : JSON.stringify(response);
}

/** Whether a frame is a partial, of `token` if one is given. */
export function isPartial(frame: Frame, token?: unknown): boolean {
  const params = partialParams(frame.message);
  return params !== undefined && (token === undefined || params['partialResultToken'] === token);
}
