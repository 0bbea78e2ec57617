import { TOOL_OUTPUT_ACK_METHOD } from '@mcp-apps-bridge/partial-results';
import { estimateSize, type Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { resolveLimits } from '../limits.ts';
import type { RpcMessage } from './frame-channel.ts';

/** Bounds of what one view may send (H23). */
export interface TrafficLimits {
  /** Messages a second, over time. An ack of the stream counts a twentieth. Default 500. */
  messagesPerSecond: number;
  /** Messages that may come at once after a quiet while. Default 1,000. */
  burst: number;
  /** Estimated bytes of one message, two per character. Default 16 MiB. */
  maxMessageBytes: number;
  /** Requests of the view that may be unanswered at a time. Default 16. */
  maxOpenRequests: number;
}

export const TRAFFIC_LIMITS: Readonly<TrafficLimits> = {
  messagesPerSecond: 500,
  burst: 1_000,
  maxMessageBytes: 16 * 1_024 * 1_024,
  maxOpenRequests: 16,
};

/** What of a view's traffic was not let through. */
export type TrafficEvent =
  /** More messages than the limit: `dropped` of them since the last report, at most one report a second. */
  | { type: 'message_flood'; dropped: number }
  /** A message over the size limit was dropped. */
  | { type: 'message_too_large'; method: string }
  /** A request over the limit of open ones was answered with an error. */
  | { type: 'too_many_requests'; method: string };

export interface ViewTraffic {
  /** Whether a message of the view goes on. */
  admit(message: RpcMessage): boolean;
  /** A message to the view: an answer makes room for another request. */
  sent(message: RpcMessage): void;
  close(): void;
}

export interface ViewTrafficOptions {
  scheduler: Scheduler;
  limits?: Partial<TrafficLimits> | undefined;
  /** Answers a request that does not go on. */
  refuse(message: RpcMessage): void;
  onEvent(event: TrafficEvent): void;
}

const ACK_COST = 1 / 20;
const CANCELLED_METHOD = 'notifications/cancelled';
const REPORT_MS = 1_000;
/** Of a server that has too much to do; implementation-defined in JSON-RPC. */
const SERVER_BUSY = -32_000;

/**
 * Keeps one app from taking the host page for itself: a page that answers a flood is as dead as one that crashed.
 * A message costs the browser before it gets here; what can be spared is all that follows.
 */
export function createViewTraffic(options: ViewTrafficOptions): ViewTraffic {
  const { scheduler, onEvent } = options;
  const limits = resolveLimits('traffic', TRAFFIC_LIMITS, options.limits);
  const open = new Set<unknown>();
  let credit = limits.burst;
  let filledAt = scheduler.now();
  let dropped = 0;
  let cancelReport: (() => void) | undefined;

  function spend(cost: number): boolean {
    const now = scheduler.now();
    credit = Math.min(limits.burst, credit + ((now - filledAt) / 1_000) * limits.messagesPerSecond);
    filledAt = now;
    if (credit < cost) return false;
    credit -= cost;
    return true;
  }

  function drop(): false {
    dropped++;
    cancelReport ??= scheduler.delay(REPORT_MS, () => {
      cancelReport = undefined;
      onEvent({ type: 'message_flood', dropped });
      dropped = 0;
    });
    return false;
  }

  return {
    admit(message) {
      const { method, id, params } = message;
      if (!spend(method === TOOL_OUTPUT_ACK_METHOD ? ACK_COST : 1)) return drop();
      if (estimateSize(message, limits.maxMessageBytes) > limits.maxMessageBytes) {
        onEvent({ type: 'message_too_large', method: nameOf(method) });
        return false;
      }
      if (method === CANCELLED_METHOD)
        open.delete((params as { requestId?: unknown } | undefined)?.requestId);
      if (typeof method !== 'string' || id === undefined) return true;
      if (open.size >= limits.maxOpenRequests) {
        onEvent({ type: 'too_many_requests', method: nameOf(method) });
        options.refuse({
          jsonrpc: '2.0',
          id,
          error: { code: SERVER_BUSY, message: 'Too many requests at once; wait for an answer first.' },
        });
        return false;
      }
      open.add(id);
      return true;
    },
    sent({ method, id }) {
      if (method === undefined) open.delete(id);
    },
    close: () => cancelReport?.(),
  };
}

function nameOf(method: unknown): string {
  return String(method).slice(0, 100);
}
