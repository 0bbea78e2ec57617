/**
 * Runs jobs one after the other, in order, also when one asks for another from inside: a subscriber
 * that pushes or subscribes while it is being served must not change what is being delivered.
 */
export interface Serial {
  run(job: () => void): void;
}

export function createSerial(): Serial {
  const jobs: Array<() => void> = [];
  let running = false;

  return {
    run(job) {
      jobs.push(job);
      if (running) return;
      running = true;
      try {
        for (let next = jobs.shift(); next; next = jobs.shift()) next();
      } finally {
        running = false;
      }
    },
  };
}
