import type { DataModel } from '@a2ui/web_core/v0_9';
import { PLACEHOLDER, type GateCatalog } from './check-component.ts';
import { childRefs, findCycles, reachable, type ChildRefs } from './graph.ts';
import { measure, type Sizes } from './measure.ts';
import type { A2uiLimits, A2uiProblemCode, Component } from './types.ts';

/** A surface as the messages describe it: what the renderer was given, without what a user typed. */
export interface Mirror {
  catalog: GateCatalog;
  theme: Record<string, unknown>;
  sendDataModel: boolean;
  components: Map<string, Component>;
  data: DataModel;
  /** Ids that are referred to but not there yet; a neutral placeholder is drawn for each. */
  missing: Set<string>;
}

export const NO_CHANGES: ReadonlyMap<string, Component> = new Map();

function childIds(surface: Mirror, component: Component): string[] {
  const { fixed, templates } = childRefs(component, surface.catalog);
  return templates.length === 0 ? fixed : [...fixed, ...templates.map((list) => list.componentId)];
}

export function hasChildren(surface: Mirror, component: Component | undefined): boolean {
  return component !== undefined && childIds(surface, component).length > 0;
}

/** Ids that `accepted` refers to and nothing stands for yet. */
export function newlyMissing(surface: Mirror, accepted: Map<string, Component>): Set<string> {
  const ids = [...accepted.values()].flatMap((component) => childIds(surface, component));
  return new Set(ids.filter((id) => !surface.components.has(id) && !surface.missing.has(id)));
}

/**
 * Takes out of `accepted` what would close a cycle over the merged components (field case 49).
 * @returns the ids taken out.
 */
export function dropCycles(surface: Mirror, accepted: Map<string, Component>): string[] {
  const dropped: string[] = [];
  const childrenOf = (id: string): string[] => {
    const component = accepted.get(id) ?? surface.components.get(id);
    return component ? childIds(surface, component) : [];
  };
  // Taking a component back brings its older version back, which may close another cycle.
  for (;;) {
    const cyclic = findCycles(reachable(accepted.keys(), childrenOf), childrenOf);
    const guilty = [...accepted.keys()].filter((id) => cyclic.has(id));
    for (const id of guilty) {
      accepted.delete(id);
      dropped.push(id);
    }
    if (guilty.length === 0) return dropped;
  }
}

/** @param changes components about to take the place of the surface's own. */
export function measureSurface(
  surface: Mirror,
  changes: ReadonlyMap<string, Component>,
  cache: Sizes,
  limits: A2uiLimits,
): A2uiProblemCode | undefined {
  const tree = {
    refs(id: string): ChildRefs | undefined {
      const component = changes.get(id) ?? surface.components.get(id);
      return component && childRefs(component, surface.catalog);
    },
    listLength(path: string): number | undefined {
      const value: unknown = surface.data.get(path);
      return Array.isArray(value) ? value.length : undefined;
    },
  };
  return measure(tree, limits, cache);
}

/**
 * The wire form of a component. The renderer's binder keeps a property that a newer version of the
 * component lacks, so what went away is sent as `undefined`.
 */
export function forProcessor(
  component: Component,
  before: Component | undefined,
  surface: Mirror,
): Record<string, unknown> {
  const { id, type, properties } = component;
  const gone = Object.keys(before?.type === type ? before.properties : {}).filter(
    (key) => !(key in properties),
  );
  if (gone.includes('checks')) gone.push('isValid', 'validationErrors');
  const known = surface.catalog.components.has(type);
  return {
    ...Object.fromEntries(gone.map((key) => [key, undefined])),
    ...properties,
    id,
    component: known ? type : PLACEHOLDER,
  };
}
