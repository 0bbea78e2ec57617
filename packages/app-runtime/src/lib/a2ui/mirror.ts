import type { DataModel } from '@a2ui/web_core/v0_9';
import { PLACEHOLDER, type GateCatalog } from './check-component.ts';
import { childRefs, findCycles, reachable } from './graph.ts';
import { createListTotals, type ListTotals } from './list-totals.ts';
import { measure, type Measurable, type MeasureCache, type Size } from './measure.ts';
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
  lists: ListTotals;
}

type Sizes = Map<string, Size>;

export function createMirror(settings: Pick<Mirror, 'catalog' | 'theme' | 'sendDataModel' | 'data'>): Mirror {
  return {
    ...settings,
    components: new Map(),
    missing: new Set(),
    parents: new Map(),
    sizes: new Map(),
    lists: createListTotals(),
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
  // Lists that grow at their end are most of what comes.
  let same = 0;
  while (same < had.length && had[same] === has[same]) same++;
  const isNew = (id: string): boolean => !before || !isChild(surface, before, id);
  return {
    added: has.slice(same).filter(isNew),
    lost: had.slice(same).filter((id) => !isChild(surface, component, id)),
  };
}

function isChild(surface: Mirror, component: Component, id: string): boolean {
  const { counts, templates } = childRefs(component, surface.catalog);
  return counts.has(id) || templates.some(({ componentId }) => componentId === id);
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
 * none, so a cycle runs through a child that is new, and nothing that is not above its parent is part of one.
 * @returns the ids taken out.
 */
export function dropCycles(surface: Mirror, accepted: Map<string, Component>): string[] {
  const dropped: string[] = [];
  // Taking a component back brings its older version back, which may close another cycle.
  for (;;) {
    const cyclic = cyclesOf(surface, accepted);
    const guilty = [...accepted.keys()].filter((id) => cyclic.has(id));
    for (const id of guilty) {
      accepted.delete(id);
      dropped.push(id);
    }
    if (guilty.length === 0) return dropped;
  }
}

function cyclesOf(surface: Mirror, accepted: ReadonlyMap<string, Component>): ReadonlySet<string> {
  const newParents = new Map<string, string[]>();
  const lost = new Map<string, ReadonlySet<string>>();
  const growing = new Set<string>();
  for (const component of accepted.values()) {
    const change = changedChildren(surface, component);
    if (change.lost.length > 0) lost.set(component.id, new Set(change.lost));
    for (const child of change.added) {
      growing.add(component.id);
      const known = newParents.get(child);
      if (known) known.push(component.id);
      else newParents.set(child, [component.id]);
    }
  }
  const above = reachable(growing, (id) => {
    const kept = [...(surface.parents.get(id) ?? NONE)].filter((parent) => !lost.get(parent)?.has(id));
    return [...kept, ...(newParents.get(id) ?? [])];
  });
  for (const child of newParents.keys()) {
    if (above.has(child)) return findCycles(above, (id) => childrenOf(surface, accepted, id));
  }
  return NONE;
}

function childrenOf(surface: Mirror, accepted: ReadonlyMap<string, Component>, id: string): string[] {
  const component = accepted.get(id) ?? surface.components.get(id);
  return component ? childIds(surface, component) : [];
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
  /** Everything whose size may be another, each with what is below it of that. */
  const stale = new Map<string, string[]>();
  for (const id of reachable(accepted.keys(), (id) => surface.parents.get(id) ?? NONE)) stale.set(id, []);
  for (const id of stale.keys())
    for (const parent of surface.parents.get(id) ?? NONE) stale.get(parent)!.push(id);

  const sizes: Sizes = new Map();
  const lists = createListTotals();
  const cache: MeasureCache = {
    size: (id) => sizes.get(id) ?? (stale.has(id) ? undefined : surface.sizes.get(id)),
    keep: (id, size) => void sizes.set(id, size),
    before(id) {
      const size = surface.sizes.get(id);
      if (!size || accepted.has(id)) return undefined;
      return {
        size,
        changed: stale.get(id)!.map((child) => ({ id: child, size: surface.sizes.get(child) })),
      };
    },
    list: (id, path) => (stale.has(id) ? lists : surface.lists).at(id, path),
  };
  return {
    tooBig: measure(treeOf(surface, accepted), limits, cache),
    keep() {
      for (const id of stale.keys()) {
        surface.sizes.delete(id);
        surface.lists.forget(id);
      }
      for (const [id, size] of sizes) surface.sizes.set(id, size);
      surface.lists.take(lists);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Which bound the surface breaks after its data changed; `surface.lists` has been told where. */
export function measureData(surface: Mirror, limits: A2uiLimits): A2uiProblemCode | undefined {
  const { sizes, lists } = surface;
  return measure(treeOf(surface, NO_CHANGES), limits, {
    size: (id) => sizes.get(id),
    keep: (id, size) => void sizes.set(id, size),
    before: () => undefined,
    list: (id, path) => lists.at(id, path),
  });
}

/** @param changes components about to take the place of the surface's own. */
function treeOf(surface: Mirror, changes: ReadonlyMap<string, Component>): Measurable {
  return {
    refs(id) {
      const component = changes.get(id) ?? surface.components.get(id);
      return component && childRefs(component, surface.catalog);
    },
    listLength(path) {
      const value: unknown = surface.data.get(path);
      return Array.isArray(value) ? value.length : undefined;
    },
  };
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
