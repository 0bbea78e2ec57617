import type { A2uiFlowItem } from './consumer.ts';
import type { A2uiModel, A2uiSurfaceModel } from './model.ts';
import { createSurfaceView, type SurfaceView } from './surface-view.ts';

type Shown =
  | { kind: 'text'; element: HTMLElement }
  | {
      kind: 'surface';
      surfaceId: string;
      surface: A2uiSurfaceModel;
      element: HTMLElement;
      view: SurfaceView;
    };

/** Texts and surfaces on the page, in order; elements are kept from one rendering to the next. */
export interface FlowView {
  render(flow: readonly A2uiFlowItem[], model: A2uiModel, busy: boolean): void;
  /** Draws a surface from its root again. */
  redraw(surfaceId: string): void;
  /** Shown, but out of reach: what is there is not the whole. */
  setInert(inert: boolean): void;
}

/** @param box gets the elements as its first children; what it has already stays behind them. */
export function createFlowView(box: HTMLElement): FlowView {
  let shown: Shown[] = [];

  function surfaceItem(surfaceId: string, surface: A2uiSurfaceModel): Shown {
    // The same id with another model: created again after a delete, or the result's.
    const old = shown.find((item) => item.kind === 'surface' && item.surface === surface);
    if (old) return old;
    const view = createSurfaceView(surface);
    return { kind: 'surface', surfaceId, surface, element: view.element, view };
  }

  return {
    render(flow, model, busy) {
      const texts = shown.filter((item) => item.kind === 'text');
      const next: Shown[] = [];
      for (const item of flow) {
        if (item.kind === 'text') {
          const text = texts.shift() ?? { kind: 'text', element: createText() };
          if (text.element.textContent !== item.text) text.element.textContent = item.text;
          next.push(text);
        } else {
          const surface = model.surfaces.get(item.surfaceId);
          if (surface) next.push(surfaceItem(item.surfaceId, surface));
        }
      }
      for (const old of shown) if (!next.includes(old)) old.element.remove();
      let place: ChildNode | null = box.firstChild;
      for (const item of next) {
        if (item.kind === 'surface') item.view.setBusy(busy);
        // Moving an element that is in its place already would cost it focus and scroll.
        if (place === item.element) place = place.nextSibling;
        else box.insertBefore(item.element, place);
      }
      shown = next;
    },
    redraw(surfaceId) {
      for (const item of shown)
        if (item.kind === 'surface' && item.surfaceId === surfaceId) item.view.redraw();
    },
    setInert(inert) {
      for (const item of shown) if (item.kind === 'surface') item.element.inert = inert;
    },
  };
}

function createText(): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = 'mcp-apps-a2ui-text';
  return paragraph;
}
