import { A2uiSurface } from '@a2ui/lit/v0_9';
import type { A2uiSurfaceModel } from './model.ts';
import { adoptStyles, SURFACE_CSS } from './styles.ts';

/** One `<a2ui-surface>` on the page. */
export interface SurfaceView {
  readonly element: HTMLElement;
  /** Draws a placeholder for what is missing while more may come, nothing afterwards. */
  setBusy(busy: boolean): void;
  /** Draws from the root again. */
  redraw(): void;
}

export function createSurfaceView(surface: A2uiSurfaceModel): SurfaceView {
  const element = new A2uiSurface();
  element.surface = surface;
  // In place of the renderer's "Loading surface..."; an empty surface stays empty in the end.
  const skeleton = element.appendChild(document.createElement('div'));
  skeleton.slot = 'loading';
  skeleton.className = 'mcp-apps-a2ui-skeleton';
  void element.updateComplete.then(() => element.shadowRoot && adoptStyles(element.shadowRoot, SURFACE_CSS));
  return {
    element,
    setBusy(busy) {
      element.toggleAttribute('data-busy', busy);
      skeleton.hidden = !busy;
    },
    redraw: () => element.requestUpdate(),
  };
}
