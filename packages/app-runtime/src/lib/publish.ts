import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { PaintSchedule } from './types.ts';

export interface Publisher<T> {
  /** Something changed: publish with the next paint. */
  mark(): void;
  /** Something changed that must show even in a tab that does not paint: publish in the next task. */
  markSoon(): void;
  /** Publishes now what is marked. */
  flush(): void;
  subscribe(listener: (value: T) => void): () => void;
  close(): void;
  /** The value last published; the same object until the next publication. */
  readonly value: T;
}

/**
 * Last stage: many changes, few renders (field case 31). State is taken in as messages arrive;
 * only telling the view about it waits for a paint.
 */
export function createPublisher<T>(options: {
  read(): T;
  onError(error: unknown): void;
  scheduler: Scheduler;
  paint: PaintSchedule;
}): Publisher<T> {
  const { read, onError, scheduler, paint } = options;
  const listeners = new Set<(value: T) => void>();
  let value = read();
  let cancel: Cancel | undefined;
  let soon = false;
  let closed = false;

  function publish(): void {
    cancel = undefined;
    soon = false;
    if (closed) return;
    value = read();
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        onError(error);
      }
    }
  }

  return {
    mark() {
      if (!closed && !cancel) cancel = paint(publish);
    },
    markSoon() {
      if (closed || soon) return;
      cancel?.();
      soon = true;
      cancel = scheduler.macrotask(publish);
    },
    flush() {
      if (!cancel) return;
      cancel();
      publish();
    },
    subscribe(listener) {
      // Each subscription is its own entry: the same function may be subscribed twice.
      const entry = (next: T): void => listener(next);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    close() {
      closed = true;
      cancel?.();
      cancel = undefined;
      listeners.clear();
    },
    get value() {
      return value;
    },
  };
}

/** Longest time without a paint before a change is published anyway: hidden and offscreen frames get none. */
const NO_PAINT_MS = 100;

/** Animation frames where they exist and fire, else a timer; without a screen, the next task. */
export function defaultPaint(scheduler: Scheduler): PaintSchedule {
  if (typeof requestAnimationFrame === 'undefined') return (run) => scheduler.macrotask(run);
  return (run) => {
    const cancel = (): void => {
      cancelAnimationFrame(frame);
      cancelDelay();
    };
    const once = (): void => {
      cancel();
      run();
    };
    const frame = requestAnimationFrame(once);
    const cancelDelay = scheduler.delay(NO_PAINT_MS, once);
    return cancel;
  };
}
