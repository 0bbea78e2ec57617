import { CommonSchemas } from '@a2ui/web_core/v0_9';
import { css, html, nothing } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { z } from 'zod3';
import { DemoElement } from './base.ts';

const GridApi = {
  name: 'Grid',
  schema: z
    .object({ children: CommonSchemas.ChildList, variant: z.enum(['kpis', 'split', 'toolbar']) })
    .strict(),
};

/** Children side by side as far as the width goes. */
class DemoGrid extends DemoElement<typeof GridApi> {
  protected override readonly api = GridApi;

  static override styles: CSSResult = css`
    :host {
      display: block;
      container-type: inline-size;
    }
    .grid {
      display: grid;
      gap: 12px;
      grid-template-columns: minmax(0, 1fr);
    }
    .grid.toolbar {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
    }
    .grid > * {
      display: block;
      min-width: 0;
    }
    .a2ui-card {
      box-sizing: border-box;
      height: 100%;
    }
    /* A card's heading: title and caption stand close together. */
    .a2ui-card > a2ui-basic-column > a2ui-basic-column:first-child {
      --a2ui-column-gap: 1px;
    }
    .caption em {
      font-style: normal;
      line-height: 18px;
    }
    @container (min-width: 340px) {
      .kpis {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }
    }
    @container (min-width: 620px) {
      .kpis {
        grid-template-columns: repeat(4, minmax(0, 1fr));
      }
      .split {
        grid-template-columns: minmax(0, 1.62fr) minmax(0, 1fr);
      }
    }
  `;

  protected override render(): TemplateResult | typeof nothing {
    const props = this.controller.props;
    if (!Array.isArray(props.children)) return nothing;
    return html`<div class="grid ${props.variant ?? 'split'}">
      ${props.children.map((child) => this.renderNode(child))}
    </div>`;
  }
}

const MeterApi = {
  name: 'Meter',
  schema: z
    .object({
      done: CommonSchemas.DynamicNumber,
      total: CommonSchemas.DynamicNumber,
      label: CommonSchemas.DynamicString,
    })
    .strict(),
};

/** How much of the source has been read: a hairline that fills, and a line of words. */
class DemoMeter extends DemoElement<typeof MeterApi> {
  protected override readonly api = MeterApi;

  static override styles: CSSResult = css`
    :host {
      display: block;
      font-size: 12.5px;
      line-height: 18px;
      color: var(--text-soft);
      font-variant-numeric: tabular-nums;
    }
    .track {
      height: 3px;
      margin-top: 8px;
      border-radius: 2px;
      background: var(--surface-inset);
      overflow: hidden;
    }
    .fill {
      height: 100%;
      border-radius: 2px;
      background: var(--accent);
      transform-origin: left;
      transition:
        transform 240ms ease-out,
        opacity 400ms ease 200ms;
    }
  `;

  protected override render(): TemplateResult {
    const { done, total, label } = this.controller.props;
    const share = typeof done === 'number' && typeof total === 'number' && total > 0 ? done / total : 0;
    return html`<div>${label ?? 'Preparing'}</div>
      <div
        class="track"
        role="progressbar"
        aria-label="Rows read"
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.round(share * 100)}
      >
        <div class="fill" style="transform: scaleX(${share}); opacity: ${share === 1 ? 0 : 1}"></div>
      </div>`;
  }
}

customElements.define('demo-grid', DemoGrid);
customElements.define('demo-meter', DemoMeter);

export const Grid = { ...GridApi, tagName: 'demo-grid' };
export const Meter = { ...MeterApi, tagName: 'demo-meter' };
