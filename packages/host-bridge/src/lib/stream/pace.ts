import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { resolveLimits } from '../limits.ts';

export interface PaceLimits {
  /** Messages sent and not yet acknowledged. Default 6: with a slow view each one adds its apply time to the lag. */
  maxFrames: number;
  /** Estimated bytes in flight at which sending stops. Default 200,000. */
  highBytes: number;
  /** Estimated bytes in flight below which it goes on. Default 100,000; a view acks more often than that. */
  lowBytes: number;
  /** Milliseconds without an ack until the view is asked where it is; doubles from probe to probe. Default 200. */
  probeAfterMs: number;
  /** Probes in a row before the view is left alone until it speaks. Default 6, some 12 s. */
  maxProbes: number;
  /**
   * Unanswered probes until a view that has never answered is sent to at the rate of one without acks: a proxy may
   * drop them. Default 2, some 1.4 s; not reached with a `maxProbes` that is no larger.
   */
  unheardProbes: number;
  /** Milliseconds without progress from a view that does answer until its messages count as lost. Default 5,000. */
  lostAfterMs: number;
  /** Length of the window the next two count in. Default 16 ms. */
  intervalMs: number;
  /** Estimated bytes a window. Default 48,000 for a view without acks, unlimited for one with. */
  bytesPerInterval: number;
  /** Messages a window. Default 8 for a view without acks, unlimited for one with. */
  messagesPerInterval: number;
}

export const PACE_LIMITS: Readonly<PaceLimits> = {
  maxFrames: 6,
  highBytes: 200_000,
  lowBytes: 100_000,
  probeAfterMs: 200,
  maxProbes: 6,
  unheardProbes: 2,
  lostAfterMs: 5_000,
  intervalMs: 16,
  bytesPerInterval: Infinity,
  messagesPerInterval: Infinity,
};

const WITHOUT_ACKS = { bytesPerInterval: 48_000, messagesPerInterval: 8 };

export interface SentMessage {
  seq: number;
  /** Estimated. */
  bytes: number;
}

export interface PacerOptions {
  acks: boolean;
  /** Its acks did not get through so far: begins at the rate of a view without. Default false. */
  unheard?: boolean | undefined;
  /** Whether there is anything to send. */
  queued(): boolean;
  /** Sends the next message now. */
  send(): SentMessage;
  probe(): void;
  /** The view answers nothing: sending stops until the next ack. */
  onSuspend(): void;
  /** It has never answered anything: sending goes on at a fixed rate, until it does. */
  onUnheard(): void;
  /** What was sent did not arrive although the view answers: start over. */
  onLost(): void;
  scheduler: Scheduler;
  limits?: Partial<PaceLimits> | undefined;
}

/**
 * Decides when the next message may go (D5, S13). Towards a view with acks by credit, towards any
 * other by a budget per window. Two rules keep it from ever standing still: with nothing in flight
 * (or a fresh window) one message may go however large, and whatever waits has an ack, a probe or a
 * timer coming. Sends are gathered in a macrotask, which hidden tabs do not throttle; a late window
 * timer is made good by the next arrival.
 */
export interface Pacer {
  /** Something was queued. */
  request(): void;
  /** @param seq every message up to it is settled. @returns whether the view was suspended or unheard. */
  ack(seq: number): boolean;
  close(): void;
  readonly inFlight: number;
  readonly suspended: boolean;
  /** Sends at a fixed rate, since no ack has ever come. */
  readonly unheard: boolean;
}

