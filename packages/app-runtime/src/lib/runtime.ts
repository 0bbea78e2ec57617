import { isPlainObject, LAST_CHUNK_META_KEY, type ToolResult } from '@mcp-apps-bridge/partial-results';
import { systemScheduler, type AssembledChunk, type Cancel } from '@mcp-apps-bridge/partial-results/stream';
import { createAcknowledger } from './acknowledge.ts';
import { createCounters, tally } from './counters.ts';
import { createEpochStream, type EpochStream } from './epoch-stream.ts';
import { createPublisher, defaultPaint } from './publish.ts';
import { createReceiver, isNumber, type Received } from './receive.ts';
import { textOf } from './text-of.ts';
import type {
  AppRuntime,
  AppRuntimeOptions,
  RuntimeEvent,
  Snapshot,
  ViewError,
  ViewStatus,
} from './types.ts';

const RESULT_HOLD_MS = 250;

export function createAppRuntime<S>(options: AppRuntimeOptions<S>): AppRuntime<S> {
  const { consumer, limits, scheduler = systemScheduler, keepPartial = true } = options;
  const holdMs = limits?.resultHoldMs ?? RESULT_HOLD_MS;
  const counters = createCounters();
  let status: ViewStatus = 'waiting';
  let input: Record<string, unknown> | undefined;
  let result: ToolResult | undefined;
  let error: ViewError | undefined;
  let finalSeq = Infinity;
  let held: { result: ToolResult; epoch: number; seq: number; cancel: Cancel } | undefined;
  let ended = false;
  /** What counts as settled once the call has ended. */
  let position = { epoch: 0, next: 0 };
  let closed = false;
  /** What consumers made of a state that nobody has seen yet. */
  let own = new WeakSet<object>();

  let state = undefined as S;
  reset();
  let stream = openStream(0);
  const receiver = createReceiver({ onEvent: report });
  const publisher = createPublisher<Snapshot<S>>({
    read: readSnapshot,
    onError: (cause) => report({ type: 'listener_failed', message: messageOf(cause) }),
    scheduler,
    paint: options.paint ?? defaultPaint(scheduler),
  });
  const acks = createAcknowledger({
    read: () => {
      const { epoch, next } = ended ? position : { epoch: stream.epoch, next: stream.next };
      return { token: receiver.token, epoch, seq: next - 1, counters };
    },
    send: (params) => options.sendAck?.(params),
    scheduler,
  });
  if (options.onChange) publisher.subscribe((snapshot) => options.onChange?.(snapshot));

  function readSnapshot(): Snapshot<S> {
    own = new WeakSet();
    return {
      state,
      status,
      counters: { ...counters, held: stream.held },
      incomplete: status === 'failed' || status === 'cancelled',
      ...(input && { input }),
      ...(error && { error }),
      ...(result && { result }),
    };
  }

  function report(event: RuntimeEvent): void {
    tally(counters, event);
    try {
      options.onEvent?.(event);
    } catch {
      // An observer must not be able to stop the stream.
    }
  }

  function openStream(epoch: number): EpochStream {
    return createEpochStream(epoch, {
      apply,
      onSettled() {
        acks.mark();
        publisher.mark();
      },
      onEvent: report,
      assemble: consumer.assemble,
      scheduler,
      modes: options.modes,
      limits,
    });
  }

  /** What a consumer throws is reported, and the state stays as it was. @returns the message of what it threw. */
  function consume(stage: 'init' | 'chunk' | 'final', next: () => S): string | undefined {
    try {
      state = next();
      return undefined;
    } catch (cause) {
      const message = messageOf(cause);
      report({ type: 'consumer_failed', stage, message });
      return message;
    }
  }

  function reset(): void {
    consume('init', () => consumer.init());
  }

  function apply(chunk: AssembledChunk): void {
    status = 'streaming';
    if (consume('chunk', () => consumer.chunk(state, chunk, own)) === undefined) counters.applied++;
  }

  function startEpoch(epoch: number): void {
    closeStream();
    stream = openStream(epoch);
    finalSeq = Infinity;
    reset();
    status = 'waiting';
    report({ type: 'epoch', epoch });
  }

  function accept({ epoch, seq, skipped, body, bytes }: Received): void {
    if (epoch < stream.epoch) return report({ type: 'stale_epoch', epoch, seq });
    if (epoch > stream.epoch) startEpoch(epoch);
    if (seq > finalSeq) report({ type: 'after_final', seq });
    if ('final' in body && body.final) finalSeq = Math.min(finalSeq, seq);
    counters.bytes += bytes;
    stream.push(seq, body, bytes, skipped);
    if (held) settleHeld();
  }

  /** Nothing of lower authority than the end changes what is shown (field cases 2, 10, 84). */
  function acceptLate({ epoch, seq }: Received): void {
    report({ type: 'late', seq });
    // Settled all the same: a host that replays to an ended view must not wait for credit.
    if (epoch > position.epoch) position = { epoch, next: 0 };
    if (epoch === position.epoch) position.next = Math.max(position.next, seq + 1);
    acks.mark();
  }

  /** Ends the hold once every chunk sent before the result is in, or its time is up. */
  function settleHeld(): void {
    if (!held || ended) return;
    const { seq, epoch, cancel } = held;
    if (stream.epoch < epoch || (stream.epoch === epoch && stream.next <= seq)) return;
    cancel();
    end(held.result);
  }

  function overdue(): void {
    if (!held || ended || closed) return;
    report({ type: 'result_overdue', missing: held.seq + 1 - stream.next });
    end(held.result);
  }

  function end(value: ToolResult): void {
    held = undefined;
    result = value;
    if (value.isError === true) {
      // What came before the error is all there is: show it, to its last chunk, as incomplete.
      stream.flush();
      if (!keepPartial) reset();
      error = { kind: 'tool', text: textOf(value.content) || 'The tool reported an error.' };
      stop('failed');
    } else {
      const problem = consume('final', () => consumer.final(value));
      if (problem !== undefined) error = { kind: 'consumer', text: problem };
      stop(error ? 'failed' : 'complete');
    }
  }

  function stop(how: ViewStatus): void {
    status = how;
    ended = true;
    position = { epoch: stream.epoch, next: stream.next };
    closeStream();
    acks.mark();
    publisher.markSoon();
  }

  function closeStream(): void {
    counters.superseded += stream.held;
    stream.close();
  }

  type Message = Extract<RuntimeEvent, { type: 'ignored' }>['what'];

  /** Nothing that comes throws back at who brought it: what cannot even be looked at is malformed. */
  function taking(what: Message, take: (params: unknown) => void): (params?: unknown) => void {
    return (params) => {
      if (closed) return;
      try {
        take(params);
      } catch (cause) {
        const message = messageOf(cause);
        if (what === 'result' && !ended) {
          error = { kind: 'consumer', text: message };
          stop('failed');
        } else if (what === 'chunk') {
          report({ type: 'rejected', rejection: { code: 'not_an_object', path: '$', message } });
        } else ignore(what);
      }
    };
  }

  function ignore(what: Message): void {
    report({ type: 'ignored', what });
  }

  return {
    receive: taking('chunk', (params) => {
      counters.received++;
      publisher.mark();
      const received = receiver.read(params);
      if (!received) return;
      if (ended) acceptLate(received);
      else accept(received);
    }),
    input: taking('input', (params) => {
      if (ended || input) return ignore('input');
      const args = isPlainObject(params) ? params['arguments'] : undefined;
      input = isPlainObject(args) ? args : {};
      publisher.mark();
    }),
    finish: taking('result', (value) => {
      if (ended || held) return ignore('result');
      const final: ToolResult = isPlainObject(value) ? value : {};
      const last = isPlainObject(final._meta) ? final._meta[LAST_CHUNK_META_KEY] : undefined;
      if (!isPlainObject(last) || !isNumber(last['seq'])) return end(final);
      receiver.bind(last['partialResultToken']);
      const epoch = isNumber(last['epoch']) ? last['epoch'] : 0;
      if (!receiver.owns(last['partialResultToken'])) return end(final);
      held = { result: final, epoch, seq: last['seq'], cancel: scheduler.delay(holdMs, overdue) };
      settleHeld();
    }),
    cancel: taking('cancelled', () => {
      if (ended) return ignore('cancelled');
      // The result was first, it only waited.
      if (held) {
        held.cancel();
        return end(held.result);
      }
      if (!keepPartial) reset();
      stop('cancelled');
    }),
    probe: taking('probe', (params) => {
      const token = isPlainObject(params) ? params['partialResultToken'] : undefined;
      receiver.bind(token);
      if (token === undefined || !receiver.owns(token)) return ignore('probe');
      acks.now();
    }),
    snapshot: () => publisher.value,
    flush: () => publisher.flush(),
    subscribe: (listener) => publisher.subscribe(listener),
    close() {
      closed = true;
      held?.cancel();
      stream.close();
      publisher.close();
      acks.close();
    },
  };
}

/** What else is thrown may have no string form. */
function messageOf(cause: unknown): string {
  if (cause instanceof Error) return cause.message;
  return typeof cause === 'string' ? cause : 'unknown error';
}
