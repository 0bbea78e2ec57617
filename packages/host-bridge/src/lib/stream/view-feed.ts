import { isPlainObject, type PartialResultToken } from '@mcp-apps-bridge/partial-results';
import { systemScheduler, type Cancel } from '@mcp-apps-bridge/partial-results/stream';
import type { FeedEvent, FinalOnlyReason } from '../events.ts';
import { checkOptionNames, resolveLimits } from '../limits.ts';
import { parseAck, type ViewCounters } from './ack.ts';
import { COALESCE_LIMITS, createCoalescer, type Coalescer } from './coalesce.ts';
import { createForwarder, splitPatches, type Forwarder } from './forward.ts';
import { createOpenBudget } from './open-budget.ts';
import type { OutputSink } from './output-types.ts';
import { createPacer, PACE_LIMITS, type Pacer } from './pace.ts';
import { createToken } from './tokens.ts';
import type { OutputChunk, OutputEnd } from './types.ts';
import { FEED_LIMITS, type FeedCounters, type ViewFeed, type ViewFeedOptions } from './view-feed-types.ts';

export type { ViewFeed } from './view-feed-types.ts';

interface Showing {
  acks: boolean;
  token: PartialResultToken;
  epoch: number;
  forwarder: Forwarder;
  coalescer: Coalescer;
  pacer: Pacer;
  unsubscribe: () => void;
  /** The replay is through; an end that belonged to it follows what was replayed, whatever it is. */
  live: boolean;
  /** The queue overflowed while the view was silent: it needs a replay when it speaks again. */
  stale: boolean;
  /** Chunks stopped; the end will still come. */
  finalOnly: boolean;
  ended: boolean;
  /** Of a call that is over: follows what is still queued of its replay. */
  due: OutputEnd | undefined;
  cancelDue: Cancel | undefined;
}

const OPTION_NAMES = ['notify', 'output', 'token', 'send', 'onEvent', 'limits', 'scheduler'];

/**
 * Coalesce → pace → forward, for one view. Nothing is sent before `open` (D8); what happened until
 * then is in the output's history.
 * @throws HostBridgeError `invalid_option`
 */
