import type { Cancel, Scheduler } from '../lib/scheduler.ts';

interface Job {
  at: number;
  order: number;
  run: () => void;
}

/** A clock that moves only when told to. For tests of every package here. */
export interface ManualScheduler extends Scheduler {
  /** Runs what is due within the next `ms`, in order, macrotasks before timers of the same instant. */
  advance(ms: number): void;
  /** Runs the macrotasks queued now and those they queue, without moving the clock. */
  flush(): void;
  /** Jobs not yet run. Zero after a clean teardown. */
  readonly pending: number;
}

export function createManualScheduler(): ManualScheduler {
  let time = 0;
  let order = 0;
  let timers: Job[] = [];
  let tasks: Job[] = [];

  function add(list: 'timers' | 'tasks', at: number, run: () => void): Cancel {
    const job: Job = { at, order: order++, run };
    if (list === 'timers') timers.push(job);
    else tasks.push(job);
    return () => {
      timers = timers.filter((other) => other !== job);
      tasks = tasks.filter((other) => other !== job);
    };
  }

  function flush(): void {
    for (let job = tasks.shift(); job; job = tasks.shift()) job.run();
  }

  return {
    now: () => time,
    delay: (ms, run) => add('timers', time + ms, run),
    macrotask: (run) => add('tasks', time, run),
    flush,
    advance(ms) {
      const end = time + ms;
      flush();
      for (;;) {
        const due = timers.filter((job) => job.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
        if (!due) break;
        timers = timers.filter((job) => job !== due);
        time = Math.max(time, due.at);
        due.run();
        flush();
      }
      time = end;
    },
    get pending() {
      return timers.length + tasks.length;
    },
  };
}
