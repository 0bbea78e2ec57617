/** Streaming calls that one origin runs at once. Browsers allow six HTTP/1.1 connections; two stay free. */
export const MAX_CALLS_PER_ORIGIN = 4;

export interface CallGate {
  /**
   * Waits for a place among the running calls of `origin`; first come, first served.
   * @param onQueued called at once, and only, when there is no free place.
   * @returns gives the place back; safe to call twice.
   * @throws the reason of `signal` when it aborts while waiting.
   */
  enter(origin: string, signal: AbortSignal, onQueued: () => void): Promise<() => void>;
  /** Calls running and waiting for `origin`. */
  load(origin: string): { running: number; waiting: number };
}

interface Lane {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Keeps connections free for cancels. With as many streams open as a browser has connections to an
 * origin, later ones never start and the request that would cancel one never leaves.
 */
export function createCallGate(maxPerOrigin: number = MAX_CALLS_PER_ORIGIN): CallGate {
  const lanes = new Map<string, Lane>();

  function laneOf(origin: string): Lane {
    let lane = lanes.get(origin);
    if (!lane) lanes.set(origin, (lane = { running: 0, waiting: new Set() }));
    return lane;
  }

  function take(origin: string, lane: Lane): () => void {
    lane.running++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      lane.running--;
      const [first] = lane.waiting;
      if (first) first();
      else if (lane.running === 0) lanes.delete(origin);
    };
  }

  return {
    enter(origin, signal, onQueued) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const lane = laneOf(origin);
      if (lane.running < maxPerOrigin) return Promise.resolve(take(origin, lane));
      onQueued();
      return new Promise((resolve, reject) => {
        const leaveQueue = (): void => {
          lane.waiting.delete(start);
          signal.removeEventListener('abort', abort);
        };
        const start = (): void => {
          leaveQueue();
          resolve(take(origin, lane));
        };
        const abort = (): void => {
          leaveQueue();
          reject(signal.reason as Error);
        };
        lane.waiting.add(start);
        signal.addEventListener('abort', abort);
      });
    },
    load(origin) {
      const lane = lanes.get(origin);
      return { running: lane?.running ?? 0, waiting: lane?.waiting.size ?? 0 };
    },
  };
}
