import { CommonSchemas } from '@a2ui/web_core/v0_9';
import { css, html, svg, unsafeCSS } from 'lit';
import type { CSSResult, SVGTemplateResult, TemplateResult } from 'lit';
import { z } from 'zod3';
import { DemoElement, listOf, skeletonStyles } from './base.ts';
import { axisMoney, niceAxis } from './scale.ts';
import { Tween } from './tween.ts';

const LineChartApi = {
  name: 'LineChart',
  schema: z
    .object({ description: z.string(), slots: z.number(), series: CommonSchemas.DynamicValue })
    .strict(),
};

interface Series {
  name: string;
  values: number[];
}

/* In pixels: the drawing is as wide as its place, so that letters and lines keep their size. */
const START_WIDTH = 480;
const HEIGHT = 206;
const LEFT = 46;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 26;

/**
 * Two lines over the same places: the quarter asked for, filled, and the one before, dashed. Every number
 * that is drawn, the ends of the axis included, moves to its place.
 */
class DemoLineChart extends DemoElement<typeof LineChartApi> {
  protected override readonly api = LineChartApi;
  #tween = new Tween(this);
  #width = START_WIDTH;
  #observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.requestUpdate();
  });
  #sizes: number[] = [];

  static override styles: CSSResult[] = [
    skeletonStyles,
    css`
      :host {
        display: block;
      }
      .legend {
        display: flex;
        gap: 14px;
        height: 20px;
        color: var(--text-soft);
        font-size: 12px;
        line-height: 20px;
      }
      .legend span::before {
        content: '';
        display: inline-block;
        width: 14px;
        margin-right: 6px;
        border-top: 2px solid var(--accent);
        vertical-align: middle;
      }
      .legend span + span::before {
        border-top: 2px dotted var(--text-faint);
      }
      svg {
        display: block;
        width: 100%;
        height: ${unsafeCSS(HEIGHT)}px;
        overflow: visible;
      }
      text {
        fill: var(--text-faint);
        font-size: 12px;
        font-variant-numeric: tabular-nums;
      }
      .grid {
        stroke: var(--line);
        stroke-width: 1;
      }
      .line {
        fill: none;
        stroke-width: 2.25;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      .current {
        stroke: var(--accent);
      }
      .previous {
        stroke: var(--text-faint);
        stroke-width: 1.75;
        stroke-dasharray: 1 5;
      }
      .area {
        fill: url(#fade);
      }
      .dot {
        fill: var(--accent);
        stroke: var(--surface);
        stroke-width: 2.5;
      }
      .skeleton {
        width: 150px;
        height: 12px;
        margin-top: 4px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  override willUpdate(changed: Parameters<DemoElement<typeof LineChartApi>['willUpdate']>[0]): void {
    super.willUpdate(changed);
    const series = this.#series();
    const values = series.flatMap((line) => line.values);
    if (values.length === 0) {
      this.#sizes = [];
      return;
    }
    const axis = niceAxis(values, 3);
    const sizes = series.map((line) => line.values.length);
    // The list is the axis and then the lines, one after the other, each with room for all its places.
    const slots = this.controller.props.slots ?? 0;
    const target = [axis.min, axis.max, ...series.flatMap((line) => pad(line.values, slots))];
    this.#tween.setTarget(target, (index) => target[index] ?? 0);
    this.#sizes = sizes;
  }

  protected override render(): TemplateResult {
    const { description } = this.controller.props;
    const series = this.#series();
    return html`<div class="legend">
        ${series.length === 0 ? html`<i class="skeleton"></i>` : series.map(({ name }) => html`<span>${name}</span>`)}
      </div>
      <svg
        viewBox="0 0 ${this.#width} ${HEIGHT}"
        role="img"
        aria-label=${this.#spoken(description ?? '', series)}
      >
        <defs>
          <linearGradient id="fade" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stop-color="var(--accent)" stop-opacity="0.2"></stop>
            <stop offset="1" stop-color="var(--accent)" stop-opacity="0"></stop>
          </linearGradient>
        </defs>
        ${this.#drawFrame(series)} ${this.#sizes.length === 0 ? '' : this.#drawLines()}
      </svg>`;
  }

  #series(): Series[] {
    return listOf<Partial<Series>>(this.controller.props.series).map((line) => ({
      name: line.name ?? '',
      values: listOf<number>(line.values).filter(Number.isFinite),
    }));
  }

  #spoken(description: string, series: readonly Series[]): string {
    const last = series[0]?.values.at(-1);
    return last === undefined
      ? `${description}: no data yet`
      : `${description}. Latest week ${axisMoney(last)}`;
  }

  #x(place: number): number {
    const slots = this.controller.props.slots ?? 2;
    return LEFT + (place * (this.#width - LEFT - RIGHT)) / Math.max(1, slots - 1);
  }

  #y(value: number): number {
    const [min = 0, max = 1] = this.#tween.values;
    return TOP + (1 - (value - min) / (max - min || 1)) * (HEIGHT - TOP - BOTTOM);
  }

  #drawFrame(series: readonly Series[]): SVGTemplateResult {
    const values = series.flatMap((line) => line.values);
    const ticks = values.length === 0 ? undefined : niceAxis(values, 3).ticks;
    const inner = HEIGHT - TOP - BOTTOM;
    const lines =
      ticks?.map((tick) => ({ y: this.#y(tick), text: axisMoney(tick) })) ??
      [0, 1, 2, 3].map((index) => ({ y: TOP + (inner * index) / 3, text: '' }));
    const slots = this.controller.props.slots ?? 0;
    return svg`${lines.map(
      ({ y, text }) => svg`<line class="grid" x1=${LEFT} x2=${this.#width - RIGHT} y1=${y} y2=${y}></line>
        <text x=${LEFT - 8} y=${y + 4} text-anchor="end">${text}</text>`,
    )}${Array.from({ length: slots }, (_, index) => index)
      .filter((index) => index % 3 === 0)
      .map(
        (index) => svg`<text x=${this.#x(index)} y=${HEIGHT - 6} text-anchor="middle">W${index + 1}</text>`,
      )}`;
  }

  #drawLines(): SVGTemplateResult {
    const slots = this.controller.props.slots ?? 0;
    const shown = this.#tween.values.slice(2);
    const paths = this.#sizes.map((size, line) =>
      shown
        .slice(line * slots, line * slots + size)
        .map(
          (value, place) =>
            `${place === 0 ? 'M' : 'L'}${this.#x(place).toFixed(1)} ${this.#y(value).toFixed(1)}`,
        )
        .join(''),
    );
    const size = this.#sizes[0] ?? 0;
    const last = shown[size - 1];
    const floor = HEIGHT - BOTTOM;
    return svg`
      <path class="line previous" d=${paths[1] ?? ''}></path>
      <path class="area" d=${size > 1 ? `${paths[0]}L${this.#x(size - 1)} ${floor}L${this.#x(0)} ${floor}Z` : ''}></path>
      <path class="line current" d=${paths[0] ?? ''}></path>
      ${last === undefined ? '' : svg`<circle class="dot" r="5" cx=${this.#x(size - 1)} cy=${this.#y(last)}></circle>`}`;
  }
}

/** A place without a value yet repeats the last one, so that the line grows out of its end. */
function pad(values: readonly number[], slots: number): number[] {
  const last = values.at(-1) ?? 0;
  return Array.from({ length: Math.max(slots, values.length) }, (_, index) => values[index] ?? last);
}

customElements.define('demo-line-chart', DemoLineChart);
export const LineChart = { ...LineChartApi, tagName: 'demo-line-chart' };
