import { isPlainObject } from './guards.ts';
import { createToken } from './platform.ts';
import {
  createTokenRegistry,
  type ClaimCounters,
  type TokenOwner,
  type TokenRegistry,
} from './token-registry.ts';
import type { TaskHandle } from './errors.ts';
import { withCapability } from './opt-in.ts';
import { isTaskRequest, unwrapTaskRequest } from './tasks/task-request.ts';
import { CLIENT_CAPABILITIES_KEY, PARTIAL_RESULT_METHOD, PARTIAL_RESULT_TOKEN_KEY } from './vocabulary.ts';

/*
 * The calls of one connection, seen from its two wires. The request side opts each attempt in where
 * it is sent: only there is the SDK's own capability object at hand, to be kept on modern connections
 * and not invented on legacy ones, and only there can the automatic retry after `input_required`
 * get a token of its own. The response side retires the token with the response itself, so that
 * "late" means late however the SDK schedules its handlers.
 */

/** What a progress notification says. */
export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** One `callTool`, from the connection's side. No callback may throw. */
export interface CallObserver extends TokenOwner {
  /** Attempt 1, 2, … is about to be sent; a new one restarts `seq` under a new token. */
  attempt(count: number): void;
  /** False when nobody listens. */
  progress(params: Progress): boolean;
  /** The server asked the user something: silence is no fault until `resume`. The two alternate. */
  pause(): void;
  resume(): void;
  /** The response stream of the attempt in flight ended without a response. */
  cut(): void;
  task(handle: TaskHandle): void;
}

export interface OpenCall {
  /** Put into `_meta` under `partialResultToken`; the request side knows the call by it and replaces it. */
  readonly key: string;
  close(): void;
}

/** What a transport takes beside a message. */
export type SendOptions = Record<string, unknown> & { onRequestStreamEnd?: () => void };

export interface Connection {
  /** @param options.optIn false for a call that takes no chunks. Default true. */
  open(observer: CallObserver, options?: { optIn?: boolean }): OpenCall;
  /** Sees each inbound message. True when it was a chunk for a call here and nobody else's business. */
  receive(message: unknown): boolean;
  /** Sees each outbound message; returns it, or what to send in its place. */
  send(
    message: unknown,
    options: SendOptions | undefined,
  ): [message: unknown, options: SendOptions | undefined];
  readonly counters: Readonly<ClaimCounters>;
}

interface Call {
  observer: CallObserver;
  optIn: boolean;
  attempts: Set<Attempt>;
  count: number;
  /** A question came in place of a result. */
  asked: boolean;
  paused: boolean;
}

interface Attempt {
  call: Call;
  id: unknown;
  /** Undefined where the call takes no chunks. */
  token: string | undefined;
  progressToken: unknown;
}

/** Server requests awaiting an answer, remembered per connection; further ones do not pause idle timers. */
const MAX_OPEN_QUESTIONS = 64;

