import { CommonSchemas } from '@a2ui/web_core/v0_9';
import { css, html, svg } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { z } from 'zod3';
import { DemoElement, listOf, skeletonStyles } from './base.ts';

const BarChartApi = {
  name: 'BarChart',
  schema: z
    .object({
      description: z.string(),
      slots: z.number(),
      max: CommonSchemas.DynamicNumber,
      bars: CommonSchemas.DynamicValue,
    })
    .strict(),
};

interface Bar {
  label: string;
  value: number;
  text: string;
  previous: number;
}

/** Lying bars with a mark for what came before. */
class DemoBarChart extends DemoElement<typeof BarChartApi> {
  protected override readonly api = BarChartApi;

  static override styles: CSSResult[] = [
    skeletonStyles,
    css`
      ul {
        display: grid;
        gap: 14px;
        margin: 6px 0 0;
        padding: 0;
        list-style: none;
        font-variant-numeric: tabular-nums;
      }
      .head {
        display: flex;
        justify-content: space-between;
        gap: 12px;
        height: 20px;
        font-size: 13px;
        line-height: 20px;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .amount {
        font-weight: 600;
      }
      svg {
        display: block;
        width: 100%;
        height: 16px;
        overflow: visible;
      }
      rect {
        transition:
          width 240ms ease-out,
          x 240ms ease-out;
      }
      .rail {
        fill: var(--surface-inset);
      }
      .bar {
        fill: var(--accent);
      }
      .mark {
        fill: var(--text);
      }
      .skeleton {
        height: 12px;
        margin-top: 4px;
      }
      @media (prefers-reduced-motion: reduce) {
        rect {
          transition: none;
        }
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { slots, max, bars, description } = this.controller.props;
    const list = listOf<Bar>(bars);
    const full = typeof max === 'number' && max > 0 ? max : 1;
    const share = (value: number): number => Math.min(100, Math.max(0, (value / full) * 100));
    return html`<ul aria-label=${description ?? ''}>
      ${Array.from({ length: list.length === 0 ? (slots ?? 0) : list.length }, (_, index) => {
        const bar = list[index];
        return html`<li>
          <div class="head">
            ${
              bar === undefined
                ? html`<i class="skeleton" style="width: 96px"></i
                    ><i class="skeleton" style="width: 52px"></i>`
                : html`<span class="name">${bar.label}</span><span class="amount">${bar.text}</span>`
            }
          </div>
          <svg aria-hidden="true">
            ${svg`<rect class="rail" width="100%" height="8" y="4" rx="4"></rect>
              <rect class="bar" width="${bar === undefined ? 0 : share(bar.value)}%" height="8" y="4" rx="4"></rect>
              ${bar === undefined || bar.previous === 0 ? '' : svg`<rect class="mark" x="${share(bar.previous)}%" width="2" height="16" rx="1"></rect>`}`}
          </svg>
        </li>`;
      })}
    </ul>`;
  }
}

const DataTableApi = {
  name: 'DataTable',
  schema: z
    .object({
      slots: z.number(),
      columns: z.array(
        z
          .object({
            key: z.string(),
            label: z.string(),
            align: z.enum(['start', 'end']).optional(),
            tone: z.boolean().optional(),
          })
          .strict(),
      ),
      rows: CommonSchemas.DynamicValue,
    })
    .strict(),
};

type Cells = Record<string, string | boolean | undefined>;
interface Column {
  key: string;
  label: string;
  align?: string;
  tone?: boolean;
}

/** A table that holds the places of rows still to come, and scrolls by itself where it is too wide. */
class DemoDataTable extends DemoElement<typeof DataTableApi> {
  protected override readonly api = DataTableApi;

  static override styles: CSSResult[] = [
    skeletonStyles,
    css`
      :host {
        display: block;
        overflow-x: auto;
      }
      table {
        width: 100%;
        min-width: 352px;
        /* Columns stay where they are while rows arrive. */
        table-layout: fixed;
        border-collapse: collapse;
        font-size: 13px;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        height: 38px;
        padding: 0 6px;
        border-top: 1px solid var(--line);
        text-align: start;
        white-space: nowrap;
        font-weight: 400;
      }
      th:first-child,
      td:first-child {
        padding-left: 0;
      }
      th:last-child,
      td:last-child {
        padding-right: 0;
      }
      thead th:first-child {
        width: 28%;
      }
      thead th {
        height: 30px;
        border-top: 0;
        color: var(--text-faint);
        font-size: 12px;
      }
      .end {
        text-align: end;
      }
      .total > * {
        font-weight: 650;
      }
      .up {
        color: var(--good);
      }
      .down {
        color: var(--bad);
      }
      .skeleton {
        width: 56px;
        height: 12px;
        vertical-align: middle;
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { slots, columns, rows } = this.controller.props;
    const list = listOf<Cells>(rows);
    const heads = listOf<Column>(columns);
    return html`<table>
      <thead>
        <tr>
          ${heads.map(({ label, align }) => html`<th scope="col" class=${align ?? 'start'}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${Array.from({ length: Math.max(slots ?? 0, list.length) }, (_, index) => this.#row(heads, list[index]))}
      </tbody>
    </table>`;
  }

  #row(heads: readonly Column[], cells: Cells | undefined): TemplateResult {
    if (cells === undefined) {
      return html`<tr aria-hidden="true">
        ${heads.map(({ align }) => html`<td class=${align ?? 'start'}><i class="skeleton"></i></td>`)}
      </tr>`;
    }
    return html`<tr class=${cells['total'] === true ? 'total' : ''}>
      ${heads.map(({ key, align, tone }, index) => {
        const text = String(cells[key] ?? '');
        const direction = text.startsWith('+') ? 'up' : text.startsWith('−') ? 'down' : '';
        return index === 0
          ? html`<th scope="row">${text}</th>`
          : html`<td class="${align ?? 'start'} ${tone === true ? direction : ''}">${text}</td>`;
      })}
    </tr>`;
  }
}

customElements.define('demo-bar-chart', DemoBarChart);
customElements.define('demo-data-table', DemoDataTable);

export const BarChart = { ...BarChartApi, tagName: 'demo-bar-chart' };
export const DataTable = { ...DataTableApi, tagName: 'demo-data-table' };
