import { CommonSchemas } from '@a2ui/web_core/v0_9';
import { css, html } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { z } from 'zod3';
import { DemoElement, listOf } from './base.ts';

const SegmentedApi = {
  name: 'Segmented',
  schema: z
    .object({
      label: z.string(),
      options: z.array(z.object({ value: z.string(), label: z.string() }).strict()),
      value: CommonSchemas.DynamicString,
      disabled: CommonSchemas.DynamicBoolean.optional(),
      action: CommonSchemas.Action,
    })
    .strict(),
};

/**
 * One choice out of a few. Choosing writes the value to the data model and raises the action, whose
 * context is read from there.
 */
class DemoSegmented extends DemoElement<typeof SegmentedApi> {
  protected override readonly api = SegmentedApi;

  static override styles: CSSResult = css`
    :host {
      display: block;
      min-width: 0;
    }
    div {
      display: inline-flex;
      flex-wrap: wrap;
      gap: 2px;
      padding: 3px;
      border-radius: 9px;
      background: var(--surface-inset);
    }
    button {
      min-height: 28px;
      padding: 0 10px;
      border: 0;
      border-radius: 7px;
      background: transparent;
      color: var(--text-soft);
      font: 500 12.5px/1 var(--sans);
      cursor: pointer;
      transition:
        background 140ms,
        color 140ms;
    }
    button:hover:not(:disabled) {
      color: var(--text);
    }
    button[aria-pressed='true'] {
      background: var(--surface);
      color: var(--text);
      box-shadow: 0 1px 2px rgb(0 0 0 / 14%);
    }
    button:disabled {
      cursor: default;
    }
    button:disabled:not([aria-pressed='true']) {
      opacity: 0.62;
    }
    button:focus-visible {
      outline: 2px solid var(--ring);
      outline-offset: 1px;
    }
  `;

  protected override render(): TemplateResult {
    const props = this.controller.props;
    const options = listOf<{ value: string; label: string }>(props.options);
    // Nothing can be chosen before the stream has said what is shown and that it is done.
    const disabled = props.disabled !== false;
    return html`<div role="group" aria-label=${props.label ?? ''}>
      ${options.map(
        ({ value, label }) =>
          html`<button
            type="button"
            aria-pressed=${value === props.value ? 'true' : 'false'}
            ?disabled=${disabled}
            @click=${() => this.#choose(value)}
          >
            ${label}
          </button>`,
      )}
    </div>`;
  }

  #choose(value: string): void {
    const props = this.controller.props;
    if (value === props.value) return;
    props.setValue?.(value);
    (props.action as (() => void) | undefined)?.();
  }
}

customElements.define('demo-segmented', DemoSegmented);
export const Segmented = { ...SegmentedApi, tagName: 'demo-segmented' };
