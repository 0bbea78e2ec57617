import { A2uiLitElement } from '@a2ui/lit/v0_9';
import type { ComponentApi } from '@a2ui/web_core/v0_9';
import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Our components keep their styles in a shadow root of their own; tokens reach them as custom properties. */
export abstract class DemoElement<Api extends ComponentApi> extends A2uiLitElement<Api> {
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    return super.createRenderRoot();
  }
}

/** A place held for a value that is still to come. */
export const skeletonStyles: CSSResult = css`
  .skeleton {
    display: inline-block;
    border-radius: 5px;
    background: linear-gradient(
      100deg,
      var(--surface-inset) 40%,
      var(--surface-soft) 50%,
      var(--surface-inset) 60%
    );
    background-size: 220% 100%;
    animation: shimmer 1.4s linear infinite;
  }
  @keyframes shimmer {
    from {
      background-position: 120% 0;
    }
    to {
      background-position: -100% 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton {
      animation: none;
    }
  }
`;

/** What arrives in a bound property is whatever the stream carried; only a list is a list. */
export function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
