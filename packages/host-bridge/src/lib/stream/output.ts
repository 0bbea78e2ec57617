import {
  isPlainObject,
  type MergeModes,
  type PartialToolResult,
  type SeqRange,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import {
  createAssembler,
  createReorder,
  hasA2uiMessages,
  readMergeModes,
  systemScheduler,
  type Assembler,
  type Reorder,
} from '@mcp-apps-bridge/partial-results/stream';
import { createChunkChecker } from './check-chunk.ts';
import { createOutputCounters } from './counters.ts';
import { describeFailure } from './failure.ts';
import { createFanOut, type Subscription } from './fan-out.ts';
import { createHistory } from './history.ts';
import { createIntake } from './intake.ts';
import { createOutputReport } from './output-report.ts';
import {
  checkOutputOptions,
  type OutputSink,
  type ToolOutput,
  type ToolOutputOptions,
} from './output-types.ts';
import { createSanitizer, errorResult } from './sanitize/sanitizer.ts';
import { createRestartGuard } from './restart-guard.ts';
import { createSerial } from './serial.ts';
import type { OutputEnd, OutputStatus } from './types.ts';

export type { ToolOutput } from './output-types.ts';

/**
 * Intake → reorder → assemble → sanitize → history, and out to every subscriber.
 * @throws HostBridgeError `invalid_option`
 */
export function createToolOutput(options: ToolOutputOptions = {}): ToolOutput {
  checkOutputOptions(options);
  const { scheduler = systemScheduler, limits = {}, sanitizer = createSanitizer() } = options;
  const modes: MergeModes = { ...readMergeModes(options.tool?._meta), ...options.modes };
  const counters = createOutputCounters();
  const report = createOutputReport({ counters, onEvent: options.onEvent });
  const { emit } = report;
  const serial = createSerial();
  const sinks = createFanOut((error) => emit({ type: 'sink_error', error }));

  let status: OutputStatus = 'waiting';
  let end: OutputEnd | undefined;
  let args: Record<string, unknown> | undefined;
  let held = options.hold === true;
  let closed = false;
  /** Every chunk so far replaced all there is: no gap is worth waiting for (D3). */
  let replacesOnly = true;

  const checker = createChunkChecker({ sanitizer, report: report.sanitized('partial') });
  const history = createHistory({
    limits: limits.history,
    onOverflow: (bytes, items) => emit({ type: 'history_overflow', bytes, items }),
  });

  const intake = createIntake({
    limits: limits.intake,
    taskId: options.taskId,
    accept,
    reject(rejection) {
      counters.rejected(rejection.code);
      emit({ type: 'chunk_rejected', ...rejection });
    },
  });
  // Checked here and now, so that a bad limit throws from this call and not from a later one.
  let reorder = openReorder();
  let assembler = openAssembler();
  let restarts = createRestartGuard();

  function openReorder(): Reorder<PartialToolResult> {
    const settings = limits.reorder ? { limits: limits.reorder } : {};
    const inTurn = serial.scheduler(scheduler);
    return createReorder<PartialToolResult>({
      deliver,
      onEvent: report.reorder,
      scheduler: inTurn,
      ...settings,
    });
  }

  function openAssembler(): Assembler {
    const settings = limits.assemble ? { limits: limits.assemble } : {};
    return createAssembler({ modes, onEvent: report.assembler, ...settings });
  }

  function accept(chunk: PartialToolResult, bytes: number): void {
    counters.bytes(bytes);
    if (end) {
      counters.late();
      return emit({ type: 'chunk_late', seq: chunk.seq });
    }
    if (restarts.isForeign(chunk)) {
      counters.restarted();
      return emit({ type: 'chunk_restarted', seq: chunk.seq });
    }
    replacesOnly &&= replacesWhole(chunk);
    reorder.push(chunk.seq, chunk, bytes);
    // Not for one that is refused as too far ahead: nothing of it will ever be shown.
    if (reorder.held > 0) setStatus('streaming');
    if (replacesOnly && reorder.held > 0) reorder.flush();
  }

  /** Has each part the tool declares, to be replaced, and no other: nothing of a missing one could outlive it. */
  function replacesWhole(chunk: PartialToolResult): boolean {
    const own = readMergeModes(chunk._meta);
    if (modes.content === undefined && modes.structuredContent === undefined) return false;
    if (hasA2uiMessages(chunk.content)) return false;
    return (['content', 'structuredContent'] as const).every((part) => {
      if (modes[part] === undefined) return chunk[part] === undefined;
      return chunk[part] !== undefined && modes[part] === 'replace' && (own[part] ?? 'replace') === 'replace';
    });
  }

  function deliver(chunk: PartialToolResult, _seq: number, gap: SeqRange | undefined): void {
    setStatus('streaming');
    counters.delivered();
    const checked = report.about(() => checker.check(assembler.push(chunk, gap)));
    if (!checked) return counters.withheld();
    history.push(checked);
    publish((sink) => sink.chunk?.(checked));
  }

  function checkResult(result: ToolResult): ToolResult {
    const decided = report.sanitized('result');
    try {
      return report.about(() => sanitizer.result(result, decided, modes));
    } catch {
      decided('rule_failed', '$', 'the sanitizer threw');
      return errorResult('The result could not be checked.');
    }
  }

  function setStatus(next: OutputStatus): void {
    if (status === next) return;
    status = next;
    emit({ type: 'status', status });
  }

  function publish(deliverTo: (sink: OutputSink) => void, all?: boolean): void {
    if (!held) sinks.publish(deliverTo, all);
  }

  function replay(subscription: Subscription): void {
    const known = args;
    // A call that was refused before it was released shows nothing but that.
    if (known) sinks.call(subscription, (sink) => sink.input?.(known));
    if (history.overflowed && !end) {
      subscription.truncated = true;
      sinks.call(subscription, (sink) => sink.truncated?.());
    }
    for (const chunk of history.chunks) sinks.call(subscription, (sink) => sink.chunk?.(chunk));
    const ended = end;
    if (ended) sinks.call(subscription, (sink) => sink.end?.(ended));
    sinks.call(subscription, (sink) => sink.live?.());
  }

  function finishWith(next: OutputEnd, queued: 'flush' | 'supersede' | 'discard'): void {
    if (queued === 'flush') reorder.flush();
    else if (queued === 'supersede') counters.superseded(reorder.held);
    else counters.discarded(reorder.held);
    reorder.close();
    report.about(() => assembler.end());
    // The result says it all; only an ending without one leaves the stream worth showing again.
    if (next.status === 'complete') history.clear();
    end = next;
    if (held && next.status === 'cancelled') {
      args = undefined;
      history.clear();
      held = false;
    }
    setStatus(next.status);
    publish((sink) => sink.end?.(next), true);
  }

  function ending(name: 'finish' | 'fail', run: () => void): void {
    serial.run(() => {
      if (closed) return;
      if (end) emit({ type: 'call_ignored', call: name });
      else run();
    });
  }

  return {
    input(given) {
      serial.run(() => {
        if (closed) return;
        if (args || end) return emit({ type: 'call_ignored', call: 'input' });
        args = given ?? {};
        const known = args;
        publish((sink) => sink.input?.(known), true);
      });
    },
    push(chunk) {
      serial.run(() => {
        if (closed) return;
        counters.received();
        intake.push(chunk);
      });
    },
    restart() {
      serial.run(() => {
        if (closed || end) return;
        counters.discarded(reorder.held);
        reorder.close();
        intake.restart();
        reorder = openReorder();
        assembler = openAssembler();
        restarts = createRestartGuard();
        replacesOnly = true;
        history.clear();
        checker.reset();
        setStatus('waiting');
        if (!held) sinks.restart();
      });
    },
    finish(result) {
      ending('finish', () => {
        if (!isPlainObject(result)) {
          return finishWith(
            { status: 'failed', result: errorResult('The server sent no tool result.') },
            'flush',
          );
        }
        const checked = checkResult(result);
        if (checked.isError) finishWith({ status: 'failed', result: checked }, 'flush');
        else finishWith({ status: 'complete', result: checked }, 'supersede');
      });
    },
    fail(error) {
      ending('fail', () => {
        const { status, text } = describeFailure(error);
        finishWith({ status, result: errorResult(text), error }, 'flush');
      });
    },
    cancel(reason) {
      serial.run(() => {
        if (closed) return;
        // An end that nobody was shown yet gives way to the user's no.
        if (end && !held) return emit({ type: 'call_ignored', call: 'cancel' });
        finishWith(
          reason === undefined ? { status: 'cancelled' } : { status: 'cancelled', reason },
          'discard',
        );
      });
    },
    release() {
      serial.run(() => {
        if (!held || closed) return;
        held = false;
        sinks.each(replay);
      });
    },
    subscribe(sink) {
      const subscription: Subscription = { sink, active: true, truncated: false };
      serial.run(() => {
        if (closed || !subscription.active) return;
        sinks.add(subscription);
        if (!held) replay(subscription);
      });
      return () => sinks.remove(subscription);
    },
    close() {
      // In its turn: a cancel before it, from inside a delivery, still reaches the subscribers.
      serial.run(() => {
        closed = true;
        counters.discarded(reorder.held);
        reorder.close();
        history.clear();
        sinks.clear();
      });
    },
    get status() {
      return status;
    },
    get end() {
      return end;
    },
    get counters() {
      return counters.snapshot(reorder.held);
    },
  };
}
