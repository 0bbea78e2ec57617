import { basicCatalog } from '@a2ui/lit/v0_9';
import { DataModel } from '@a2ui/web_core/v0_9';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';
import { createGate } from './gate.ts';
import {
  createMirror,
  dropAllCycles,
  dropCycles,
  measureSurface,
  replaceComponents,
  resize,
  type Mirror,
} from './mirror.ts';
import { A2UI_LIMITS, type Component } from './types.ts';

const catalog = secureCatalog(basicCatalog as A2uiCatalog);

function mirrorOf(data: Record<string, unknown>): Mirror {
  return createMirror({ catalog, theme: {}, sendDataModel: false, data: new DataModel(data) });
}

const ids = ['root', 'a', 'b', 'c', 'd', 'e'];

/** Mostly with children further down the list, so that most updates close no cycle. */
const component = fc
  .record({
    at: fc.oneof(fc.constant(0), fc.nat(5)),
    links: fc.array(fc.nat(5), { maxLength: 4 }),
    anywhere: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
    path: fc.option(fc.constantFrom('/list', 'items')),
  })
  .map(({ at, links, anywhere, path }): Component => {
    const id = ids[at]!;
    const below = anywhere ? ids : ids.slice(at + 1);
    const children = links.flatMap((link) => below[link % below.length] ?? []);
    if (children.length === 0) return { id, type: 'Text', properties: { text: id } };
    const list = path === null ? children : { componentId: children[0]!, path };
    return { id, type: 'Column', properties: { children: list } };
  });
const update = fc
  .array(component, { minLength: 1, maxLength: 3 })
  .map((list) => new Map(list.map((each) => [each.id, each])));

describe('an update to a surface', () => {
  it('gets the verdict that a walk over the whole surface gives, whatever came before it', () => {
    const limits = { ...A2UI_LIMITS, maxNodes: 5, maxDepth: 3, maxListItems: 3 };
    const data = { list: [{ items: [1, 2] }, { items: [1] }] };
    const seen = { cycles: 0, tooBig: 0, kept: 0 };
    fc.assert(
      fc.property(fc.array(update, { maxLength: 12 }), (updates) => {
        const surface = mirrorOf(data);
        for (const accepted of updates) {
          const same = new Map(accepted);
          const dropped = dropCycles(surface, accepted);
          expect(dropped.sort()).toEqual(dropAllCycles(surface, same).sort());
          expect([...accepted]).toEqual([...same]);
          const { tooBig, keep } = resize(surface, accepted, limits);
          const walked = measureSurface(surface, accepted, new Map(), limits);
          expect(tooBig === undefined).toBe(walked === undefined);
          seen[dropped.length > 0 ? 'cycles' : tooBig ? 'tooBig' : 'kept']++;
          if (tooBig) continue;
          keep();
          replaceComponents(surface, accepted);
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });
});

describe('the cost of an update', () => {
  /** Looks at a surface's components while messages are fed to a gate. */
  function lookups(count: number, feed: (i: number) => object[]): number {
    const gate = createGate({ catalogs: [catalog], process: () => {}, onProblem: () => {} });
    const catalogId = catalog.id;
    gate.feed({ version: 'v0.9', createSurface: { surfaceId: 's1', catalogId } });
    const { components } = gate.surfaces.get('s1')!;
    let looks = 0;
    for (const name of ['get', 'has'] as const) {
      const inner = components[name].bind(components) as (key: string) => never;
      components[name] = (key: string) => {
        looks++;
        return inner(key);
      };
    }
    for (let i = 0; i < count; i++) {
      gate.feed({ version: 'v0.9', updateComponents: { surfaceId: 's1', components: feed(i) } });
    }
    return looks;
  }

  it('does not grow with the surface, for a list that grows by one', () => {
    const list: string[] = [];
    const looks = lookups(300, (i) => {
      list.push(`c${i}`);
      return [
        { id: 'root', component: 'Column', children: [...list] },
        { id: `c${i}`, component: 'Text', text: `${i}` },
      ];
    });
    expect(looks).toBeLessThan(300 * 40);
  });

  it('does not grow with the surface, for a change deep inside it', () => {
    const names = Array.from({ length: 300 }, (_, i) => `c${i}`);
    const build = [
      { id: 'root', component: 'Column', children: ['list', 'card'] },
      { id: 'list', component: 'Column', children: names },
      ...names.map((name) => ({ id: name, component: 'Text', text: name })),
      { id: 'card', component: 'Card', child: 'text' },
    ];
    const change = (i: number): object[] => [{ id: 'card', component: 'Card', child: `t${i}` }];
    const before = lookups(1, () => build);
    const after = lookups(101, (i) => (i === 0 ? build : change(i)));
    expect(after - before).toBeLessThan(100 * 40);
  });
});

it('a component with a hundred thousand children and more is refused, not thrown over (field case 49)', () => {
  const codes: string[] = [];
  const gate = createGate({
    catalogs: [catalog],
    process: () => {},
    onProblem: ({ code }) => codes.push(code),
  });
  gate.feed({ version: 'v0.9', createSurface: { surfaceId: 's1', catalogId: catalog.id } });
  const list = Array.from({ length: 300_000 }, (_, i) => `c${i}`);
  const root = { id: 'root', component: 'Column', children: ['root', ...list] };
  gate.feed({ version: 'v0.9', updateComponents: { surfaceId: 's1', components: [root] } });
  const big = { id: 'root', component: 'Column', children: list };
  gate.feed({ version: 'v0.9', updateComponents: { surfaceId: 's1', components: [big] } });
  expect(codes).toEqual(['cycle', 'too_many_nodes']);
});
