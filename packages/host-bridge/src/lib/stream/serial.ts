import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';

/**
 * Runs jobs one after the other, in order, also when one asks for another from inside: a subscriber
 * that pushes or subscribes while it is being served must not change what is being delivered.
 */
export interface Serial {
  run(job: () => void): void;
  /** A scheduler whose jobs take their turn here: a timer is one more that may come in between. */
  scheduler(inner: Scheduler): Scheduler;
}

export function createSerial(): Serial {
  const jobs: Array<() => void> = [];
  let running = false;

  function run(job: () => void): void {
    jobs.push(job);
    if (running) return;
    running = true;
    try {
      for (let next = jobs.shift(); next; next = jobs.shift()) next();
    } finally {
      running = false;
    }
  }

  return {
    run,
    scheduler: (inner) => ({
      now: () => inner.now(),
      delay: (ms, job) => inner.delay(ms, () => run(job)),
      macrotask: (job) => inner.macrotask(() => run(job)),
    }),
  };
}
