/*
 * A small client written on the bare protocol, correct unless a fault is switched on. It shares no
 * code with the client half of the packages; only the framing is the checker's own.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { RunClient } from '../lib/client/check-client.ts';
import type { ClientEvent, ClientPlan, PlannedCall } from '../lib/client/protocol.ts';
import { openHttp } from '../lib/wire/http-link.ts';
import type { Link, LinkEvents } from '../lib/wire/link.ts';
import { CLIENT_INFO, envelope, type Message } from '../lib/wire/message.ts';
import { overStreams } from '../lib/wire/stdio-link.ts';
import type { ClientFault } from './client-faults.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const object = (value: unknown): Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : {};

interface Call {
  name: string;
  token: unknown;
  next: number;
  held: Map<number, Message>;
  applied: Message[];
  ended: boolean;
  resolve(): void;
}

/** More than this behind a gap and the gap is given up. */
const MAX_HELD = 100;

export function createRawClient(fault?: ClientFault): RunClient {
  return async (plan, line, signal) => {
    const client = createClient(plan, (event) => line(JSON.stringify(event)), fault);
    const aborted = new Promise<string>((resolve) =>
      signal.addEventListener('abort', () => resolve('stopped')),
    );
    try {
      return await Promise.race([client.run(), client.crashed, aborted]);
    } finally {
      client.close();
    }
  };
}

