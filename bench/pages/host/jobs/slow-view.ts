import { COALESCE_LIMITS, PACE_LIMITS } from '@mcp-apps-bridge/host-bridge';
import type { Timeline } from '../../shared/protocol.ts';
import { createWallClock, stamped } from '../../shared/stamp.ts';
import { turn } from '../../shared/protocol.ts';
import { place } from '../link.ts';
import { openOurs } from '../rivals/ours.ts';

interface Trial {
  perSecond: number;
  seconds: number;
  chars: number;
  applyMs: number;
}

export interface SlowView {
  delivered: number[];
  peaks: { queued: number; inFlight: number };
  caps: { queued: number; inFlight: number };
  heapMb: { before: number; peak: number };
  forwarded: number;
  events: number;
}

const heap = (): number =>
  ((performance as Performance & { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0) / 1e6;

/** A view that is slower than its stream, with the limits as shipped: how late it gets, and what waits meanwhile. */
export async function slowView(trial: Trial): Promise<SlowView> {
  const container = place();
  const config = { paint: true, applyMs: trial.applyMs };
  const link = await openOurs({ frames: 'double', config, container, coalesced: true, limits: {} });
  const wall = createWallClock();
  const total = Math.round(trial.perSecond * trial.seconds);
  const peaks = { queued: 0, inFlight: 0 };
  (globalThis as { gc?: () => void }).gc?.();
  const heapMb = { before: heap(), peak: 0 };
  const start = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, sent + 500, ((performance.now() - start) * trial.perSecond) / 1_000);
    for (; sent < due; sent++) link.send(stamped(wall(), trial.chars));
    const { queued, inFlight } = link.feed()!.counters;
    peaks.queued = Math.max(peaks.queued, queued);
    peaks.inFlight = Math.max(peaks.inFlight, inFlight);
    heapMb.peak = Math.max(heapMb.peak, heap());
    await turn();
  }
  while (link.feed()!.counters.queued > 0 || link.feed()!.counters.inFlight > 0) await turn();
  const { delivered } = await link.ask<Timeline>('timeline');
  const { forwarded } = link.feed()!.counters;
  await link.close();
  const caps = { queued: COALESCE_LIMITS.maxItems, inFlight: PACE_LIMITS.maxFrames };
  return { delivered, peaks, caps, heapMb, forwarded, events: total };
}
