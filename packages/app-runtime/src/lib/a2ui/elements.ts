import { ComponentContext, GenericBinder, IconApi } from '@a2ui/web_core/v0_9';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { ICON_TAG, PLACEHOLDER_TAG } from './catalog.ts';
import { ICON_PATHS } from './icon-paths.ts';

/* The two components drawn here rather than by the renderer. Plain custom elements: no build of Lit. */

const SVG = 'http://www.w3.org/2000/svg';
/** A ring: says that something belongs here, in place of a name in letters. */
const UNKNOWN_ICON = 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 2a6 6 0 1 1 0 12 6 6 0 0 1 0-12z';

/** Registers the elements once; later calls do nothing. */
export function defineElements(): void {
  if (!customElements.get(ICON_TAG)) customElements.define(ICON_TAG, createIconElement());
  if (!customElements.get(PLACEHOLDER_TAG))
    customElements.define(PLACEHOLDER_TAG, createPlaceholderElement());
}

/*
 * Classes are made on demand: `HTMLElement` does not exist where this module is only imported, on a
 * server or in a unit test.
 */

/** Icons as shapes, so that none shows its name while, or because, a font is not there. */
function createIconElement(): CustomElementConstructor {
  return class extends HTMLElement {
    private binder: GenericBinder<unknown> | undefined;
    private subscription: { unsubscribe(): void } | undefined;

    set context(context: ComponentContext) {
      this.release();
      this.binder = new GenericBinder(context, IconApi.schema);
      if (this.isConnected) this.bind();
      this.draw();
    }

    connectedCallback(): void {
      this.bind();
      this.draw();
    }

    disconnectedCallback(): void {
      this.release();
    }

    private bind(): void {
      this.subscription ??= this.binder?.subscribe(() => this.draw());
    }

    private release(): void {
      this.subscription?.unsubscribe();
      this.subscription = undefined;
    }

    private draw(): void {
      const { name, accessibility, weight } = (this.binder?.snapshot ?? {}) as Record<string, unknown>;
      const svg = document.createElementNS(SVG, 'svg');
      svg.setAttribute('viewBox', '0 0 24 24');
      const path = svg.appendChild(document.createElementNS(SVG, 'path'));
      path.setAttribute('d', shapeOf(name));
      const label = isPlainObject(accessibility) ? accessibility['label'] : undefined;
      if (typeof label === 'string' && label !== '') {
        svg.setAttribute('role', 'img');
        svg.setAttribute('aria-label', label);
      } else svg.setAttribute('aria-hidden', 'true');
      this.style.flex = typeof weight === 'number' ? String(weight) : '';
      this.replaceChildren(svg);
    }
  };
}

function shapeOf(name: unknown): string {
  if (isPlainObject(name) && typeof name['svgPath'] === 'string') return name['svgPath'];
  return typeof name === 'string' && Object.hasOwn(ICON_PATHS, name) ? ICON_PATHS[name]! : UNKNOWN_ICON;
}

/**
 * Stands for a component that is not there yet, or that the catalog does not know. Of an unknown one
 * the children are drawn: a newer layout still shows what is in it (field cases 74, 79).
 */
function createPlaceholderElement(): CustomElementConstructor {
  return class extends HTMLElement {
    private current: ComponentContext | undefined;
    private subscriptions: Array<{ unsubscribe(): void }> = [];

    set context(context: ComponentContext) {
      this.release();
      this.current = context;
      if (this.isConnected) this.connectedCallback();
    }

    connectedCallback(): void {
      const { current } = this;
      if (!current) return;
      this.release();
      this.subscriptions = [
        current.componentModel.onUpdated.subscribe(() => this.draw()),
        current.surfaceComponents.onCreated.subscribe(() => this.draw()),
      ];
      this.draw();
    }

    disconnectedCallback(): void {
      this.release();
    }

    private release(): void {
      for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe();
    }

    private draw(): void {
      const { current } = this;
      if (!current) return;
      const { child, children } = current.componentModel.properties;
      const ids: unknown[] = Array.isArray(children) ? children : [child];
      const drawn = ids.flatMap((id) => (typeof id === 'string' ? createChild(current, id) : []));
      this.toggleAttribute('data-empty', drawn.length === 0);
      this.replaceChildren(...drawn);
    }
  };
}

function createChild({ dataContext, surfaceComponents }: ComponentContext, id: string): HTMLElement[] {
  const { surface, path } = dataContext;
  const model = surfaceComponents.get(id);
  const implementation = model && surface.catalog.components.get(model.type);
  if (!implementation || !('tagName' in implementation)) return [];
  const element = document.createElement(String(implementation.tagName));
  return [Object.assign(element, { context: new ComponentContext(surface, id, path) })];
}
