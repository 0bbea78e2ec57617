import { basicCatalog } from '@a2ui/lit/v0_9';
import { DataModel } from '@a2ui/web_core/v0_9';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';
import { createGate, type Gate } from './gate.ts';
import { childRefs, findCycles, reachable } from './graph.ts';
import { createMirror, resize, type Mirror } from './mirror.ts';
import { A2UI_LIMITS, type A2uiLimits, type A2uiProblem, type Component } from './types.ts';

const catalog = secureCatalog(basicCatalog as A2uiCatalog);
const TOO_BIG: ReadonlySet<string> = new Set(['too_deep', 'too_many_nodes', 'list_too_long']);

function gateOf(limits: Partial<A2uiLimits> = {}): {
  surface: Mirror;
  components(list: object[]): A2uiProblem[];
  data(path: string, value: unknown): A2uiProblem[];
} {
  let problems: A2uiProblem[] = [];
  const gate: Gate = createGate({
    catalogs: [catalog],
    process: () => undefined,
    onProblem: (problem) => problems.push(problem),
    limits,
  });
  const feed = (message: object): A2uiProblem[] => {
    problems = [];
    gate.feed({ version: 'v0.9', ...message });
    return problems;
  };
  feed({ createSurface: { surfaceId: 's1', catalogId: catalog.id } });
  return {
    surface: gate.surfaces.get('s1')!,
    components: (components) => feed({ updateComponents: { surfaceId: 's1', components } }),
    data: (path, value) => feed({ updateDataModel: { surfaceId: 's1', path, value } }),
  };
}

/* What the whole walk says. */

function verdict(components: ReadonlyMap<string, Component>, data: object, limits: A2uiLimits): unknown {
  const surface = createMirror({
    catalog,
    theme: {},
    sendDataModel: false,
    data: new DataModel(data as never),
  });
  return resize(surface, components, limits).tooBig;
}

function cyclesIn(components: ReadonlyMap<string, Component>, update: Map<string, Component>): string[] {
  const dropped: string[] = [];
  const children = (id: string): string[] => {
    const component = update.get(id) ?? components.get(id);
    if (!component) return [];
    const { fixed, templates } = childRefs(component, catalog);
    return [...fixed, ...templates.map(({ componentId }) => componentId)];
  };
  for (;;) {
    const cyclic = findCycles(reachable([...components.keys(), ...update.keys()], children), children);
    const guilty = [...update.keys()].filter((id) => cyclic.has(id));
    if (guilty.length === 0) return dropped;
    for (const id of guilty) update.delete(id);
    dropped.push(...guilty);
  }
}

const ids = ['root', 'a', 'b', 'c', 'd', 'e', 'leaf'];
/** Mostly components further down, or nearly every update would close a cycle. */
const component = fc.integer({ min: 0, max: 5 }).chain((at) => {
  const child = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: at + 1, max: 6 }) },
    { weight: 1, arbitrary: fc.nat(5) },
  );
  const path = fc.constantFrom('/list', '/list/0/items', 'items', '.');
  const children = fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 3,
      arbitrary: fc.array(
        child.map((n) => ids[n]!),
        { maxLength: 5 },
      ),
    },
    { weight: 2, arbitrary: fc.record({ componentId: child.map((n) => ids[n]!), path }) },
  );
  return children.map((list) =>
    list === undefined
      ? { id: ids[at]!, component: 'Text', text: 'x' }
      : { id: ids[at]!, component: 'Column', children: list },
  );
});
const items = fc.array(fc.constantFrom(0, {}, [1, 2], { items: [1] }), { maxLength: 5 });
const rows = fc.array(fc.oneof(fc.record({ items }, { requiredKeys: [] }), items), { maxLength: 5 });
const write = fc.oneof(
  fc.tuple(fc.constant('/list'), fc.oneof(rows, fc.constantFrom<unknown>(undefined, 'x', {}))),
  fc.tuple(fc.constantFrom('/list/0', '/list/1', '/list/3', '/list/9'), fc.record({ items })),
  fc.tuple(fc.constantFrom('/list/0/items', '/list/2/items', '/list/0/items/1/items'), items),
  fc.tuple(
    fc.constantFrom('/list/0/items/0', '/list/0/items/8', '/list/1/items/2'),
    fc.constantFrom<unknown>(1, { items: [1] }),
  ),
  fc.tuple(fc.constant('/'), fc.record({ list: rows })),
);
const step = fc.oneof(
  fc.array(component, { minLength: 1, maxLength: 3 }).map((list) => ({ list })),
  write.map(([path, value]) => ({ path, value })),
);

