/** Undoes a schedule; safe to call twice and after the callback ran. */
export type Cancel = () => void;

/** The clock every stage takes as an argument, so that tests can turn it by hand. */
export interface Scheduler {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Runs once, `ms` later or (in a throttled tab) later than that. */
  delay(ms: number, run: () => void): Cancel;
  /** Runs in a task of its own, after messages already queued; not throttled in hidden tabs. */
  macrotask(run: () => void): Cancel;
}

/* The parts of the host environment used here; this package has neither DOM nor Node types. */
interface Host {
  performance: { now(): number };
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  setImmediate?: (run: () => void) => unknown;
  clearImmediate?: (handle: unknown) => void;
  MessageChannel: new () => {
    port1: { onmessage: (() => void) | null };
    port2: { postMessage(value: unknown): void };
  };
}

const host = globalThis as unknown as Host;

/**
 * The real clock. Macrotasks ride on `setImmediate` in Node (a MessageChannel would keep the
 * process alive) and on a MessageChannel in browsers, where timers step to one second while hidden.
 */
export const systemScheduler: Scheduler = {
  now: () => host.performance.now(),
  delay(ms, run) {
    const handle = host.setTimeout(run, ms);
    return () => host.clearTimeout(handle);
  },
  macrotask: (run) => (host.setImmediate ? immediate(run) : viaChannel(run)),
};

function immediate(run: () => void): Cancel {
  const handle = host.setImmediate!(run);
  return () => host.clearImmediate!(handle);
}

let channel: InstanceType<Host['MessageChannel']> | undefined;
const queued: Array<(() => void) | undefined> = [];

function viaChannel(run: () => void): Cancel {
  if (!channel) {
    channel = new host.MessageChannel();
    channel.port1.onmessage = () => queued.shift()?.();
  }
  const entry = (): void => {
    run();
  };
  queued.push(entry);
  channel.port2.postMessage(undefined);
  return () => {
    const at = queued.indexOf(entry);
    if (at >= 0) queued[at] = undefined;
  };
}
