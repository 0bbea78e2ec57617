import { CommonSchemas } from '@a2ui/web_core/v0_9';
import { css, html } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { z } from 'zod3';
import { DemoElement, listOf, skeletonStyles } from './base.ts';

const KpiApi = {
  name: 'Kpi',
  schema: z
    .object({
      label: z.string(),
      value: CommonSchemas.DynamicString,
      change: CommonSchemas.DynamicString,
      trend: CommonSchemas.DynamicString,
      note: CommonSchemas.DynamicString,
    })
    .strict(),
};

const ARROWS: Record<string, string> = {
  up: 'M6 9.5V2.5M2.8 5.5 6 2.3l3.2 3.2',
  down: 'M6 2.5v7M2.8 6.5 6 9.7l3.2-3.2',
  flat: 'M2.5 6h7',
};

/** One figure, how it moved, and against what. */
class DemoKpi extends DemoElement<typeof KpiApi> {
  protected override readonly api = KpiApi;

  static override styles: CSSResult[] = [
    skeletonStyles,
    css`
      :host {
        display: block;
        font-variant-numeric: tabular-nums;
      }
      .label {
        color: var(--text-soft);
        font-size: 12.5px;
        line-height: 18px;
      }
      .value {
        margin: 2px 0 6px;
        height: 34px;
        font-size: 25px;
        font-weight: 650;
        line-height: 34px;
        letter-spacing: -0.02em;
        white-space: nowrap;
      }
      .change {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 8px;
        min-height: 22px;
        color: var(--text-faint);
        font-size: 12px;
        line-height: 20px;
      }
      .pill {
        display: inline-flex;
        align-items: center;
        gap: 3px;
        padding: 0 7px 0 5px;
        border-radius: 6px;
        background: var(--surface-inset);
        color: var(--text-soft);
        font-weight: 600;
        white-space: nowrap;
      }
      .up {
        background: var(--good-soft);
        color: var(--good);
      }
      .down {
        background: var(--bad-soft);
        color: var(--bad);
      }
      svg {
        width: 11px;
        height: 11px;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.7;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { label, value, change, trend, note } = this.controller.props;
    const known = typeof value === 'string';
    return html`<div class="label">${label}</div>
      <div class="value">
        ${known ? value : html`<span class="skeleton" style="width: 104px; height: 24px; margin-top: 5px"></span>`}
      </div>
      <div class="change">
        ${
          known
            ? html`<span class="pill ${trend ?? 'flat'}">
                  <svg viewBox="0 0 12 12" aria-hidden="true">
                    <path d=${ARROWS[trend ?? 'flat'] ?? ''}></path>
                  </svg>
                  ${change}</span
                ><span>${note}</span>`
            : html`<span class="skeleton" style="width: 72px; height: 14px"></span>`
        }
      </div>`;
  }
}

const InsightsApi = {
  name: 'Insights',
  schema: z.object({ slots: z.number(), items: CommonSchemas.DynamicValue }).strict(),
};

/** Sentences with a mark for their tone. Holds their places from the start. */
class DemoInsights extends DemoElement<typeof InsightsApi> {
  protected override readonly api = InsightsApi;

  static override styles: CSSResult[] = [
    skeletonStyles,
    css`
      ul {
        display: grid;
        gap: 14px;
        margin: 2px 0 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 8px minmax(0, 1fr);
        gap: 10px;
        min-height: 40px;
        font-size: 13.5px;
        line-height: 20px;
      }
      .mark {
        width: 8px;
        height: 8px;
        margin-top: 6px;
        border-radius: 50%;
        background: var(--text-faint);
      }
      .good {
        background: var(--good);
      }
      .bad {
        background: var(--bad);
      }
      .pending {
        background: var(--surface-inset);
      }
      .skeleton {
        width: 92%;
        height: 12px;
      }
      .skeleton + .skeleton {
        width: 64%;
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { slots, items } = this.controller.props;
    const insights = listOf<{ tone?: string; text?: string }>(items);
    const count = Math.max(slots ?? 0, insights.length);
    return html`<ul>
      ${Array.from({ length: count }, (_, index) => {
        const insight = insights[index];
        return insight === undefined
          ? html`<li aria-hidden="true">
              <span class="mark pending"></span
              ><span><span class="skeleton"></span><span class="skeleton"></span></span>
            </li>`
          : html`<li><span class="mark ${insight.tone ?? ''}"></span><span>${insight.text}</span></li>`;
      })}
    </ul>`;
  }
}

customElements.define('demo-kpi', DemoKpi);
customElements.define('demo-insights', DemoInsights);

export const Kpi = { ...KpiApi, tagName: 'demo-kpi' };
export const Insights = { ...InsightsApi, tagName: 'demo-insights' };
