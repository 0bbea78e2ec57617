import { resolvePath } from './pointer.ts';
import type { ChildRefs } from './graph.ts';
import type { A2uiLimits, A2uiProblemCode } from './types.ts';

export interface Measurable {
  /** `undefined` for a component that is not there (yet). */
  refs(id: string): ChildRefs | undefined;
  /** The array a list is bound to, if it is one. */
  listLength(path: string): number | undefined;
}

/** What one component draws. */
export interface Size {
  /** Lists aside; `Infinity` for more than may be drawn. */
  nodes: number;
  /** Lists included, whether there is anything in them or not: data must not make a surface too deep. */
  depth: number;
  /** Lists below it, each with how often it is drawn. */
  templates: ReadonlyMap<string, Template>;
}

interface Template {
  componentId: string;
  path: string;
  times: number;
}

/** A list whose items have lists of their own: what each item draws. */
export interface ListTotal {
  nodes: number;
  items: number[];
  /** Items whose data changed since. */
  dirty: Set<number>;
}

/** What is known already; what is measured is added. */
export interface MeasureCache {
  /** The size of a component as it is now. */
  size(id: string): Size | undefined;
  keep(id: string, size: Size): void;
  /** For a component that is not measured only because of those below it: its size before, and which those are. */
  before(id: string): { size: Size; changed: Iterable<{ id: string; size: Size | undefined }> } | undefined;
  list(componentId: string, path: string): ListTotal;
}

/** Thrown inside, caught by {@link measure}: the answer is known and the rest need not be walked. */
class TooBig extends Error {
  readonly code: A2uiProblemCode;
  constructor(code: A2uiProblemCode) {
    super(code);
    this.code = code;
  }
}

const NO_TEMPLATES: Size['templates'] = new Map();

/**
 * Which bound a surface would break if it were drawn (field case 49), without drawing it: sizes are
 * computed once a component and multiplied, so a tree that doubles at every level costs no more than
 * one that does not. Needs a graph without cycles. Costs what is not in the cache.
 */
export function measure(
  tree: Measurable,
  limits: A2uiLimits,
  cache: MeasureCache,
): A2uiProblemCode | undefined {
  /** Of this measuring: lists of data that is no item's own, and components whose lists show items' own data only. */
  const totals = new Map<string, number>();
  const ownData = new Map<string, boolean>();

  function sizeOf(id: string, level: number): Size {
    const known = cache.size(id);
    if (known) return known;
    if (level > limits.maxDepth) throw new TooBig('too_deep');
    const size = adjusted(id, level) ?? summed(id, level);
    if (size.nodes > limits.maxNodes) size.nodes = Infinity;
    cache.keep(id, size);
    return size;
  }

  function summed(id: string, level: number): Size {
    const refs = tree.refs(id);
    const templates = new Map<string, Template>();
    const size: Size = { nodes: 1, depth: 1, templates };
    for (const child of refs?.fixed ?? []) {
      const added = sizeOf(child, level + 1);
      size.nodes += added.nodes;
      size.depth = Math.max(size.depth, added.depth + 1);
      for (const list of added.templates.values()) addTemplate(templates, list);
    }
    for (const list of refs?.templates ?? []) {
      size.depth = Math.max(size.depth, sizeOf(list.componentId, level + 1).depth + 1);
      addTemplate(templates, { ...list, times: 1 });
    }
    if (templates.size === 0) size.templates = NO_TEMPLATES;
    return size;
  }

  /** The size from that before, where only numbers of nodes changed below: however many children there are. */
  function adjusted(id: string, level: number): Size | undefined {
    const before = cache.before(id);
    const counts = before && tree.refs(id)?.counts;
    if (!counts) return undefined;
    let { nodes, depth } = before.size;
    for (const { id: child, size: was } of before.changed) {
      const is = sizeOf(child, level + 1);
      if (!was || is.templates.size + was.templates.size > 0 || is.depth < was.depth) return undefined;
      depth = Math.max(depth, is.depth + 1);
      const times = counts.get(child) ?? 0;
      if (times > 0) nodes += times * (is.nodes - was.nodes);
    }
    return Number.isFinite(nodes) ? { ...before.size, nodes, depth } : undefined;
  }

  /** @returns components drawn by `id` at `base`, lists included. */
  function total(id: string, base: string): number {
    const { nodes, templates } = sizeOf(id, 0);
    let sum = nodes;
    for (const [key, list] of templates) {
      if (sum > limits.maxNodes) break;
      const known = totals.get(key);
      const drawn = known ?? listTotal(list.componentId, resolvePath(base, list.path));
      if (known === undefined && isAbsolute(list.path)) totals.set(key, drawn);
      sum += list.times * drawn;
    }
    if (sum > limits.maxNodes) throw new TooBig('too_many_nodes');
    return sum;
  }

  function listTotal(id: string, path: string): number {
    const length = tree.listLength(path) ?? 0;
    if (length > limits.maxListItems) throw new TooBig('list_too_long');
    if (length === 0) return 0;
    const templates = [...sizeOf(id, 0).templates.values()];
    if (templates.every(({ path: inner }) => isAbsolute(inner))) return length * total(id, path);
    // What items draw of data elsewhere would change without them.
    const list = drawsOwnData(id) ? cache.list(id, path) : { nodes: 0, items: [], dirty: new Set<number>() };
    sumItems(list, length, (i) => total(id, `${path}/${i}`));
    return list.nodes;
  }

  /** Whatever it throws on, what is in the list by then is right, and the rest is not. */
  function sumItems(list: ListTotal, length: number, itemTotal: (i: number) => number): void {
    const { items, dirty } = list;
    while (items.length > length) list.nodes -= items.pop()!;
    for (const i of dirty) {
      if (i < items.length) {
        const now = itemTotal(i);
        list.nodes += now - items[i]!;
        items[i] = now;
      }
      dirty.delete(i);
    }
    while (items.length < length && list.nodes <= limits.maxNodes) {
      const now = itemTotal(items.length);
      items.push(now);
      list.nodes += now;
    }
  }

  function drawsOwnData(id: string): boolean {
    let answer = ownData.get(id);
    if (answer === undefined) {
      const templates = [...sizeOf(id, 0).templates.values()];
      answer = templates.every(({ componentId, path }) => !isAbsolute(path) && drawsOwnData(componentId));
      ownData.set(id, answer);
    }
    return answer;
  }

  try {
    if (!tree.refs('root')) return undefined;
    if (sizeOf('root', 0).depth > limits.maxDepth) throw new TooBig('too_deep');
    total('root', '/');
    return undefined;
  } catch (problem) {
    if (problem instanceof TooBig) return problem.code;
    throw problem;
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

function addTemplate(templates: Map<string, Template>, { componentId, path, times }: Template): void {
  const key = JSON.stringify([componentId, path]);
  const known = templates.get(key);
  templates.set(key, { componentId, path, times: times + (known?.times ?? 0) });
}