export function createConnection(registry: TokenRegistry = createTokenRegistry()): Connection {
  const calls = new Map<string, Call>();
  const attempts = new Map<unknown, Attempt>();
  const questions = new Set<unknown>();
  let modern = false;

  function open(observer: CallObserver, { optIn = true }: { optIn?: boolean } = {}): OpenCall {
    const key = createToken();
    const call: Call = { observer, optIn, attempts: new Set(), count: 0, asked: false, paused: false };
    calls.set(key, call);
    watch(call);
    return {
      key,
      close() {
        calls.delete(key);
        for (const attempt of call.attempts) settle(attempt);
      },
    };
  }

  /** Tells a call when whether the user is being asked has changed for it. */
  function watch(call: Call): void {
    const paused = call.asked || questions.size > 0;
    if (paused === call.paused) return;
    call.paused = paused;
    if (paused) call.observer.pause();
    else call.observer.resume();
  }

  function settle(attempt: Attempt, taskId?: string): void {
    if (attempt.token !== undefined) registry.retire(attempt.token, taskId);
    attempts.delete(attempt.id);
    attempt.call.attempts.delete(attempt);
  }

  function receive(message: unknown): boolean {
    if (!isPlainObject(message)) return false;
    const { method, id, params, result } = message;
    if (method === PARTIAL_RESULT_METHOD && id === undefined) return registry.claim(params);
    if (id === undefined) {
      if (method === 'notifications/progress') return claimProgress(params);
      // A withdrawn question is never answered.
      if (method === 'notifications/cancelled' && isPlainObject(params)) answered(params['requestId']);
      return false;
    }
    if (method !== undefined) ask(id);
    else answer(id, result);
    return false;
  }

  /** Handed on here, since the SDK drops progress that one read brings together with the response. */
  function claimProgress(params: unknown): boolean {
    if (!isPlainObject(params) || typeof params['progress'] !== 'number') return false;
    const { progressToken, ...progress } = params;
    const attempt = attempts.get(progressToken); // the SDKs use the id of the request
    if (attempt === undefined || attempt.progressToken !== progressToken) return false;
    return attempt.call.observer.progress(progress as unknown as Progress);
  }

  function answer(id: unknown, result: unknown): void {
    const attempt = attempts.get(id);
    if (!attempt) return;
    const { call } = attempt;
    const handle = isPlainObject(result) ? readTaskHandle(result) : undefined;
    settle(attempt, handle?.taskId);
    if (!isPlainObject(result)) return;
    call.asked = result['resultType'] === 'input_required';
    watch(call);
    if (handle) call.observer.task(handle);
  }

  /** A server request on a legacy connection: elicitation, sampling. Modern ones have no such channel. */
  function ask(id: unknown): void {
    if (modern || questions.size >= MAX_OPEN_QUESTIONS) return;
    questions.add(id);
    calls.forEach(watch);
  }

  function answered(id: unknown): void {
    if (questions.delete(id)) calls.forEach(watch);
  }

  function send(message: unknown, options: SendOptions | undefined): [unknown, SendOptions | undefined] {
    if (!isPlainObject(message)) return [message, options];
    if (message['method'] === undefined) {
      answered(message['id']);
      return [message, options];
    }
    if (isTaskRequest(message)) return [unwrapTaskRequest(message), options];
    const params = message['params'];
    const meta = isPlainObject(params) ? params['_meta'] : undefined;
    if (message['method'] !== 'tools/call' || !isPlainObject(params) || !isPlainObject(meta))
      return [message, options];
    const call = calls.get(String(meta[PARTIAL_RESULT_TOKEN_KEY]));
    if (!call) return [message, options];

    const attempt: Attempt = {
      call,
      id: message['id'],
      token: call.optIn ? registry.issue(call.observer) : undefined,
      progressToken: meta['progressToken'],
    };
    attempts.set(attempt.id, attempt);
    call.attempts.add(attempt);
    call.count++;
    call.asked = false;
    watch(call);
    call.observer.attempt(call.count);

    const capabilities = meta[CLIENT_CAPABILITIES_KEY];
    modern = isPlainObject(capabilities);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (attempts.get(attempt.id) === attempt) call.observer.cut();
    };
    return [
      { ...message, params: withMeta(params, metaOf(meta, attempt.token)) },
      { ...options, onRequestStreamEnd },
    ];
  }

  return { open, receive, send, counters: registry.counters };
}

/** The `_meta` of an attempt, with its token in place of the call's key. */
function metaOf(meta: Record<string, unknown>, token: string | undefined): Record<string, unknown> {
  const { [PARTIAL_RESULT_TOKEN_KEY]: _key, ...rest } = meta;
  return token === undefined ? rest : { ...withCapability(rest), [PARTIAL_RESULT_TOKEN_KEY]: token };
}

function withMeta(
  { _meta, ...params }: Record<string, unknown>,
  meta: Record<string, unknown>,
): Record<string, unknown> {
  return Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
}

/** A task in place of a result: flat with a `resultType` (2026-07-28 extension), nested before. */
export function readTaskHandle(result: Record<string, unknown>): TaskHandle | undefined {
  const nested = result['task'];
  const handle = result['resultType'] === 'task' ? (isPlainObject(nested) ? nested : result) : nested;
  const isHandle =
    isPlainObject(handle) && typeof handle['taskId'] === 'string' && result['content'] === undefined;
  return isHandle ? (handle as TaskHandle) : undefined;
}