/** A list of lists to begin with. */
const nested = [
  { id: 'root', component: 'Column', children: { componentId: 'a', path: '/list' } },
  { id: 'a', component: 'Column', children: { componentId: 'b', path: 'items' } },
];

describe('an update to a surface', () => {
  it('gets the verdict that a walk over the whole surface gives, whatever came before it', () => {
    const limits = { ...A2UI_LIMITS, maxNodes: 12, maxDepth: 4, maxListItems: 4 };
    const seen = { cycles: 0, tooBig: 0, dataTooBig: 0, kept: 0, dataKept: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 16 }), (steps) => {
        const { surface, components, data } = gateOf(limits);
        components(nested);
        for (const each of steps) {
          const before = new Map(surface.components);
          const root = structuredClone(surface.data.get('/')) as object;
          if ('list' in each) {
            const update = new Map<string, Component>();
            for (const { id: name, component: type, ...properties } of each.list)
              update.set(name, { id: name, type, properties });
            const problems = components(each.list);
            const dropped = cyclesIn(before, update);
            const cycles = problems.filter(({ code }) => code === 'cycle');
            expect(new Set(cycles.map(({ componentId }) => componentId))).toEqual(new Set(dropped));
            const merged = new Map([...before, ...update]);
            const tooBig = problems.some(({ code }) => TOO_BIG.has(code));
            expect(tooBig).toBe(verdict(merged, root, limits) !== undefined);
            expect([...surface.components.keys()].sort()).toEqual(
              [...(tooBig ? before : merged).keys()].sort(),
            );
            seen[tooBig ? 'tooBig' : dropped.length > 0 ? 'cycles' : 'kept']++;
          } else {
            const codes = data(each.path, each.value).map(({ code }) => code);
            const tooBig = codes.some((code) => TOO_BIG.has(code));
            const written = new DataModel(structuredClone(root) as never);
            if (codes.includes('invalid_message')) expect(surface.data.get('/')).toEqual(root);
            else {
              written.set(each.path, structuredClone(each.value));
              expect(tooBig).toBe(verdict(before, written.get('/') as object, limits) !== undefined);
              expect(surface.data.get('/')).toEqual(tooBig ? root : written.get('/'));
              seen[tooBig ? 'dataTooBig' : 'dataKept']++;
            }
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(40);
  });

  it('that is refused leaves no longer list behind, and no container', () => {
    const { surface, components, data } = gateOf();
    components([
      { id: 'root', component: 'Column', children: { componentId: 'row', path: '/rows' } },
      { id: 'row', component: 'Text', text: { path: 'name' } },
    ]);
    expect(data('/rows/50000/name', 'x')).toMatchObject([{ code: 'list_too_long' }]);
    expect(surface.data.get('/')).toEqual({});
    data('/rows', [{ name: 'a' }]);
    expect(data('/rows/50000', { name: 'x' })).toMatchObject([{ code: 'list_too_long' }]);
    expect(data('/rows/1', { name: 'b' })).toEqual([]);
    expect(surface.data.get('/')).toEqual({ rows: [{ name: 'a' }, { name: 'b' }] });
  });

  it('that is refused leaves nothing counted that is not there', () => {
    const { components, data } = gateOf({ maxNodes: 12 });
    components(nested);
    expect(data('/list', [{ items: [] }])).toEqual([]);
    expect(data('/list/4', { items: Array(9).fill(0) })).toMatchObject([{ code: 'too_many_nodes' }]);
    expect(data('/list/0/items', Array(10).fill(0))).toEqual([]);
    expect(data('/list/0/items/10', 0)).toMatchObject([{ code: 'too_many_nodes' }]);
  });
});

it('a child that is named once instead of twice is still one, and may close a cycle (field case 49)', () => {
  const { components } = gateOf();
  components([{ id: 'root', component: 'Column', children: ['a', 'a'] }]);
  components([{ id: 'root', component: 'Column', children: ['a'] }]);
  const codes = components([{ id: 'a', component: 'Column', children: ['root'] }]).map(({ code }) => code);
  expect(codes).toEqual(['cycle']);
});

describe('the cost of an update', () => {
  /** Looks at components, sizes and data of a surface from here on. */
  function counting(surface: Mirror): () => number {
    let looks = 0;
    for (const [object, names] of [
      [surface.components, ['get', 'has']],
      [surface.sizes, ['get']],
      [surface.parents, ['get']],
      [surface.data, ['get']],
    ] as unknown as Array<[Record<string, (key: string) => unknown>, string[]]>) {
      for (const name of names) {
        const inner = object[name]!.bind(object);
        object[name] = (key) => {
          looks++;
          return inner(key);
        };
      }
    }
    return () => looks;
  }

  const texts = (names: string[]): object[] =>
    names.map((name) => ({ id: name, component: 'Text', text: name }));
  const namesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`);

  it('is one look a child that the message names, for a list that grows by one to 4,000', () => {
    const { surface, components } = gateOf();
    const looks = counting(surface);
    const list: string[] = [];
    let named = 0;
    for (let i = 0; i < 4_000; i++) {
      list.push(`c${i}`);
      named += list.length;
      components([{ id: 'root', component: 'Column', children: [...list] }, ...texts([`c${i}`])]);
    }
    expect(surface.components.size).toBe(4_001);
    expect(looks()).toBeLessThan(named + 4_000 * 40);
  });

  it('does not grow with the surface, for children that get children', () => {
    const { surface, components } = gateOf();
    const names = namesOf(1_000);
    components([{ id: 'root', component: 'Column', children: names }, ...texts(names)]);
    const looks = counting(surface);
    for (const name of names) {
      components([{ id: name, component: 'Card', child: `${name}x` }, ...texts([`${name}x`])]);
    }
    expect(surface.sizes.get('root')?.nodes).toBe(2_001);
    expect(looks()).toBeLessThan(1_000 * 60);
  });

  it('does not grow with what is moved, nor with what stands beside it', () => {
    const { surface, components } = gateOf();
    const names = namesOf(1_000);
    components([
      { id: 'root', component: 'Row', children: ['a', 'b'] },
      { id: 'a', component: 'Card', child: 'list' },
      { id: 'list', component: 'Column', children: names },
      ...texts([...names, 'b', 'rest']),
    ]);
    const looks = counting(surface);
    for (let i = 0; i < 100; i++) {
      const [holder, other] = i % 2 === 0 ? ['b', 'a'] : ['a', 'b'];
      components([
        { id: holder, component: 'Card', child: 'list' },
        { id: other, component: 'Card', child: 'rest' },
      ]);
    }
    expect(surface.sizes.get('root')?.nodes).toBe(1_005);
    expect(looks()).toBeLessThan(100 * 80);
  });

  it('does not grow with the data, for rows of rows that come one by one', () => {
    const { surface, components, data } = gateOf();
    components([
      { id: 'root', component: 'Column', children: { componentId: 'row', path: '/rows' } },
      { id: 'row', component: 'Row', children: { componentId: 'cell', path: 'cells' } },
      { id: 'cell', component: 'Text', text: { path: '.' } },
    ]);
    const looks = counting(surface);
    for (let i = 0; i < 1_000; i++) {
      data(`/rows/${i}`, { cells: ['a', 'b'] });
      data(`/rows/${i}/cells/2`, 'c');
      data('/title', `${i}`);
    }
    expect(looks()).toBeLessThan(3_000 * 20);
  });
});

it('a component with a hundred thousand children and more is refused, not thrown over (field case 49)', () => {
  const { components } = gateOf();
  const list = Array.from({ length: 300_000 }, (_, i) => `c${i}`);
  const root = { id: 'root', component: 'Column', children: ['root', ...list] };
  expect(components([root]).map(({ code }) => code)).toEqual(['cycle']);
  const big = { id: 'root', component: 'Column', children: list };
  expect(components([big]).map(({ code }) => code)).toEqual(['too_many_nodes']);
});
