import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles, reachable, type ChildRefs } from './graph.ts';
import { createListTotals, type ListTotals } from './list-totals.ts';
import { measure, type MeasureCache, type Size } from './measure.ts';
import { resolvePath } from './pointer.ts';
import { A2UI_LIMITS } from './types.ts';

/** Components 0 to 7; each may refer to later ones only, so that there is no cycle. */
const COUNT = 8;
const graph = fc.tuple(
  ...Array.from({ length: COUNT }, (_, i) => {
    const later = fc.integer({ min: i + 1, max: COUNT }).map(nameOf);
    const list = fc.record({ componentId: later, path: fc.constantFrom('/rows', 'cells', '/absent') });
    return fc
      .record({
        fixed: fc.array(later, { maxLength: 3 }),
        templates: fc.array(list, { maxLength: 1 }),
      })
      .map((refs): ChildRefs => ({ ...refs, counts: new Map() }));
  }),
);
const rows = fc.array(
  fc.record({ cells: fc.array(fc.record({ cells: fc.constant([]) }), { maxLength: 3 }) }),
  { maxLength: 4 },
);

function nameOf(i: number): string {
  return i === 0 ? 'root' : `c${i}`;
}

function treeOf(refs: readonly ChildRefs[], data: unknown): Parameters<typeof measure>[0] {
  const byName = new Map(refs.map((ref, i) => [nameOf(i), ref]));
  return {
    refs: (id) => byName.get(id),
    listLength(path) {
      let value: unknown = { rows: data };
      for (const segment of path.split('/').filter(Boolean)) value = Object(value)[segment];
      return Array.isArray(value) ? value.length : undefined;
    },
  };
}

function cacheOf(lists: ListTotals = createListTotals()): MeasureCache {
  const sizes = new Map<string, Size>();
  return {
    size: (id) => sizes.get(id),
    keep: (id, size) => void sizes.set(id, size),
    before: () => undefined,
    list: (id, path) => lists.at(id, path),
  };
}

/** Draws it all, the slow way. */
function draw(
  tree: Parameters<typeof measure>[0],
  id: string,
  base: string,
): { nodes: number; depth: number } {
  const sum = { nodes: 1, depth: 1 };
  const add = (child: { nodes: number; depth: number }): void => {
    sum.nodes += child.nodes;
    sum.depth = Math.max(sum.depth, child.depth + 1);
  };
  const refs = tree.refs(id);
  for (const child of refs?.fixed ?? []) add(draw(tree, child, base));
  for (const { componentId, path } of refs?.templates ?? []) {
    const list = resolvePath(base, path);
    for (let i = 0; i < (tree.listLength(list) ?? 0); i++) add(draw(tree, componentId, `${list}/${i}`));
  }
  return sum;
}

describe('measure', () => {
  it('knows whether a tree is too large as well as drawing it would', () => {
    fc.assert(
      fc.property(graph, rows, fc.integer({ min: 1, max: 300 }), (refs, data, maxNodes) => {
        const tree = treeOf(refs, data);
        const { nodes } = draw(tree, 'root', '/');
        const verdict = measure(tree, { ...A2UI_LIMITS, maxNodes }, cacheOf());
        expect(verdict).toBe(nodes > maxNodes ? 'too_many_nodes' : undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never lets a tree deeper than the bound through', () => {
    fc.assert(
      fc.property(graph, rows, fc.integer({ min: 1, max: 9 }), (refs, data, maxDepth) => {
        const tree = treeOf(refs, data);
        const { depth } = draw(tree, 'root', '/');
        const verdict = measure(tree, { ...A2UI_LIMITS, maxDepth }, cacheOf());
        if (depth > maxDepth) expect(verdict).toBe('too_deep');
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same answer from its cache, for other data', () => {
    fc.assert(
      fc.property(graph, rows, rows, (refs, first, second) => {
        const lists = createListTotals();
        const cache = cacheOf(lists);
        const limits = { ...A2UI_LIMITS, maxNodes: 40 };
        if (measure(treeOf(refs, first), limits, cache) !== undefined) return;
        lists.touch('/rows');
        expect(measure(treeOf(refs, second), limits, cache)).toBe(
          measure(treeOf(refs, second), limits, cacheOf()),
        );
      }),
    );
  });
});

describe('findCycles', () => {
  const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 });

  it('finds every component on a cycle, and none that neither lies on one nor between two', () => {
    fc.assert(
      fc.property(edges, (pairs) => {
        const childrenOf = (id: string): string[] =>
          pairs.filter(([from]) => String(from) === id).map(([, to]) => String(to));
        const parentsOf = (id: string): string[] =>
          pairs.filter(([, to]) => String(to) === id).map(([from]) => String(from));
        const ids = Array.from({ length: 8 }, (_, i) => String(i));
        const onCycle = ids.filter((id) => reachable(childrenOf(id), childrenOf).has(id));
        const found = findCycles(ids, childrenOf);
        expect([...found]).toEqual(expect.arrayContaining(onCycle));
        for (const id of found) {
          expect([...reachable([id], childrenOf)].some((other) => onCycle.includes(other))).toBe(true);
          expect([...reachable([id], parentsOf)].some((other) => onCycle.includes(other))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
