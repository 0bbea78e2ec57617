/*
 * A small server written on the bare protocol, correct unless a fault is switched on. It is what
 * the checks are checked against, so it shares no code with the server half of the packages.
 */
import { randomUUID } from 'node:crypto';
import type { Message } from '../lib/wire/message.ts';
import type { ServerFault } from './server-faults.ts';

/** Where the messages of one request go, and those of nobody's. */
export interface Channel {
  send(message: Message): void;
  closed: AbortSignal;
}

export interface RawServer {
  /** Resolves when the request is answered, or not going to be. */
  handle(request: Message, channel: Channel): Promise<void>;
  /** A notification of the client. */
  note(notification: Message): void;
}

const WORDS: readonly string[] = ['alpha ', 'beta ', 'gamma ', 'delta '];
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const PARTIAL = 'notifications/tools/partial_result';
const text = (value: string): Message => ({ content: [{ type: 'text', text: value }] });
/** The result of `report`, always the same. */
export const REPORT: Message = text(WORDS.join(''));

const object = (value: unknown): Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : {};
const isObject = (value: unknown): boolean => object(value) === value;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createRawServer(fault?: ServerFault): RawServer {
  const cancels = new Map<unknown, AbortController>();
  const running = new Map<unknown, Channel>();
  let remembered = false;
  let sharedSeq = 0;

  /** The token under which a call gets partials, if it gets any. */
  function tokenOf(meta: Message): unknown {
    const capabilities = object(meta[CAPABILITIES]);
    const nested = object(capabilities['extensions'])['partialResults'];
    const declared =
      isObject(capabilities['partialResults']) ||
      (fault === 'reads-extensions' && isObject(nested)) ||
      (fault === 'remembers-capability' && remembered) ||
      fault === 'ignores-capability';
    if (isObject(capabilities['partialResults'])) remembered = true;
    if (!declared) return undefined;
    if (fault === 'progress-steals' && meta['progressToken'] !== undefined) return undefined;
    const token = meta['partialResultToken'];
    if (token === undefined && fault === 'makes-up-a-token') return 'made-up';
    if (fault === 'zero-is-no-token' && !token) return undefined;
    if (fault === 'stringifies-token' && Number.isInteger(token)) return String(token);
    if (fault === 'integers-only' && typeof token === 'string') return undefined;
    if (fault === 'takes-any-token' && token !== undefined) return token;
    return typeof token === 'string' || Number.isInteger(token) ? token : undefined;
  }

  function chunk(token: unknown, index: number, extra: Message): Message {
    const params: Message = {
      partialResultToken: fault === 'foreign-token' ? 'nobody-s' : token,
      seq: seqOf(index),
      ...text(WORDS[index]!),
      ...(index === WORDS.length - 1 && { final: true }),
      ...extra,
    };
    if (fault === 'flags-early' && index === 1) params['final'] = true;
    if (fault === 'null-fields') params['structuredContent'] = null;
    if (fault === 'block-without-text') params['content'] = [{ type: 'text' }];
    return {
      jsonrpc: '2.0',
      ...(fault === 'partial-as-request' && { id: randomUUID() }),
      method: PARTIAL,
      params,
    };
  }

  function seqOf(index: number): unknown {
    switch (fault) {
      case 'counts-from-one':
        return index + 1;
      case 'repeats-numbers':
        return index >> 1;
      case 'fractional-numbers':
        return index / 2;
      case 'shared-counter':
        return running.size > 1 ? sharedSeq++ : index;
      default:
        return index;
    }
  }

  async function report(request: Message, channel: Channel, hold: boolean): Promise<void> {
    const { id } = request;
    const params = object(request['params']);
    const meta = object(params['_meta']);
    const token = tokenOf(meta);
    const cancel = new AbortController();
    cancels.set(id, cancel);
    running.set(id, channel);
    const stopped = (): boolean =>
      fault !== 'ignores-cancel' && (cancel.signal.aborted || channel.closed.aborted);
    // Others in flight get their turn, so that concurrent calls do overlap.
    await turn();

    if (token === undefined && fault === 'requires-opt-in') {
      return finish({ error: { code: -32602, message: 'opt in first' } });
    }
    for (let index = 0; index < WORDS.length && !stopped(); index++) {
      await turn();
      const { progressToken } = meta;
      if (progressToken !== undefined) {
        const under = fault === 'progress-under-partial-token' ? token : progressToken;
        channel.send({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: under, progress: index + 1 },
        });
      }
      if (token === undefined) continue;
      target(id, channel).send(chunk(token, index, {}));
      if (hold && index === 0) await untilCancelled(cancel.signal, channel.closed);
      if (hold && fault === 'ignores-cancel') await streamOn(token, channel);
    }
    if (fault === 'never-responds' && token !== undefined) return;
    if (stopped()) return done();
    const streamed = token !== undefined && !hold;
    finish({ result: resultOf(streamed) });
    if (fault === 'responds-twice' && streamed) channel.send({ jsonrpc: '2.0', id, result: resultOf(true) });
    if (fault === 'late-chunk' && streamed) channel.send(chunk(token, 3, { seq: 4 }));

    function finish(answer: Message): void {
      channel.send({ jsonrpc: '2.0', id, ...answer });
      done();
    }
    function done(): void {
      cancels.delete(id);
      running.delete(id);
    }
  }

  async function streamOn(token: unknown, channel: Channel): Promise<void> {
    for (let seq = 1; !channel.closed.aborted; seq++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      channel.send(chunk(token, 0, { seq }));
    }
  }

  function target(id: unknown, own: Channel): Channel {
    if (fault !== 'wrong-stream') return own;
    for (const [other, channel] of running) if (other !== id) return channel;
    return own;
  }

  function resultOf(streamed: boolean): Message {
    if (fault === 'always-leans-on-partials') return text('see the stream');
    if (fault === 'leans-on-partials' && streamed) return text('see the stream');
    if (fault === 'empty-final' && streamed) return { content: [] };
    return { ...REPORT, resultType: 'complete' };
  }

  function task(request: Message, channel: Channel): void {
    const params = object(request['params']);
    const token = tokenOf(object(params['_meta']));
    const taskId = 'task-1';
    const asked =
      params['task'] ??
      object(object(object(params['_meta'])[CAPABILITIES])['extensions'])['io.modelcontextprotocol/tasks'];
    if (asked === undefined) return channel.send({ jsonrpc: '2.0', id: request['id'], result: REPORT });
    const told = fault === 'task-without-id' ? {} : { taskId: fault === 'wrong-task-id' ? 'task-2' : taskId };
    if (token !== undefined) channel.send(chunk(token, 0, told));
    const handle = { taskId, status: 'working' };
    channel.send({
      jsonrpc: '2.0',
      id: request['id'],
      result: params['task'] ? { task: handle } : { resultType: 'task', ...handle },
    });
  }

  const TOOLS = [
    {
      name: 'report',
      inputSchema: { type: 'object' },
      annotations:
        fault === 'no-hint'
          ? {}
          : { readOnlyHint: true, streamingHint: fault === 'hint-as-text' ? 'yes' : true },
    },
    { name: 'hold', inputSchema: { type: 'object' } },
    { name: 'task', inputSchema: { type: 'object' } },
  ];

  return {
    async handle(request, channel) {
      const { id, method } = request;
      const params = object(request['params']);
      const answer = (result: Message): void => channel.send({ jsonrpc: '2.0', id, result });
      switch (method) {
        case 'initialize':
          return answer({
            protocolVersion: params['protocolVersion'],
            capabilities: { tools: {} },
            serverInfo: { name: 'raw', version: '1' },
          });
        case 'tools/list':
          return answer({ tools: TOOLS, resultType: 'complete' });
        case 'tasks/get':
          return answer({ taskId: params['taskId'], status: 'completed' });
        case 'tools/call':
          if (params['name'] === 'task') return task(request, channel);
          return report(request, channel, params['name'] === 'hold');
        default:
          return channel.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } });
      }
    },
    note({ method, params }) {
      if (method === 'notifications/cancelled') cancels.get(object(params)['requestId'])?.abort();
    },
  };
}

function untilCancelled(...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) signal.addEventListener('abort', () => resolve());
  });
}
