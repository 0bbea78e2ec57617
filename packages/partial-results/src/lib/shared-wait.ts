import type { Cancel, Scheduler } from './scheduler.ts';

/** Those who wait for the same thing: one promise and one schedule, however many they are. */
export interface SharedWait {
  /** Resolves at the next `release`, or when `start` says so. */
  join(): Promise<void>;
  /** Lets everybody go; who joins later waits anew. */
  release(): void;
}

/** @param start runs with the first to join and schedules the end of the wait, never ends it at once. */
export function createSharedWait(start: (end: () => void) => Cancel): SharedWait {
  let current: { promise: Promise<void>; end: () => void } | undefined;

  function begin(): Promise<void> {
    let resolve!: () => void;
    const promise = new Promise<void>((done) => (resolve = done));
    const end = (): void => {
      current = undefined; // nobody who has been let go is held on to
      cancel();
      resolve();
    };
    current = { promise, end };
    const cancel = start(end);
    return promise;
  }

  return {
    join: () => current?.promise ?? begin(),
    release: () => current?.end(),
  };
}

/** A wait that lasts at most `ms`. */
export function createTimedWait(ms: number, scheduler: Scheduler): SharedWait {
  return createSharedWait((end) => scheduler.delay(ms, end));
}
