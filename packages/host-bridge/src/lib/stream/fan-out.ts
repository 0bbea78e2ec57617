import type { OutputSink } from './output-types.ts';

export interface Subscription {
  sink: OutputSink;
  active: boolean;
  /** Gets input and end only. */
  truncated: boolean;
}

/**
 * The subscribers of one output. One that throws is reported and harms no other (field case 17); one that comes
 * while others are served is not served with them, since its replay holds the same.
 */
export interface FanOut {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
  /** @param all also those that get no chunks. */
  publish(deliver: (sink: OutputSink) => void, all?: boolean): void;
  /** Also those that got no chunks of the last attempt: of this one they do. */
  restart(): void;
  call(subscription: Subscription, deliver: (sink: OutputSink) => void): void;
  each(visit: (subscription: Subscription) => void): void;
  clear(): void;
}

export function createFanOut(onError: (error: unknown) => void): FanOut {
  const subscriptions = new Set<Subscription>();

  const present = (): Subscription[] => [...subscriptions];

  function call(subscription: Subscription, deliver: (sink: OutputSink) => void): void {
    if (!subscription.active) return;
    try {
      deliver(subscription.sink);
    } catch (error) {
      onError(error);
    }
  }

  return {
    add: (subscription) => void subscriptions.add(subscription),
    remove(subscription) {
      subscription.active = false;
      subscriptions.delete(subscription);
    },
    publish(deliver, all = false) {
      for (const subscription of present()) if (all || !subscription.truncated) call(subscription, deliver);
    },
    restart() {
      for (const subscription of present()) {
        subscription.truncated = false;
        call(subscription, (sink) => sink.restart?.());
      }
    },
    call,
    each: (visit) => present().forEach(visit),
    clear() {
      for (const subscription of subscriptions) subscription.active = false;
      subscriptions.clear();
    },
  };
}
