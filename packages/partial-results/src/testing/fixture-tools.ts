/* What the fixture servers of both SDK generations do, so that one suite runs over all of them. */
import { z } from 'zod';
import type { MergeModes, PartialResultBody } from '../lib/types.ts';
import { PARTIAL_RESULT_METHOD } from '../lib/vocabulary.ts';

/** One tool call, with the differences between the generations taken away. */
export interface FixtureCall {
  emitPartial(body: PartialResultBody): Promise<void>;
  signal: AbortSignal;
  /** Sends a notification past the emitter: what a faulty server would do. */
  notify(method: string, params: Record<string, unknown>): Promise<void>;
  meta: Record<string, unknown>;
  /** An error that the SDK answers as a JSON-RPC error and not as an error result. */
  rpcError(): Error;
}

export interface FixtureResult {
  [key: string]: unknown;
  content: Array<{ type: 'text'; text: string }>;
  isError?: boolean;
}

export const fixtureInput = {
  count: z.number().int().optional(),
  gate: z.string().optional(),
};

export interface FixtureArgs {
  count?: number | undefined;
  gate?: string | undefined;
}

export type FixtureTool = (args: FixtureArgs, call: FixtureCall) => Promise<FixtureResult>;

export function text(value: string): FixtureResult {
  return { content: [{ type: 'text', text: value }] };
}

export function chunk(value: string): PartialResultBody {
  return { content: [{ type: 'text', text: value }] };
}

interface Gate {
  open: () => void;
  opened: Promise<void>;
  isOpen: boolean;
}

const gates = new Map<string, Gate>();
const events: string[] = [];

function gateNamed(name: string): Gate {
  let gate = gates.get(name);
  if (!gate) {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const made: Gate = { opened, isOpen: false, open: () => ((made.isOpen = true), open()) };
    gate = made;
    gates.set(name, gate);
  }
  return gate;
}

function burn(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function emitWords(call: FixtureCall, count: number): Promise<string> {
  let all = '';
  for (let i = 0; i < count; i++) {
    all += `word${i} `;
    await call.emitPartial(chunk(`word${i} `));
  }
  return all;
}

/** Notes the abort under the name of the gate. */
async function untilAborted({ signal }: FixtureCall, gate: string): Promise<void> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }
  events.push(`aborted:${gate}:${String(signal.reason)}`);
}

export const mergeModes: Record<string, MergeModes> = { burst_merging: { content: 'append' } };

export const fixtureTools: Record<string, FixtureTool> = {
  /** Emits `count` words; before the last one it waits for the gate, if one is named. */
  async stream({ count = 3, gate }, call) {
    let all = await emitWords(call, count - 1);
    if (gate !== undefined) await gateNamed(gate).opened;
    const last = `word${count - 1} `;
    all += last;
    await call.emitPartial({ ...chunk(last), final: true });
    return text(all);
  },

  async open_gate({ gate = '' }) {
    gateNamed(gate).open();
    return text('open');
  },

  /** Never awaits anything but `emitPartial`; ends when a chunk made the client open the gate. */
  async crunch({ gate = '', count = 2000 }, call) {
    const { isOpen } = gateNamed(gate);
    let turns = 0;
    while (!gateNamed(gate).isOpen && turns < count) {
      turns++;
      burn(2);
      await call.emitPartial(chunk(`turn${turns}`));
    }
    return text(JSON.stringify({ wasOpen: isOpen, opened: gateNamed(gate).isOpen }));
  },

  async fail_with_result({ count = 2 }, call) {
    await emitWords(call, count);
    return { ...text('quota exceeded'), isError: true };
  },

  async fail_with_throw({ count = 2 }, call) {
    await emitWords(call, count);
    throw new Error('disk on fire');
  },

  async fail_with_rpc_error({ count = 2 }, call) {
    await emitWords(call, count);
    throw call.rpcError();
  },

  /** Says that no chunk follows, and then nothing more. */
  async final_without_response({ gate = '' }, call) {
    await call.emitPartial(chunk('all there is'));
    await call.emitPartial({ final: true });
    await untilAborted(call, gate);
    gateNamed(`${gate}:aborted`).open();
    return text('never read');
  },

  /** Emits without awaiting, returns at once. */
  async burst({ count = 100 }, call) {
    for (let i = 0; i < count; i++) void call.emitPartial(chunk(`${i};`));
    return text('burst over');
  },

  /** As `burst`, with a merge mode. */
  async burst_merging({ count = 100 }, call) {
    for (let i = 0; i < count; i++) void call.emitPartial(chunk(`${i};`));
    return text('burst over');
  },

  /** More at once than the queue holds, then single chunks that it has room for again. */
  async overflow({ count = 1000 }, call) {
    for (let i = 0; i < count; i++) void call.emitPartial(chunk(`${i};`));
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await call.emitPartial(chunk('single'));
    }
    return text('overflow over');
  },

  async wait_for_abort({ gate = '' }, call) {
    await call.emitPartial(chunk('waiting'));
    await untilAborted(call, gate);
    await call.emitPartial(chunk('after the abort'));
    gateNamed(`${gate}:aborted`).open();
    return text('never read');
  },

  /** Returns, then goes on emitting: through the emitter, which must stop, and past it. */
  async late({ gate = '' }, call) {
    await call.emitPartial(chunk('in time'));
    void (async () => {
      await gateNamed(gate).opened;
      await call.emitPartial(chunk('too late, emitter'));
      const { partialResultToken } = call.meta;
      await call
        .notify(PARTIAL_RESULT_METHOD, { partialResultToken, seq: 1, ...chunk('too late, raw') })
        .catch(() => {});
      gateNamed(`${gate}:emitted`).open();
    })();
    return text('done');
  },

  async wait_for_gate({ gate = '' }) {
    await gateNamed(gate).opened;
    return text('open');
  },

  async progress({ count = 3 }, call) {
    const { progressToken } = call.meta;
    for (let i = 0; i < count; i++) {
      if (progressToken !== undefined) {
        await call.notify('notifications/progress', { progressToken, progress: i + 1, total: count });
      }
      await call.emitPartial(chunk(`part${i}`));
    }
    return text('done');
  },

  /** Valid chunks with refuse between them. */
  async hostile(_args, call) {
    const { partialResultToken } = call.meta;
    const raw = async (params: Record<string, unknown>): Promise<void> =>
      call.notify(PARTIAL_RESULT_METHOD, params);
    await call.emitPartial(chunk('good 0'));
    for (const seq of ['1', -1, 1.5, 9e99, null]) await raw({ partialResultToken, seq, ...chunk('bad seq') });
    await raw({ partialResultToken, seq: 1, content: {} });
    await raw({ partialResultToken, seq: 1, content: [{ type: 'text' }] });
    for (const token of ['tool-call-7', 0])
      await raw({ partialResultToken: token, seq: 0, ...chunk('foreign') });
    await raw({ seq: 0, ...chunk('no token') });
    await raw({ partialResultToken: null, seq: 0, ...chunk('null token') });
    await call.emitPartial(chunk('good 1'));
    return text('survived');
  },

  async events() {
    return text(JSON.stringify(events));
  },

  /** Emits, then never answers; the test ends the process or the connection. */
  async hang(_args, call) {
    await call.emitPartial(chunk('before the cut'));
    await new Promise(() => {});
    return text('never read');
  },
};
