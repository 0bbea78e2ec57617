import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { extractRefFields, type RefFields } from '@a2ui/web_core/v0_9';
import type { Component } from './types.ts';

/** Children drawn once, and lists that draw one child for each item of an array. */
export interface ChildRefs {
  fixed: string[];
  templates: Array<{ componentId: string; path: string }>;
  /** How often each of the fixed ones. */
  counts: ReadonlyMap<string, number>;
}

export interface SchemaSource {
  components: ReadonlyMap<string, { schema: Parameters<typeof extractRefFields>[0] }>;
}

/** Children of a component the catalog does not know, by the names every catalog uses for them. */
const GUESSED_FIELDS: RefFields = new Map([
  ['child', { kind: 'single' }],
  ['children', { kind: 'list' }],
]) as RefFields;

/** A component never changes once it is made, nor does its surface's catalog. */
const known = new WeakMap<Component, ChildRefs>();

export function childRefs(component: Component, catalog: SchemaSource): ChildRefs {
  let refs = known.get(component);
  if (!refs) known.set(component, (refs = readRefs(component, catalog)));
  return refs;
}

function readRefs(component: Component, catalog: SchemaSource): ChildRefs {
  const schema = catalog.components.get(component.type)?.schema;
  const counts = new Map<string, number>();
  const refs: ChildRefs = { fixed: [], templates: [], counts };
  for (const [name, field] of schema ? extractRefFields(schema) : GUESSED_FIELDS) {
    const value = component.properties[name];
    if (field.kind === 'single') addId(refs, value);
    else if (field.kind === 'list') addList(refs, value);
    else if (Array.isArray(value)) {
      for (const item of value) if (isPlainObject(item)) for (const key of field.keys) addId(refs, item[key]);
    }
  }
  for (const id of refs.fixed) counts.set(id, (counts.get(id) ?? 0) + 1);
  return refs;
}

function addId(refs: ChildRefs, value: unknown): void {
  if (typeof value === 'string') refs.fixed.push(value);
}

function addList(refs: ChildRefs, value: unknown): void {
  if (Array.isArray(value)) for (const id of value) addId(refs, id);
  else if (isPlainObject(value)) {
    const { componentId, path } = value;
    if (typeof componentId === 'string' && typeof path === 'string')
      refs.templates.push({ componentId, path });
  }
}

/** Everything drawn below the given components, themselves included. */
export function reachable(ids: Iterable<string>, childrenOf: (id: string) => Iterable<string>): Set<string> {
  const found = new Set(ids);
  // A set may grow while it is walked.
  for (const id of found) for (const child of childrenOf(id)) found.add(child);
  return found;
}

/**
 * Components that lie on a cycle, or between two. Peels off, again and again, what has no children
 * left and what has no parents left; what remains goes round.
 */
export function findCycles(
  ids: Iterable<string>,
  childrenOf: (id: string) => readonly string[],
): Set<string> {
  const rest = new Set(ids);
  const parents = new Map<string, string[]>();
  for (const id of rest) {
    for (const child of childrenOf(id)) {
      const known = parents.get(child);
      if (known) known.push(id);
      else parents.set(child, [id]);
    }
  }
  peel(rest, childrenOf, (id) => parents.get(id) ?? []);
  peel(rest, (id) => parents.get(id) ?? [], childrenOf);
  return rest;
}

/** Removes everything without an `ahead` neighbour left, then its `behind` neighbours, and so on. */
function peel(
  rest: Set<string>,
  ahead: (id: string) => readonly string[],
  behind: (id: string) => readonly string[],
): void {
  const queue = [...rest];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (!rest.has(id) || ahead(id).some((other) => rest.has(other))) continue;
    rest.delete(id);
    for (const other of behind(id)) queue.push(other);
  }
}
