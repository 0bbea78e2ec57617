import { isPlainObject, isToken, parsePartialToolResult } from './guards.ts';
import { createToken } from './platform.ts';
import type { PartialResultToken, PartialToolResult, Rejection } from './types.ts';

/** What became of the chunks that reached one connection. */
export interface ClaimCounters {
  /** Handed to `onpartialresult`. */
  delivered: number;
  /** Malformed. */
  invalid: number;
  /** Under a token never issued here (S10). */
  unknownToken: number;
  /** Under a token whose call has settled (S9, S10). */
  retiredToken: number;
  /** Under the right token, of another task (S15). */
  foreignTask: number;
  /** Under the token of a call that went on as a task: for whoever follows the task, in whose log it is. */
  taskChunk: number;
}

/** A chunk that was not delivered, and why. */
export type ClaimEvent =
  | { type: 'invalid'; rejection: Rejection }
  | { type: 'unknown_token' }
  | { type: 'retired_token'; seq: number }
  /** The call went on as this task, and `callTool` ended with its handle. */
  | { type: 'task_chunk'; seq: number; taskId: string }
  | { type: 'foreign_task'; seq: number; taskId: string };

/** Who gets what arrives under a token. Neither callback may throw. */
export interface TokenOwner {
  deliver(chunk: PartialToolResult): void;
  report(event: ClaimEvent): void;
}

export interface TokenRegistry {
  issue(owner: TokenOwner): string;
  /** From now on chunks under this token are late; with a task, they are the task's. */
  retire(token: string, taskId?: string): void;
  /** Takes the `params` of one notification. False when it concerns nobody here. */
  claim(params: unknown): boolean;
  readonly counters: Readonly<ClaimCounters>;
  /** Tokens still accepted. */
  readonly active: number;
}

interface Entry {
  owner: TokenOwner;
  taskId: string | undefined;
}

/** Retired tokens remembered per connection, oldest forgotten first; a forgotten one counts as unknown. */
const MAX_RETIRED_TOKENS = 256;

/** The tokens of one connection: a chunk is accepted under a token issued here for an attempt in flight. */
export function createTokenRegistry(maxRetired: number = MAX_RETIRED_TOKENS): TokenRegistry {
  const active = new Map<PartialResultToken, Entry>();
  const retired = new Map<PartialResultToken, Entry>();
  const counters: ClaimCounters = {
    delivered: 0,
    invalid: 0,
    unknownToken: 0,
    retiredToken: 0,
    foreignTask: 0,
    taskChunk: 0,
  };

  function issue(owner: TokenOwner): string {
    const token = createToken();
    active.set(token, { owner, taskId: undefined });
    return token;
  }

  function retire(token: string, taskId?: string): void {
    const entry = active.get(token);
    if (!entry) return;
    active.delete(token);
    retired.set(token, { owner: entry.owner, taskId });
    for (const oldest of retired.keys()) {
      if (retired.size <= maxRetired) break;
      retired.delete(oldest);
    }
  }

  function claim(params: unknown): boolean {
    const token = isPlainObject(params) ? params['partialResultToken'] : undefined;
    const live = isToken(token) ? active.get(token) : undefined;
    const entry = live ?? (isToken(token) ? retired.get(token) : undefined);

    const parsed = parsePartialToolResult(params);
    if (!parsed.ok) {
      counters.invalid++;
      report(entry?.owner, { type: 'invalid', rejection: parsed.rejection });
      return entry !== undefined;
    }
    if (!entry) {
      counters.unknownToken++;
      report(undefined, { type: 'unknown_token' });
      return false;
    }
    const { seq, taskId } = parsed.value;
    if (taskId !== undefined && entry.taskId !== undefined && taskId !== entry.taskId) {
      counters.foreignTask++;
      entry.owner.report({ type: 'foreign_task', seq, taskId });
    } else if (live) {
      live.taskId ??= taskId;
      counters.delivered++;
      live.owner.deliver(parsed.value);
    } else if (entry.taskId !== undefined) {
      counters.taskChunk++;
      entry.owner.report({ type: 'task_chunk', seq, taskId: entry.taskId });
    } else {
      counters.retiredToken++;
      entry.owner.report({ type: 'retired_token', seq });
    }
    return true;
  }

  /** What belongs to no call is told to each owner in flight, once. */
  function report(owner: TokenOwner | undefined, event: ClaimEvent): void {
    const owners = owner ? [owner] : new Set([...active.values()].map((entry) => entry.owner));
    for (const each of owners) each.report(event);
  }

  return {
    issue,
    retire,
    claim,
    counters,
    get active() {
      return active.size;
    },
  };
}
