import { type EmitLimits, resolveEmitLimits } from './emit-limits.ts';
import { createEmitQueue } from './emit-queue.ts';
import { takeSnapshot } from './emit-snapshot.ts';
import { readCallContext, type CallContext } from './opt-in.ts';
import { type Scheduler, systemScheduler } from './scheduler.ts';
import type { MergeModes, PartialResultBody } from './types.ts';
import { PARTIAL_RESULT_METHOD } from './vocabulary.ts';

/** What the emitter did with the bodies of one call. */
export interface EmitterCounters {
  /** Bodies accepted from the tool. */
  emitted: number;
  /** Messages handed to the transport. */
  sent: number;
  /** Bodies that travelled inside an earlier one's message. */
  merged: number;
  /** Bodies lost to a cap, an abort or a flush that took too long. */
  dropped: number;
  /** Messages the transport refused. */
  failed: number;
  /** Bodies emitted after the end of the call. */
  late: number;
}

/** Trouble the tool does not see, for logs and metrics. */
export type EmitterEvent =
  | { type: 'dropped'; count: number; reason: 'count' | 'bytes' | 'closed' }
  | { type: 'send_failed'; seq: number; error: unknown };

/** Options of {@link createPartialEmitter} and `withPartialResults`. */
export interface PartialEmitterOptions {
  /** How chunks that wait for a slow transport may be joined. Default: not at all. Declare the same in the tool's `_meta`. */
  modes?: MergeModes | undefined;
  /** Caps, see {@link EmitLimits} for units and defaults. Out of range: `invalid_option`. */
  limits?: Partial<EmitLimits> | undefined;
  /** The task this call runs as, where the context does not say (S15). */
  taskId?: string | undefined;
  /** Must not throw; what it throws is ignored. */
  onEvent?: ((event: EmitterEvent) => void) | undefined;
  scheduler?: Scheduler | undefined;
}

/** Sends the partial results of one call. */
export interface PartialEmitter {
  /** False when this very call did not opt in: everything below is a no-op then (S1, S2). */
  readonly enabled: boolean;
  /**
   * Sends one chunk; `seq` is assigned here (S3). Resolves once the chunk left or was dropped, after
   * a turn of the event loop, or after `maxWaitMs` behind a slow transport. Awaiting it is optional,
   * and lets a CPU-bound tool stream over HTTP. Never rejects; after the end of the call, no effect.
   * @throws PartialResultsError `invalid_body`, synchronously, so that it is seen without `await`.
   */
  emit(body: PartialResultBody): Promise<void>;
  /** Takes no more, waits for what is queued to leave (at most `maxFlushMs`), closes. For the end of a handler. */
  end(): Promise<void>;
  /** Discards what waits; nothing is sent after it (S9). Also done by an abort of the call. Idempotent. */
  close(): void;
  readonly counters: Readonly<EmitterCounters>;
}

/*
 * Numbers are shared by all emitters of one request. On a legacy connection SDK v2 runs a handler
 * that asks for input several times within one request, under one token; the signal stays the same.
 */
const sequences = new WeakMap<object, { next: number }>();

/**
 * An emitter on its own, for handlers that {@link withPartialResults} cannot wrap. Await `end()`
 * before the result is returned.
 * @param context `ctx` of an SDK v2 handler or `extra` of an SDK v1 handler.
 */
export function createPartialEmitter(context: unknown, options: PartialEmitterOptions = {}): PartialEmitter {
  return createEmitter(readCallContext(context), options);
}

/** The same for a call that has been read. */
export function createEmitter(call: CallContext | undefined, options: PartialEmitterOptions): PartialEmitter {
  const limits = resolveEmitLimits(options.limits);
  const counters: EmitterCounters = { emitted: 0, sent: 0, merged: 0, dropped: 0, failed: 0, late: 0 };
  if (call?.token === undefined) return disabled(counters);

  const { notify, token, signal } = call;
  const taskId = options.taskId ?? call.taskId;
  const sequence = sequenceOf(signal);
  let ended = false;

  const queue = createEmitQueue({
    send,
    onMerged: () => counters.merged++,
    onDropped(count, reason) {
      counters.dropped += count;
      report({ type: 'dropped', count, reason });
    },
    modes: options.modes ?? {},
    limits,
    scheduler: options.scheduler ?? systemScheduler,
  });

  async function send(body: PartialResultBody, skipped: number): Promise<void> {
    sequence.next += skipped;
    const seq = sequence.next++;
    try {
      const params = { partialResultToken: token, seq, ...body, ...(taskId !== undefined && { taskId }) };
      await notify({ method: PARTIAL_RESULT_METHOD, params });
      counters.sent++;
    } catch (error) {
      counters.failed++;
      report({ type: 'send_failed', seq, error });
    }
  }

  function report(event: EmitterEvent): void {
    try {
      options.onEvent?.(event);
    } catch {
      // An observer is no reason to fail a tool.
    }
  }

  function emit(body: PartialResultBody): Promise<void> {
    if (ended) {
      counters.late++;
      return Promise.resolve();
    }
    const snapshot = takeSnapshot(body);
    counters.emitted++;
    return queue.push(snapshot);
  }

  async function end(): Promise<void> {
    ended = true;
    await queue.flush();
    close();
  }

  function close(): void {
    ended = true;
    signal?.removeEventListener('abort', close);
    queue.close();
  }

  signal?.addEventListener('abort', close);
  if (signal?.aborted) close();
  return { enabled: true, emit, end, close, counters };
}

function disabled(counters: EmitterCounters): PartialEmitter {
  const nothing = (): Promise<void> => Promise.resolve();
  return { enabled: false, emit: nothing, end: nothing, close: () => {}, counters };
}

function sequenceOf(signal: object | undefined): { next: number } {
  const known = signal && sequences.get(signal);
  if (known) return known;
  const sequence = { next: 0 };
  if (signal) sequences.set(signal, sequence);
  return sequence;
}
