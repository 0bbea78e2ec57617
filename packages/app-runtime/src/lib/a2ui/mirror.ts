import type { DataModel } from '@a2ui/web_core/v0_9';
import { PLACEHOLDER, type GateCatalog } from './check-component.ts';
import { childRefs, findCycles, reachable, type ChildRefs } from './graph.ts';
import { measure, type SizeCache, type Sizes } from './measure.ts';
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
  /** By child. An update costs what it touches and what lies above that, not what the surface holds. */
  parents: Map<string, Set<string>>;
  sizes: Sizes;
}

export function createMirror(settings: Pick<Mirror, 'catalog' | 'theme' | 'sendDataModel' | 'data'>): Mirror {
  return {
    ...settings,
    components: new Map(),
    missing: new Set(),
    parents: new Map(),
    sizes: new Map(),
  };
}

const NO_CHANGES: ReadonlyMap<string, Component> = new Map();

function childIds(surface: Mirror, component: Component): string[] {
  const { fixed, templates } = childRefs(component, surface.catalog);
  return templates.length === 0 ? fixed : [...fixed, ...templates.map((list) => list.componentId)];
}

export function hasChildren(surface: Mirror, component: Component | undefined): boolean {
  return component !== undefined && childIds(surface, component).length > 0;
}

/** Children that an update gives to a component, and those that it takes away. */
function changedChildren(surface: Mirror, component: Component): { added: string[]; lost: string[] } {
  const before = surface.components.get(component.id);
  const had = before ? childIds(surface, before) : [];
  const has = childIds(surface, component);
  let same = 0;
  while (same < had.length && had[same] === has[same]) same++;
  return { added: without(has, had, same), lost: without(had, has, same) };
}

/** Ids of one list that the other has not. The first `same` are those of both. */
function without(list: readonly string[], other: readonly string[], same: number): string[] {
  if (same === list.length) return [];
  const known = same === other.length ? undefined : new Set(other);
  return list.slice(same).filter((id) => !known?.has(id));
}

/** Ids that `accepted` refers to and nothing stands for yet. */
export function newlyMissing(surface: Mirror, accepted: ReadonlyMap<string, Component>): Set<string> {
  const missing = new Set<string>();
  for (const component of accepted.values()) {
    for (const id of changedChildren(surface, component).added) {
      if (!accepted.has(id) && !surface.components.has(id) && !surface.missing.has(id)) missing.add(id);
    }
  }
  return missing;
}

/**
 * Takes out of `accepted` what would close a cycle over the merged components (field case 49). The surface has
 * none, so a cycle runs through an edge that is new: where nothing below the new children gets new children
 * itself, there is none.
 * @returns the ids taken out.
 */
export function dropCycles(surface: Mirror, accepted: Map<string, Component>): string[] {
  const growing = new Set<string>();
  const added = new Set<string>();
  for (const component of accepted.values()) {
    const children = changedChildren(surface, component).added;
    if (children.length > 0) growing.add(component.id);
    for (const id of children) added.add(id);
  }
  const below = reachable(added, (id) => childrenOf(surface, accepted, id));
  return [...growing].some((id) => below.has(id)) ? dropAllCycles(surface, accepted) : [];
}

function childrenOf(surface: Mirror, accepted: ReadonlyMap<string, Component>, id: string): string[] {
  const component = accepted.get(id) ?? surface.components.get(id);
  return component ? childIds(surface, component) : [];
}

/** The same by walking everything below `accepted`. */
export function dropAllCycles(surface: Mirror, accepted: Map<string, Component>): string[] {
  const dropped: string[] = [];
  const children = (id: string): string[] => childrenOf(surface, accepted, id);
  // Taking a component back brings its older version back, which may close another cycle.
  for (;;) {
    const cyclic = findCycles(reachable(accepted.keys(), children), children);
    const guilty = [...accepted.keys()].filter((id) => cyclic.has(id));
    for (const id of guilty) {
      accepted.delete(id);
      dropped.push(id);
    }
    if (guilty.length === 0) return dropped;
  }
}

/** What an update would do to the sizes of a surface. */
export interface Resizing {
  tooBig: A2uiProblemCode | undefined;
  /** Takes the new sizes over; to be called before the components are. */
  keep(): void;
}

/**
 * Measures a surface with components about to take the place of its own. The sizes of what lies neither among them
 * nor above one of them still hold.
 */
export function resize(
  surface: Mirror,
  accepted: ReadonlyMap<string, Component>,
  limits: A2uiLimits,
): Resizing {
  const stale = reachable(accepted.keys(), (id) => surface.parents.get(id) ?? NONE);
  const fresh: Sizes = new Map();
  const cache: SizeCache = {
    get: (id) => fresh.get(id) ?? (stale.has(id) ? undefined : surface.sizes.get(id)),
    set: (id, size) => void fresh.set(id, size),
  };
  return {
    tooBig: measureSurface(surface, accepted, cache, limits),
    keep() {
      for (const id of stale) surface.sizes.delete(id);
      for (const [id, size] of fresh) surface.sizes.set(id, size);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Which bound the surface breaks after its data changed. */
export function measureData(surface: Mirror, limits: A2uiLimits): A2uiProblemCode | undefined {
  return measureSurface(surface, NO_CHANGES, surface.sizes, limits);
}

/** @param changes components about to take the place of the surface's own. */
export function measureSurface(
  surface: Mirror,
  changes: ReadonlyMap<string, Component>,
  cache: SizeCache,
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

/** Puts components in their place. */
export function replaceComponents(surface: Mirror, accepted: ReadonlyMap<string, Component>): void {
  const { components, missing, parents } = surface;
  for (const [id, component] of accepted) {
    const { added, lost } = changedChildren(surface, component);
    for (const child of added) {
      const known = parents.get(child);
      if (known) known.add(id);
      else parents.set(child, new Set([id]));
    }
    for (const child of lost) parents.get(child)?.delete(id);
    components.set(id, component);
    missing.delete(id);
  }
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
