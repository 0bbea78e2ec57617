import type { Cancel, Scheduler } from './scheduler.ts';

/** The two time limits of a call. */
export interface CallClock {
  /** Something arrived. Cheap: called for every chunk. */
  alive(): void;
  /** Silence is expected until `resume`. */
  pause(): void;
  resume(): void;
  /** Idempotent. */
  stop(): void;
}

export interface CallClockOptions {
  /** Milliseconds in all, `Infinity` for no limit. */
  timeoutMs: number;
  /** Milliseconds of silence, `Infinity` for no limit. */
  idleTimeoutMs: number;
  /** Called at most once, then the clock has stopped. */
  onTimeout(code: 'timeout' | 'idle_timeout'): void;
  scheduler: Scheduler;
}

/** Timers hold 31 bits: 24.8 days. Longer is no limit. */
export const MAX_DELAY_MS: number = 2 ** 31 - 1;

export function createCallClock(options: CallClockOptions): CallClock {
  const { timeoutMs, idleTimeoutMs, scheduler } = options;
  let lastSign = scheduler.now();
  let paused = false;
  let stopped = false;
  let cancelIdle: Cancel | undefined;
  const cancelTotal =
    timeoutMs <= MAX_DELAY_MS ? scheduler.delay(timeoutMs, () => expire('timeout')) : undefined;
  watch(idleTimeoutMs);

  function watch(ms: number): void {
    if (idleTimeoutMs <= MAX_DELAY_MS) cancelIdle = scheduler.delay(ms, check);
  }

  /** One timer that looks back, rather than one set anew for every chunk. */
  function check(): void {
    if (stopped || paused) return;
    const left = lastSign + idleTimeoutMs - scheduler.now();
    if (left > 0) watch(left);
    else expire('idle_timeout');
  }

  function expire(code: 'timeout' | 'idle_timeout'): void {
    if (stopped) return;
    stop();
    options.onTimeout(code);
  }

  function stop(): void {
    stopped = true;
    cancelTotal?.();
    cancelIdle?.();
  }

  return {
    alive() {
      lastSign = scheduler.now();
    },
    pause() {
      paused = true;
      cancelIdle?.();
    },
    resume() {
      if (stopped || !paused) return;
      paused = false;
      lastSign = scheduler.now();
      watch(idleTimeoutMs);
    },
    stop,
  };
}