function createClient(
  plan: ClientPlan,
  print: (event: ClientEvent) => void,
  fault: ClientFault | undefined,
): { run(): Promise<string>; crashed: Promise<string>; close(): void } {
  const calls = new Map<number, Call>();
  let link: Link;
  let nextId = 1;
  let closeChild = (): void => {};
  let crash: (reason: string) => void = () => {};
  const crashed = new Promise<string>((resolve) => (crash = resolve));

  function open(): Promise<Link> {
    const events: LinkEvents = { onMessage: receive, onStreamEnd: () => {}, onClosed: () => {} };
    if (plan.url !== undefined) return openHttp(plan.url, plan.era)(events);
    const [file, ...args] = plan.command!;
    const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    closeChild = () => child.kill();
    return Promise.resolve(overStreams(child.stdout, child.stdin, events));
  }

  function tokenFor(): unknown {
    if (fault === 'one-token-for-all') return 4711;
    if (fault === 'object-token') return { call: nextId };
    return randomInt(2 ** 40) + 1_000;
  }

  function start(planned: PlannedCall): Promise<void> {
    const id = nextId++;
    const partialResults = { partialResults: {} };
    const capabilities =
      fault === 'no-capability'
        ? {}
        : fault === 'capability-as-extension'
          ? { extensions: partialResults }
          : partialResults;
    const token = fault === 'no-token' ? undefined : tokenFor();
    const meta = plan.era === 'modern' ? envelope(capabilities) : { [CAPABILITIES]: capabilities };
    return new Promise((resolve) => {
      calls.set(id, {
        name: planned.call,
        token,
        next: 0,
        held: new Map(),
        applied: [],
        ended: false,
        resolve,
      });
      const params = {
        name: planned.tool,
        arguments: planned.arguments,
        _meta: { ...meta, partialResultToken: token },
      };
      void link.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
    });
  }

  function receive(message: Message): void {
    if (message['method'] === 'notifications/tools/partial_result')
      return receiveChunk(object(message['params']));
    const call = calls.get(message['id'] as number);
    if (call && message['method'] === undefined) end(call, message);
  }

  /** The call a chunk is for, if it is for one. */
  function ownerOf(token: unknown): Call | undefined {
    const all = [...calls.values()];
    const inFlight = all.filter(({ ended }) => !ended);
    switch (fault) {
      case 'takes-any-token':
        return inFlight[0];
      case 'takes-late-tokens':
        return all.find((call) => call.token === token);
      case 'compares-tokens-as-text':
        return inFlight.find((call) => String(call.token) === String(token));
      case 'crosses-calls':
        return inFlight.some((call) => call.token === token) ? inFlight[0] : undefined;
      default:
        return inFlight.find((call) => call.token === token);
    }
  }

  function isChunk(params: Message): boolean {
    const { seq, content } = params;
    const numbered = Number.isSafeInteger(seq) && (seq as number) >= 0;
    const blocks = Array.isArray(content) ? content : [content];
    const readable =
      content === undefined ||
      (Array.isArray(content) &&
        blocks.every((block) => object(block)['text'] !== undefined && object(block)['type'] !== undefined));
    if (fault === 'dies-of-malformed' && !(numbered && readable)) crash('exit 1');
    if (fault === 'drops-stream-at-malformed' && !readable)
      for (const call of calls.values()) call.next = Infinity;
    return (numbered || fault === 'takes-any-seq') && (readable || fault === 'takes-any-content');
  }

  function receiveChunk(params: Message): void {
    const call = ownerOf(params['partialResultToken']);
    if (!call || !isChunk(params)) return;
    const seq = Number(params['seq']);
    if (call.ended && fault !== 'takes-late-tokens') return;
    if (fault === 'applies-as-it-comes' || fault === 'takes-any-seq' || call.ended)
      return apply(call, seq, params);
    if (fault === 'drops-early-ones' && seq > call.next) return;
    if (seq < call.next) return fault === 'applies-again' ? apply(call, seq, params) : undefined;
    call.held.set(seq, params);
    drain(call);
    if (fault === 'dies-of-overflow' && call.held.size > MAX_HELD) crash('exit 137');
    if (fault === 'dies-of-flood' && call.applied.length > 200) crash('exit 137');
    if (call.held.size > MAX_HELD) skip(call);
    if (params['final'] === true && fault === 'ends-at-final-flag')
      finish(call, { content: params['content'] });
    if (params['final'] === true && fault === 'drops-after-final-flag') skip(call);
  }

  function drain(call: Call): void {
    for (let chunk = call.held.get(call.next); chunk; chunk = call.held.get(call.next)) {
      call.held.delete(call.next);
      apply(call, call.next++, chunk);
    }
  }

  /** Gives up what is missing before the first chunk held. */
  function skip(call: Call): void {
    if (call.held.size === 0) return;
    const first = call.next;
    call.next = Math.min(...call.held.keys());
    if (fault !== 'silent-about-gaps') print({ event: 'gap', call: call.name, first, last: call.next - 1 });
    drain(call);
  }

  function apply(call: Call, seq: number, chunk: Message): void {
    call.applied.push(chunk);
    print({ event: 'applied', call: call.name, seq, content: chunk['content'] });
  }

  function end(call: Call, message: Message): void {
    if (call.ended) return;
    const gap = call.held.size > 0;
    if (gap && fault === 'gap-is-fatal') return fail(call, 'a chunk is missing');
    while (call.held.size > 0) skip(call);
    const result = object(message['result']);
    if (message['error'] !== undefined) {
      return fault === 'swallows-errors'
        ? finish(call, { content: [] })
        : fail(call, String(object(message['error'])['message']));
    }
    if (fault === 'requires-partials' && call.applied.length === 0) return fail(call, 'no partials');
    finish(
      call,
      fault === 'result-from-chunks' && call.applied.length > 0
        ? { ...result, content: call.applied.flatMap(({ content }) => content) }
        : result,
    );
  }

  function finish(call: Call, result: Message): void {
    call.ended = true;
    print({ event: 'final', call: call.name, result });
    const shown = fault === 'appends-the-final' ? [call.applied, result['content']] : result['content'];
    print({ event: 'state', call: call.name, state: shown });
    call.resolve();
  }

  function fail(call: Call, message: string): void {
    call.ended = true;
    print({ event: 'error', call: call.name, message });
    call.resolve();
  }

  return {
    crashed,
    close() {
      void link.close();
      closeChild();
    },
    async run() {
      link = await open();
      if (plan.era === 'legacy') {
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO };
        await link.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
        await link.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      }
      for (const step of plan.steps) {
        await Promise.all(step.map(start));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return 'exit 0';
    },
  };
}