export function createViewFeed(options: ViewFeedOptions): ViewFeed {
  checkOptionNames('createViewFeed', OPTION_NAMES, options);
  const { output, limits = {}, scheduler = systemScheduler } = options;
  checkOptionNames('createViewFeed limits', ['coalesce', 'pace', ...Object.keys(FEED_LIMITS)], limits);
  const { coalesce, pace, ...own } = limits;
  const { maxReplays, maxOpens, openEveryMs, maxEndDelayMs } = resolveLimits(
    'createViewFeed',
    FEED_LIMITS,
    own,
  );
  // Checked here and not first when a view opens.
  resolveLimits('coalesce', COALESCE_LIMITS, coalesce);
  resolveLimits('pace', PACE_LIMITS, pace);
  const budget = createOpenBudget({
    max: maxOpens,
    everyMs: openEveryMs,
    onDeferred: (ms) => emit({ type: 'view_deferred', ms }),
    scheduler,
  });
  const counters: Omit<FeedCounters, 'queued' | 'inFlight' | 'epoch' | 'view'> = {
    accepted: 0,
    forwarded: 0,
    merged: 0,
    superseded: 0,
    discarded: 0,
    bytes: 0,
    gaps: 0,
    failed: 0,
  };
  let viewCounters: ViewCounters | undefined;
  let showing: Showing | undefined;
  let token = options.token ?? createToken();
  let epoch = -1;
  let replays = 0;
  /** At most once to each document (H17): a replay to a view that is still there leaves it out. */
  let inputSent = false;
  let closed = false;

  function emit(event: FeedEvent): void {
    try {
      options.onEvent?.(event);
    } catch {
      // An observer is no reason to stop a stream.
    }
  }

  /** @param unheard none of its acks came through so far. */
  function show(acks: boolean, unheard = false): void {
    hide();
    epoch++;
    // A view that knows no epochs must not take a replay for what follows.
    if (!acks && epoch > 0) token = createToken();
    const coalescer = createCoalescer({ limits: coalesce, batchPatches: acks });
    const forwarder = createForwarder({ notify: options.notify, onSendFailed, token, epoch });
    const pacer = createPacer({
      acks,
      unheard,
      scheduler,
      limits: pace,
      queued: () => coalescer.items > 0,
      send: () => sendNext(current),
      probe: () => forwarder.probe(),
      onSuspend: () => emit({ type: 'view_suspended', epoch: current.epoch }),
      onUnheard() {
        emit({ type: 'view_unheard', epoch: current.epoch });
        if (current.stale && showing === current) replay(acks, true);
      },
      // The end is the truth: it does not wait for a second try at what led to it.
      onLost: () => (current.due ? conclude(current, current.due) : replay(acks)),
    });
    const current: Showing = {
      acks,
      token,
      epoch,
      forwarder,
      coalescer,
      pacer,
      unsubscribe: () => undefined,
      live: false,
      stale: false,
      finalOnly: false,
      ended: false,
      due: undefined,
      cancelDue: undefined,
    };
    showing = current;
    emit({ type: 'view_open', epoch, acks });
    if (showing !== current) return;
    const unsubscribe = output.subscribe(createSink(current));
    current.unsubscribe = unsubscribe;
    if (showing !== current) unsubscribe();
  }

  /** Ends the present showing without a word to the view. */
  function hide(): void {
    if (!showing) return;
    const { unsubscribe, pacer, coalescer, cancelDue } = showing;
    showing = undefined;
    unsubscribe();
    cancelDue?.();
    pacer.close();
    counters.discarded += coalescer.clear();
  }

  function replay(acks: boolean, unheard = false): void {
    replays++;
    if (replays <= maxReplays) show(acks, unheard);
    else if (showing) stopChunks(showing, 'too_many_replays');
  }

  function onSendFailed(method: string, error: unknown): void {
    counters.failed++;
    emit({ type: 'send_failed', method, error });
  }

  function sendNext(view: Showing): { seq: number; bytes: number } {
    const chunk = view.coalescer.shift()!;
    counters.forwarded++;
    counters.gaps += chunk.gaps;
    const sent = view.forwarder.chunk(chunk);
    counters.bytes += sent.bytes;
    if (view.due && view.coalescer.items === 0 && showing === view) conclude(view, view.due);
    return sent;
  }

  function stopChunks(view: Showing, reason: FinalOnlyReason): void {
    view.finalOnly = true;
    view.pacer.close();
    counters.discarded += view.coalescer.clear();
    emit({ type: 'final_only', reason });
  }

  function createSink(view: Showing): OutputSink {
    const alive = (): boolean => showing === view && !view.ended;

    function take(chunk: OutputChunk): void {
      counters.accepted++;
      if (view.finalOnly || view.stale) {
        counters.discarded++;
        return;
      }
      switch (view.coalescer.push(chunk, !view.live)) {
        case 'merged':
          counters.merged++;
          break;
        case 'queued':
          break;
        case 'overflow':
          if (!view.acks || !view.pacer.suspended) return stopChunks(view, 'queue_overflow');
          view.stale = true;
          counters.discarded += view.coalescer.clear();
      }
    }

    return {
      input(args) {
        if (!alive() || inputSent || options.send?.input === false) return;
        inputSent = true;
        view.forwarder.input(args);
      },
      chunk(chunk) {
        if (!alive()) return;
        for (const part of view.acks ? [chunk] : splitPatches(chunk)) take(part);
        view.pacer.request();
      },
      restart() {
        if (!alive()) return;
        counters.discarded += view.coalescer.clear();
        const untouched = view.forwarder.lastSeq < 0;
        if (untouched && !view.finalOnly) return;
        // Only an epoch can tell a view to forget; one that knows none waits for the result.
        if (view.acks || untouched) show(view.acks, view.pacer.unheard);
        else if (!view.finalOnly) stopChunks(view, 'restarted');
      },
      live() {
        view.live = true;
      },
      truncated() {
        if (alive()) stopChunks(view, 'history_overflow');
      },
      end(end) {
        if (alive()) finish(view, end);
      },
    };
  }

  function finish(view: Showing, end: OutputEnd): void {
    view.ended = true;
    if (end.status === 'complete') counters.superseded += view.coalescer.clear();
    else if (end.status === 'cancelled' && view.live) counters.discarded += view.coalescer.clear();
    // What led to an end that is long past is paced like any stream; news of an end is not.
    if (view.live || view.coalescer.items === 0) return conclude(view, end);
    view.due = end;
    view.cancelDue = scheduler.delay(maxEndDelayMs, () => conclude(view, end));
  }

  /** Whatever is still queued, at once, and then the end: after it no timer of this view is left. */
  function conclude(view: Showing, end: OutputEnd): void {
    view.due = undefined;
    view.cancelDue?.();
    view.pacer.close();
    while (view.coalescer.items > 0) sendNext(view);
    if (showing !== view || options.send?.end === false) return;
    if (end.status === 'cancelled') view.forwarder.cancelled();
    else view.forwarder.result(end.result);
  }

  return {
    open({ acks }) {
      if (closed) return;
      hide();
      budget.request(() => {
        inputSent = false;
        show(acks);
      });
    },
    lost() {
      budget.cancel();
      hide();
    },
    ack(params) {
      if (closed || !showing) return;
      // One view may show several calls; each feed reads its own acks only.
      if (isPlainObject(params) && params['partialResultToken'] !== showing.token) return;
      const view = showing;
      const parsed = parseAck(params);
      if ('path' in parsed) return emit({ type: 'ack_rejected', ...parsed });
      if (parsed.epoch > view.epoch) return;
      // Of an earlier epoch it says nothing of what was sent since, but the view lives and may have missed it.
      const settled = parsed.epoch === view.epoch ? parsed.seq : -1;
      viewCounters = parsed.counters ?? viewCounters;
      if (!view.pacer.ack(settled)) return;
      emit({ type: 'view_resumed', epoch: view.epoch });
      if (view.stale && showing === view) replay(true);
    },
    close() {
      closed = true;
      budget.cancel();
      hide();
    },
    get token() {
      return token;
    },
    get counters() {
      return {
        ...counters,
        queued: showing?.coalescer.items ?? 0,
        inFlight: showing?.pacer.inFlight ?? 0,
        epoch,
        view: viewCounters,
      };
    },
  };
}
