import type { PartialResultToken } from '@mcp-apps-bridge/partial-results';
import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { AckParams, RuntimeCounters } from './types.ts';

const SENT = ['applied', 'skipped', 'rejected', 'duplicates', 'late', 'gaps'] as const;

export interface Acknowledger {
  /** Numbers were settled: say so with the next task, so that a burst makes one ack. */
  mark(): void;
  /** Say so now: the host asked. */
  now(): void;
  close(): void;
}

/**
 * Tells a negotiated host what the model has taken (D5). Cumulative, so a lost ack costs nothing
 * but time; never tied to painting, so a hidden view keeps the stream going.
 */
export function createAcknowledger(options: {
  read(): { token: PartialResultToken | undefined; epoch: number; seq: number; counters: RuntimeCounters };
  send(params: AckParams): void;
  scheduler: Scheduler;
}): Acknowledger {
  const { read, send, scheduler } = options;
  let cancel: Cancel | undefined;
  let closed = false;

  function acknowledge(): void {
    cancel?.();
    cancel = undefined;
    const { token, epoch, seq, counters } = read();
    if (closed || token === undefined) return;
    try {
      send({
        partialResultToken: token,
        epoch,
        seq,
        counters: Object.fromEntries(SENT.map((name) => [name, counters[name]])) as AckParams['counters'],
      });
    } catch {
      // The host probes for an ack it misses; the view must not stop over one.
    }
  }

  return {
    mark() {
      if (!closed) cancel ??= scheduler.macrotask(acknowledge);
    },
    now: acknowledge,
    close() {
      closed = true;
      cancel?.();
    },
  };
}
