import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';

/** Bounds for the height a view may ask for, in CSS pixels. */
export interface SizeLimits {
  /** Default 0. */
  minHeight: number;
  /** Default 4000. */
  maxHeight: number;
}

/** What became of a report that was not simply applied. */
export interface SizeEvent {
  type: 'size_refused' | 'size_loop';
  height: unknown;
}

/** Follows the view's size reports (H15). */
export interface Sizer {
  /** `height` of a `size-changed` notification, whatever it is. */
  report(height: unknown): void;
  /** The last height applied, if any. */
  readonly height: number | undefined;
  close(): void;
}

/** Options of {@link createSizer}. */
export interface SizerOptions {
  apply(height: number): void;
  scheduler: Scheduler;
  limits: SizeLimits;
  onEvent(event: SizeEvent): void;
}

/* Four a second: each one moves everything below the view (field case 73). */
const intervalMs = 250;
/* Content that grows by itself reports again within this; a loop waits for the frame to change. */
const quietMs = 500;
/* A report this long after the frame last changed is no answer to that change. */
const answerMs = 1000;
/* Content that goes to and fro faster than it takes for an answer shows it in the second hold at the latest. */
const holdsMs: readonly number[] = [quietMs, answerMs];
/* Equal steps, or swings between two heights, that pass before they are doubted. */
const trustedSteps = 2;

/**
 * Applies height reports: finite, rounded up, clamped, at most four a second, echoes ignored.
 *
 * A view whose size depends on its frame answers every resize with one more report, and the two chase each
 * other (field case 71). Such a chase takes equal steps at once and stops when the frame stops. So a third equal
 * step in a row is held: content that grows by itself reports something else meanwhile and goes on; silence means
 * that only the frame may drive it, which one probe decides; a chase is refused from then on. A third swing between
 * two heights is held the same way and then tried, twice: content that went to and fro by itself stays where it is,
 * a chase swings each time.
 */
export function createSizer({ apply, scheduler, limits, onEvent }: SizerOptions): Sizer {
  let height: number | undefined;
  let before: number | undefined;
  let wanted: number | undefined;
  let step = 0;
  let streak = 0;
  let swings = 0;
  let tried = false;
  let trials = 0;
  let refused: number | undefined;
  let lastApplied = Number.NEGATIVE_INFINITY;
  let reported: number | undefined;
  let lastReported = Number.NEGATIVE_INFINITY;
  let cancel: Cancel | undefined;
  let closed = false;

  function later(ms: number, run: () => void): void {
    cancel?.();
    cancel = scheduler.delay(ms, () => {
      cancel = undefined;
      if (!closed) run();
    });
  }

  function set(next: number): void {
    before = height;
    height = next;
    wanted = undefined;
    lastApplied = scheduler.now();
    apply(next);
  }

  function consider(): void {
    const next = wanted;
    if (next === undefined || next === height) {
      wanted = undefined;
      return;
    }
    if (height === undefined) return set(next);
    swings = next === before ? swings + 1 : 0;
    if (swings === 0) trials = 0;
    const delta = next - height;
    streak = delta === step ? streak + 1 : 1;
    if (delta !== step) {
      tried = false;
      refused = undefined;
    }
    step = delta;
    if (swings > trustedSteps) {
      const holdMs = holdsMs[trials];
      return holdMs === undefined ? settle(Math.max(next, height), next) : later(holdMs, () => swing(next));
    }
    if (tried) return settle(height, next);
    if (streak <= trustedSteps) return set(next);
    later(quietMs, () => probe(next));
  }

  /** One pixel more than asked for: a chase follows the frame and asks for a pixel more as well. */
  function probe(next: number): void {
    tried = true;
    set(Math.min(Math.max(next + Math.sign(step), limits.minHeight), limits.maxHeight));
    later(intervalMs, () => set(next));
  }

  function swing(next: number): void {
    trials++;
    set(next);
  }

  /** A report that follows another one, while the frame stood still and not in the same breath, is no answer to it. */
  function movesByItself(next: number, now: number): boolean {
    return next !== reported && lastApplied < lastReported && now - lastReported >= intervalMs;
  }

  function forget(): void {
    step = 0;
    streak = 0;
    swings = 0;
    tried = false;
    trials = 0;
    refused = undefined;
  }

  /** Ends a chase at `final`; the report that feeds it is not believed again. */
  function settle(final: number, fed: number): void {
    wanted = undefined;
    refused = fed - final;
    onEvent({ type: 'size_loop', height: fed });
    if (final !== height) set(final);
  }

  return {
    report(value) {
      if (closed || value === undefined) return;
      if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
        onEvent({ type: 'size_refused', height: value });
        return;
      }
      const next = Math.min(Math.max(Math.ceil(value), limits.minHeight), limits.maxHeight);
      const now = scheduler.now();
      if (now - lastApplied > answerMs || movesByItself(next, now)) forget();
      reported = next;
      lastReported = now;
      if (refused !== undefined && height !== undefined && next - height === refused) return;
      wanted = next;
      cancel?.();
      cancel = undefined;
      const wait = lastApplied + intervalMs - now;
      if (wait <= 0) consider();
      else later(wait, consider);
    },
    get height() {
      return height;
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
