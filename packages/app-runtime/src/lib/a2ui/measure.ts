import { resolvePath } from './pointer.ts';
import type { ChildRefs } from './graph.ts';
import type { A2uiLimits, A2uiProblemCode } from './types.ts';

export interface Measurable {
  /** `undefined` for a component that is not there (yet). */
  refs(id: string): ChildRefs | undefined;
  /** The array a list is bound to, if it is one. */
  listLength(path: string): number | undefined;
}

/** What one component draws, lists aside. */
interface Size {
  nodes: number;
  depth: number;
  /** Lists below it, each with how often and how deep it is drawn. */
  templates: Array<{ componentId: string; path: string; times: number; depth: number }>;
}

/** Thrown inside, caught by {@link measure}: the answer is known and the rest need not be walked. */
class TooBig extends Error {
  readonly code: A2uiProblemCode;
  constructor(code: A2uiProblemCode) {
    super(code);
    this.code = code;
  }
}

export type Sizes = Map<string, Size>;

/** Sizes that hold already, by component; the measured ones are added. */
export interface SizeCache {
  get(id: string): Size | undefined;
  set(id: string, size: Size): void;
}

/**
 * Which bound a surface would break if it were drawn (field case 49), without drawing it: sizes are
 * computed once a component and multiplied, so a tree that doubles at every level costs no more than
 * one that does not. Needs a graph without cycles.
 * @param sizes what is known of these very components; pass it again while only the data changes.
 */
export function measure(tree: Measurable, limits: A2uiLimits, sizes: SizeCache): A2uiProblemCode | undefined {
  function sizeOf(id: string, level: number): Size {
    const known = sizes.get(id);
    if (known) return known;
    if (level > limits.maxDepth) throw new TooBig('too_deep');
    const size: Size = { nodes: 1, depth: 1, templates: [] };
    const refs = tree.refs(id);
    for (const child of refs?.fixed ?? []) add(size, sizeOf(child, level + 1));
    for (const list of refs?.templates ?? []) addTemplate(size, { ...list, times: 1, depth: 1 });
    if (size.nodes > limits.maxNodes) throw new TooBig('too_many_nodes');
    sizes.set(id, size);
    return size;
  }

  function add(size: Size, child: Size): void {
    size.nodes += child.nodes;
    size.depth = Math.max(size.depth, child.depth + 1);
    for (const list of child.templates) addTemplate(size, { ...list, depth: list.depth + 1 });
  }

  /** @returns components drawn by `id` at `base`, lists included. */
  function total(id: string, base: string, level: number): number {
    const size = sizeOf(id, level);
    if (level + size.depth > limits.maxDepth) throw new TooBig('too_deep');
    let nodes = size.nodes;
    for (const list of size.templates) {
      const path = resolvePath(base, list.path);
      const length = tree.listLength(path) ?? 0;
      if (length > limits.maxListItems) throw new TooBig('list_too_long');
      nodes += list.times * listTotal(list.componentId, path, length, level + list.depth);
      if (nodes > limits.maxNodes) throw new TooBig('too_many_nodes');
    }
    return nodes;
  }

  function listTotal(id: string, path: string, length: number, level: number): number {
    if (length === 0) return 0;
    const { templates } = sizeOf(id, level);
    if (templates.every((inner) => inner.path.startsWith('/'))) return length * total(id, path, level);
    let nodes = 0;
    for (let i = 0; i < length && nodes <= limits.maxNodes; i++) nodes += total(id, `${path}/${i}`, level);
    return nodes;
  }

  try {
    if (tree.refs('root')) total('root', '/', 0);
    return undefined;
  } catch (problem) {
    if (problem instanceof TooBig) return problem.code;
    throw problem;
  }
}

function addTemplate(size: Size, added: Size['templates'][number]): void {
  const same = size.templates.find(
    (list) => list.componentId === added.componentId && list.path === added.path,
  );
  if (!same) return void size.templates.push({ ...added });
  same.times += added.times;
  same.depth = Math.max(same.depth, added.depth);
}
