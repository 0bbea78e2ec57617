import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';

export interface OpenBudgetOptions {
  /** Runs in quick succession. */
  max: number;
  /** Milliseconds until one more is allowed. */
  everyMs: number;
  /** A run was put off for so many milliseconds. */
  onDeferred(ms: number): void;
  scheduler: Scheduler;
}

/**
 * Puts off what comes too often; of several that wait the latest runs. A view decides how often it opens, and each
 * time costs the host the whole stream: nothing is left out, so that its end state stays the same, but it waits.
 */
export interface OpenBudget {
  request(run: () => void): void;
  /** Forgets what waits. */
  cancel(): void;
}

export function createOpenBudget(options: OpenBudgetOptions): OpenBudget {
  const { max, everyMs, scheduler } = options;
  let left = max;
  let counted = scheduler.now();
  let waiting: (() => void) | undefined;
  let cancelWait: Cancel | undefined;

  function refill(): void {
    const now = scheduler.now();
    left = Math.min(max, left + (now - counted) / everyMs);
    counted = now;
  }

  function cancel(): void {
    waiting = undefined;
    cancelWait?.();
    cancelWait = undefined;
  }

  function attempt(): void {
    cancelWait = undefined;
    if (!waiting) return;
    refill();
    // Sums of fractions fall short of one by a rounding error.
    if (left > 0.999) {
      left--;
      const run = waiting;
      waiting = undefined;
      return run();
    }
    const ms = Math.ceil((1 - left) * everyMs);
    cancelWait = scheduler.delay(ms, attempt);
    options.onDeferred(ms);
  }

  return {
    request(run) {
      waiting = run;
      if (!cancelWait) attempt();
    },
    cancel,
  };
}