export function createPacer(options: PacerOptions): Pacer {
  const { acks, scheduler } = options;
  const blind = resolveLimits('pace', { ...PACE_LIMITS, ...WITHOUT_ACKS }, options.limits);
  const limits = acks ? resolveLimits('pace', PACE_LIMITS, options.limits) : blind;
  const inFlight: SentMessage[] = [];
  let bytesInFlight = 0;
  /** Above the high mark and not yet back below the low one. */
  let holding = false;
  let suspended = false;
  let heard = false;
  let unheard = acks && options.unheard === true;
  /** The last number sent, and the last the view has shown to have reached. */
  let lastSeq = -1;
  let reached = -1;
  let unanswered = 0;
  let probeDelay = limits.probeAfterMs;
  let lastProgress = 0;
  let windowStart = -Infinity;
  let windowBytes = 0;
  let windowMessages = 0;
  let closed = false;
  let pumping = false;
  let sending = false;
  /** The furthest ack that came from inside a send, before that message is on record. */
  let ackedInside = -Infinity;
  let cancelTask: Cancel | undefined;
  let cancelWindow: Cancel | undefined;
  let cancelProbe: Cancel | undefined;

  function hasCredit(): boolean {
    if (!acks || unheard || inFlight.length === 0) return true;
    return !suspended && !holding && inFlight.length < limits.maxFrames;
  }

  /** Milliseconds until the window allows a message; 0 for now. */
  function windowWait(): number {
    const left = windowStart + limits.intervalMs - scheduler.now();
    if (left <= 0) {
      windowStart = scheduler.now();
      windowBytes = 0;
      windowMessages = 0;
    }
    const { bytesPerInterval, messagesPerInterval } = unheard ? blind : limits;
    const spent = windowBytes >= bytesPerInterval || windowMessages >= messagesPerInterval;
    return spent ? left : 0;
  }

  function pump(): void {
    // A view in the same task may ack from inside the send: its turn comes when that message is on record.
    if (pumping) return;
    pumping = true;
    try {
      sendDue();
    } finally {
      pumping = false;
      sending = false;
    }
  }

  function sendDue(): void {
    while (!closed && options.queued() && hasCredit()) {
      const wait = windowWait();
      if (wait > 0) {
        cancelWindow ??= scheduler.delay(wait, () => {
          cancelWindow = undefined;
          pump();
        });
        return;
      }
      sending = true;
      const sent = options.send();
      sending = false;
      windowBytes += sent.bytes;
      windowMessages++;
      if (closed) return;
      if (acks) track(sent);
      if (ackedInside === -Infinity) continue;
      const seq = ackedInside;
      ackedInside = -Infinity;
      advance(seq);
    }
    cancelWindow?.();
    cancelWindow = undefined;
  }

  function track(sent: SentMessage): void {
    if (inFlight.length === 0) {
      lastProgress = scheduler.now();
      probeDelay = limits.probeAfterMs;
      unanswered = 0;
    }
    lastSeq = sent.seq;
    const last = inFlight.at(-1);
    // Nobody may ever settle these: one record stands for all of them.
    if (unheard && last) inFlight[inFlight.length - 1] = { seq: sent.seq, bytes: last.bytes + sent.bytes };
    else inFlight.push(sent);
    bytesInFlight += sent.bytes;
    if (bytesInFlight >= limits.highBytes) holding = true;
    if (!cancelProbe && unanswered < limits.maxProbes) armProbe();
  }

  function armProbe(): void {
    cancelProbe = scheduler.delay(probeDelay, () => {
      // An ack that is already queued behind a late timer gets its turn first.
      cancelProbe = scheduler.macrotask(() => {
        cancelProbe = undefined;
        probe();
      });
    });
  }

  function probe(): void {
    if (closed || inFlight.length === 0) return;
    if (!heard && !unheard && unanswered >= limits.unheardProbes) {
      unheard = true;
      suspended = false;
      options.onUnheard();
    } else if (unanswered > 0 && !suspended && !unheard) {
      suspended = true;
      options.onSuspend();
    }
    if (closed) return;
    unanswered++;
    probeDelay *= 2;
    options.probe();
    // An answer that came from inside the call has armed it already.
    if (!closed && !cancelProbe && inFlight.length > 0 && unanswered < limits.maxProbes) armProbe();
    if (unheard) pump();
  }

  function settle(seq: number): boolean {
    let settled = 0;
    while (settled < inFlight.length && inFlight[settled]!.seq <= seq) {
      bytesInFlight -= inFlight[settled]!.bytes;
      settled++;
    }
    inFlight.splice(0, settled);
    if (bytesInFlight <= limits.lowBytes) holding = false;
    const before = reached;
    reached = Math.max(reached, Math.min(seq, lastSeq));
    return settled > 0 || reached > before;
  }

  /** The view spoke. @returns whether it had been given up. */
  function hear(): boolean {
    const resumed = suspended || unheard;
    heard = true;
    suspended = false;
    unheard = false;
    unanswered = 0;
    return resumed;
  }

  function advance(seq: number): void {
    if (settle(seq) || inFlight.length === 0) {
      lastProgress = scheduler.now();
      probeDelay = limits.probeAfterMs;
      cancelProbe?.();
      cancelProbe = undefined;
    } else if (scheduler.now() - lastProgress >= limits.lostAfterMs) return options.onLost();
    if (inFlight.length > 0 && !cancelProbe) armProbe();
    pump();
  }

  function stopTimers(): void {
    cancelTask?.();
    cancelWindow?.();
    cancelProbe?.();
    cancelTask = cancelWindow = cancelProbe = undefined;
  }

  return {
    request() {
      if (closed || cancelTask || !hasCredit()) return;
      if (cancelWindow && windowWait() > 0) return;
      cancelTask = scheduler.macrotask(() => {
        cancelTask = undefined;
        pump();
      });
    },
    ack(seq) {
      if (closed || !acks) return false;
      const resumed = hear();
      if (sending) ackedInside = Math.max(ackedInside, seq);
      else advance(seq);
      return resumed;
    },
    close() {
      closed = true;
      stopTimers();
    },
    get inFlight() {
      return inFlight.length;
    },
    get suspended() {
      return suspended;
    },
    get unheard() {
      return unheard;
    },
  };
}
