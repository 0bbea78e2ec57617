import type { ReactiveController, ReactiveControllerHost } from 'lit';

const DURATION_MS = 260;

/**
 * Moves a list of numbers towards a target, so that a chart grows instead of jumping. A new position starts
 * at the value `from` gives it. Where nothing is painted, in a hidden frame or with reduced motion, the
 * target is taken at once: the end never depends on an animation.
 */
export class Tween implements ReactiveController {
  #host: ReactiveControllerHost;
  #start: number[] = [];
  #target: number[] = [];
  #shown: number[] = [];
  #startedAt = 0;
  #frame = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The values to draw now. */
  get values(): readonly number[] {
    return this.#shown;
  }

  /** To be called from `willUpdate`; a target equal to the last one changes nothing. */
  setTarget(target: readonly number[], from: (index: number, shown: readonly number[]) => number): void {
    if (
      target.length === this.#target.length &&
      target.every((value, index) => value === this.#target[index])
    )
      return;
    const shown = this.#shown;
    this.#start = target.map((_value, index) => shown[index] ?? from(index, shown));
    this.#target = [...target];
    if (document.visibilityState === 'hidden' || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#shown = [...target];
      return;
    }
    this.#shown = [...this.#start];
    this.#startedAt = performance.now();
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#step);
  }

  hostDisconnected(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#shown = [...this.#target];
  }

  #step = (now: number): void => {
    const passed = Math.min(1, Math.max(0, (now - this.#startedAt) / DURATION_MS));
    const eased = 1 - (1 - passed) ** 3;
    this.#shown =
      passed === 1
        ? [...this.#target]
        : this.#target.map((value, index) => {
            const start = this.#start[index] ?? value;
            return start + (value - start) * eased;
          });
    this.#frame = passed === 1 ? 0 : requestAnimationFrame(this.#step);
    this.#host.requestUpdate();
  };
}
