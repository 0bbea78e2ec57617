import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { Message } from '../wire/message.ts';
import { isPartial, type Peer } from '../wire/peer.ts';
import { type Made, type OptIn, partialsOf, startCall, type ToolCall } from './calls.ts';

export interface Targets {
  /** Streams to an opted-in call. Called about fifteen times, so it should only read. */
  tool: ToolCall;
  /** A call that runs until it is cancelled, or long enough. Default: `tool`. */
  cancel?: ToolCall;
  /** A call that the server runs as a task. Without one S15 is skipped. */
  task?: ToolCall;
}

/** Everything that was done to a server; the checks only read it. */
export interface ServerRun {
  peer: Peer;
  targets: Targets;
  /** The definition as `tools/list` has it. */
  definition: Message | undefined;
  calls: Partial<Record<CallName, Made>>;
  together: Made[];
  /** What a cancelled call did; `blind` where the transport hides it. */
  cancel: CancelOutcome | undefined;
  /** Every token that was put on a call. */
  issued: ReadonlySet<unknown>;
}

export type CallName =
  | 'plain'
  | 'plainAgain'
  | 'streamed'
  | 'afterwards'
  | 'extension'
  | 'capabilityOnly'
  | 'invalidToken'
  | 'integer'
  | 'zero'
  | 'empty'
  | 'progress'
  | 'task';

export type CancelOutcome =
  | { kind: 'blind' | 'finished' | 'silent' }
  /** Partials that came after the server had answered a later request and gone quiet once. */
  | { kind: 'seen'; late: number };

const POLL_MS = 100;
const MAX_POLLS = 100;
/** Partials already on their way when a cancel arrives get this long. */
const CANCEL_GRACE_MS = 100;

/** Drives the server through all scenarios; ends early when an opted-in call gets no response. */
export async function runServer(
  peer: Peer,
  targets: Targets,
  definition: Message | undefined,
  quietMs: number,
): Promise<ServerRun> {
  const { tool } = targets;
  const issued = new Set<unknown>();
  const run: ServerRun = { peer, targets, definition, calls: {}, together: [], cancel: undefined, issued };

  function start(target: ToolCall, optIn: OptIn): Made {
    if (optIn.token !== undefined) issued.add(optIn.token);
    return startCall(peer, target, optIn);
  }

  async function call(name: CallName, optIn: OptIn): Promise<Made> {
    const made = start(tool, optIn);
    run.calls[name] = made;
    await made.exchange.done;
    return made;
  }

  await call('plain', {});
  const streamed = await call('streamed', optInto('text'));
  if (!streamed.exchange.response) return run;
  await call('afterwards', { token: unguessable('afterwards') });
  await call('extension', { capability: 'extension', token: unguessable('extension') });
  await call('capabilityOnly', { capability: 'bare' });
  await call('invalidToken', { capability: 'bare', token: 1.5 });
  await call('integer', { capability: 'bare', token: 20_260_728 });
  await call('zero', { capability: 'bare', token: 0 });
  await call('empty', { capability: 'bare', token: '' });

  for (const token of [unguessable('a'), unguessable('b'), 998_301]) {
    run.together.push(start(tool, { capability: 'bare', token }));
  }
  await Promise.all(run.together.map((made) => made.exchange.done));

  await call('progress', {
    ...optInto('beside'),
    progressToken: unguessable('progress'),
  });
  await call('plainAgain', {});
  run.cancel =
    partialsOf(peer, streamed).length === 0
      ? { kind: 'silent' }
      : await cancelOne(peer, (optIn) => start(targets.cancel ?? tool, optIn), quietMs);
  if (targets.task) run.calls.task = await runTask(peer, start(targets.task, optInto('task', true)));
  // Late partials are what S9 forbids; they need time to come.
  await delay(quietMs);
  return run;
}

async function cancelOne(peer: Peer, start: (optIn: OptIn) => Made, quietMs: number): Promise<CancelOutcome> {
  const { exchange, token } = start(optInto('cancel'));
  const first = await peer.waitFor((frame) => isPartial(frame, token), exchange.done);
  if (!first) return { kind: exchange.response ? 'silent' : 'finished' };
  if (exchange.response) return { kind: 'finished' };
  if (!(await peer.cancel(exchange))) return { kind: 'blind' };
  // Once the server answers something sent later, it has read the cancel.
  await peer.request('tools/list').done;
  await delay(CANCEL_GRACE_MS);
  const from = peer.frames.length;
  await delay(quietMs);
  const late = peer.frames.slice(from).filter((frame) => isPartial(frame, token)).length;
  return { kind: 'seen', late };
}

async function runTask(peer: Peer, made: Made): Promise<Made> {
  const response = await made.exchange.done;
  const taskId = taskIdOf(response);
  if (taskId === undefined) return made;
  made.task = taskId;
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const state = await peer.request('tasks/get', { taskId }).done;
    const result = isPlainObject(state?.['result']) ? state['result'] : {};
    const task = isPlainObject(result['task']) ? result['task'] : result;
    if (!['working', 'input_required'].includes(String(task['status']))) break;
    await delay(POLL_MS);
  }
  return made;
}

/** Nested under `task` (2025-11-25), flat beside `resultType: 'task'` (extension of 2026-07-28). */
function taskIdOf(response: Message | undefined): string | undefined {
  const result = isPlainObject(response?.['result']) ? response['result'] : {};
  const handle = isPlainObject(result['task']) ? result['task'] : result;
  const isHandle = result['content'] === undefined && typeof handle['taskId'] === 'string';
  return isHandle ? (handle['taskId'] as string) : undefined;
}

function optInto(label: string, asTask = false): OptIn {
  return { capability: 'bare', token: unguessable(label), asTask };
}

function unguessable(label: string): string {
  return `${label}-${randomUUID()}`;
}
