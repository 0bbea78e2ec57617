import { basicCatalog } from '@a2ui/lit/v0_9';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';
import { PLACEHOLDER } from './check-component.ts';
import { createA2uiModel, type A2uiModel } from './model.ts';
import type { A2uiLimits, A2uiProblem } from './types.ts';

const CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';
const catalog = secureCatalog(basicCatalog as A2uiCatalog);

interface Rig {
  model: A2uiModel;
  problems: A2uiProblem[];
  feed(...messages: unknown[]): void;
  codes(): string[];
  text(id: string, surface?: string): unknown;
  type(id: string): string | undefined;
}

function setUp(limits: Partial<A2uiLimits> = {}): Rig {
  const problems: A2uiProblem[] = [];
  const model = createA2uiModel({
    catalogs: [catalog],
    onProblem: (problem) => problems.push(problem),
    limits,
  });
  return {
    model,
    problems,
    feed: (...messages) => messages.forEach((message) => model.feed(message)),
    codes: () => problems.map(({ code }) => code),
    text: (id, surface = 's1') => model.surfaces.get(surface)?.componentsModel.get(id)?.properties['text'],
    type: (id) => model.surfaces.get('s1')?.componentsModel.get(id)?.type,
  };
}

const create = (surfaceId = 's1', more: object = {}): object => ({
  version: 'v0.9',
  createSurface: { surfaceId, catalogId: CATALOG_ID, ...more },
});
const update = (components: unknown, surfaceId = 's1'): object => ({
  version: 'v0.9',
  updateComponents: { surfaceId, components },
});
const data = (path: string, value: unknown, surfaceId = 's1'): object => ({
  version: 'v0.9',
  updateDataModel: { surfaceId, path, value },
});
const remove = (surfaceId = 's1'): object => ({ version: 'v0.9', deleteSurface: { surfaceId } });
const text = (id: string, value: unknown = id): object => ({ id, component: 'Text', text: value });
const column = (id: string, children: unknown): object => ({ id, component: 'Column', children });

describe('messages out of their place', () => {
  it('waits for a create that comes after its updates (field case 75)', () => {
    const { feed, codes, text: textOf, model } = setUp();
    feed(update([text('root', { path: '/t' })]), data('/t', 'hi'), create());
    expect(textOf('root')).toEqual({ path: '/t' });
    expect(model.surfaces.get('s1')?.dataModel.get('/t')).toBe('hi');
    expect(codes()).toEqual([]);
  });

  it('says at the end which surface was never created (field cases 8, 75)', () => {
    const { feed, model, codes } = setUp();
    feed(update([text('root')]), data('/todos/-', 1));
    model.end();
    expect(model.surfaces.size).toBe(0);
    expect(codes()).toEqual(['never_created']);
  });

  it('parks a bounded number of messages and surfaces', () => {
    const { feed, codes, text: textOf } = setUp({ maxParkedMessages: 2, maxParkedSurfaces: 1 });
    feed(
      update([text('root', 'a')]),
      update([text('root', 'b')]),
      update([text('root', 'c')]),
      data('/x', 1, 's2'),
      create(),
    );
    expect(codes()).toEqual(['too_many_parked', 'too_many_parked']);
    expect(textOf('root')).toBe('b');
  });

  it('skips a second create and keeps the surface', () => {
    const { feed, codes, text: textOf } = setUp();
    feed(create(), update([text('root', 'kept')]), create());
    expect(textOf('root')).toBe('kept');
    expect(codes()).toEqual(['duplicate_surface']);
  });

  it('keeps interleaved surfaces apart, ignores updates after a delete, recreates clean (field case 77)', () => {
    const { feed, codes, text: textOf, model } = setUp();
    feed(
      create('s1'),
      create('s2'),
      update([text('root', 'one')]),
      update([text('root', 'two')], 's2'),
      data('/x', 1),
    );
    feed(remove(), update([text('root', 'ghost')]), create('s1'));
    expect(textOf('root')).toBeUndefined();
    expect(model.surfaces.get('s1')?.dataModel.get('/')).toEqual({});
    expect(textOf('root', 's2')).toBe('two');
    expect(codes()).toEqual(['deleted_surface']);
  });
});

describe('versions', () => {
  it.each(['v0.9', 'v0.9.1', 'v1.0', undefined])('reads %s', (version) => {
    const { feed, codes, text: textOf } = setUp();
    feed({ ...create(), version }, { ...update([text('root', 'hi')]), version });
    expect(textOf('root')).toBe('hi');
    expect(codes()).toEqual([]);
  });

  it('reads inline components and data of v1.0, without a catalog id too (field case 78)', () => {
    const { feed, codes, text: textOf, model } = setUp();
    const components = [text('root', { path: '/t' })];
    feed({ version: 'v1.0', createSurface: { surfaceId: 's1', components, dataModel: { t: 'hi' } } });
    expect(textOf('root')).toEqual({ path: '/t' });
    expect(model.surfaces.get('s1')?.dataModel.get('/t')).toBe('hi');
    feed({ version: 'v1.0', updateDataModel: { surfaceId: 's1', path: '/t', value: null } });
    expect(model.surfaces.get('s1')?.dataModel.get('/')).toEqual({});
    expect(codes()).toEqual([]);
  });

  it.each([
    'https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json',
    'https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json',
    'https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json',
  ])('knows %s as the basic catalog', (catalogId) => {
    const { feed, codes, model } = setUp();
    feed(create('s1', { catalogId }));
    expect(model.surfaces.size).toBe(1);
    expect(codes()).toEqual([]);
  });

  it.each([
    ['v0.8', { surfaceUpdate: { surfaceId: 's1', components: [] } }],
    ['v0.8', { beginRendering: { surfaceId: 's1', root: 'root' } }],
    ['v9', { ...create(), version: 'v9' }],
  ])('names %s when it cannot read it, and goes on (field cases 78, 95)', (version, message) => {
    const { feed, problems, text: textOf } = setUp();
    feed(message, create(), update([text('root', 'hi')]));
    expect(problems).toMatchObject([
      { code: 'unsupported_version', message: expect.stringContaining(version) as string },
    ]);
    expect(textOf('root')).toBe('hi');
  });

  it('names a catalog it does not have', () => {
    const { feed, problems } = setUp();
    feed(create('s1', { catalogId: 'https://example.test/catalog.json' }));
    expect(problems).toMatchObject([
      { code: 'unknown_catalog', message: expect.stringContaining('example.test') as string },
    ]);
  });
});

describe('messages that are none', () => {
  it('never throws, whatever it gets, and the next good message applies', () => {
    const anyMessage = fc.oneof(
      fc.anything(),
      fc.record({ version: fc.constant('v0.9'), updateComponents: fc.anything() }),
      fc.record({
        updateComponents: fc.record({ surfaceId: fc.constant('s1'), components: fc.array(fc.anything()) }),
      }),
      fc.record({
        updateDataModel: fc.record({
          surfaceId: fc.constant('s1'),
          path: fc.string(),
          value: fc.jsonValue(),
        }),
      }),
    );
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 6 }), (messages) => {
        const { feed, text: textOf } = setUp();
        feed(create(), ...messages, update([text('root', 'hi')]));
        expect(textOf('root')).toBe('hi');
      }),
    );
  });

  it('leaves out bad components one by one (field case 79)', () => {
    const { feed, codes, text: textOf, type, model } = setUp();
    const components = [
      null,
      {},
      { id: 'x' },
      { id: 'y', component: 'YouTub' },
      { id: 'ok', component: 'Text', text: 'hi', futureProp: 1 },
      { id: 'bad', component: 'Text' },
    ];
    feed(create(), update(components));
    expect(codes()).toEqual([
      'invalid_component',
      'invalid_component',
      'invalid_component',
      'unknown_component',
      'invalid_component',
    ]);
    expect(textOf('ok')).toBe('hi');
    expect(model.surfaces.get('s1')?.componentsModel.get('ok')?.properties['futureProp']).toBe(1);
    expect(type('y')).toBe(PLACEHOLDER);
    expect(type('bad')).toBeUndefined();
  });

  it('draws a placeholder for a child that is not there yet, and the child when it comes (field case 74)', () => {
    const { feed, type, text: textOf } = setUp();
    feed(create(), update([column('root', ['a', 'b'])]), update([text('a', 'A')]));
    expect([type('a'), type('b')]).toEqual(['Text', PLACEHOLDER]);
    feed(update([text('b', 'B')]));
    expect([type('b'), textOf('b')]).toEqual(['Text', 'B']);
  });

  it('does not keep what a newer version of a component left out', () => {
    const { feed, model } = setUp();
    feed(
      create(),
      update([{ id: 'root', component: 'Text', text: 'a', variant: 'h1' }]),
      update([text('root', 'b')]),
    );
    expect(model.surfaces.get('s1')?.componentsModel.get('root')?.properties).toEqual({
      text: 'b',
      variant: undefined,
    });
  });
});

describe('hostile content', () => {
  it.each(['/__proto__/admin', '/constructor/prototype/x', '/a/prototype', '/~0~0/__proto__'])(
    'refuses to write %s (field case 47)',
    (path) => {
      const { feed, codes } = setUp();
      feed(create(), data(path, true));
      expect(codes()).toEqual(['forbidden_path']);
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    },
  );

  it('refuses to bind below a prototype, at any depth; own and escaped keys are fine (field case 47)', () => {
    const { feed, codes, type, model } = setUp();
    feed(
      create(),
      update([
        text('a', { path: '/__proto__/x' }),
        text('b', { call: 'formatString', args: { value: { path: 'constructor' } } }),
      ]),
    );
    expect(codes()).toEqual(['forbidden_path', 'forbidden_path']);
    feed(update([text('c', { path: '/toString' })]), data('/a~1b', 1), data('/toString', 'own'));
    expect(type('c')).toBe('Text');
    expect(model.surfaces.get('s1')?.dataModel.get('/')).toEqual({ 'a/b': 1, toString: 'own' });
  });

  it('keeps data with hostile keys as data', () => {
    const { feed } = setUp();
    feed(create(), data('/', JSON.parse('{"__proto__":{"x":1},"y":2}')));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('takes an openUrl out of a property and leaves one in an action (field case 46)', () => {
    const { feed, codes, text: textOf, model } = setUp();
    const openUrl = { call: 'openUrl', args: { url: 'https://example.test' } };
    feed(
      create(),
      update([
        text('a', openUrl),
        text('b', { call: 'formatString', args: { value: openUrl } }),
        { id: 'c', component: 'Button', child: 'a', action: { functionCall: openUrl } },
      ]),
    );
    expect(codes()).toEqual(['bound_side_effect', 'bound_side_effect']);
    expect(textOf('a')).toBe('');
    expect(textOf('b')).toMatchObject({ args: { value: '' } });
    const action = model.surfaces.get('s1')?.componentsModel.get('c')?.properties['action'];
    expect(action).toMatchObject({ event: { context: { url: 'https://example.test' } } });
  });

  it('lets pictures and films load from the web or the text itself only (field cases 45, 51)', () => {
    const { feed, codes, model } = setUp();
    const urls = [
      'https://example.test/a.png',
      'data:image/png;base64,AA',
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '/relative.png',
    ];
    feed(create(), update(urls.map((url, i) => ({ id: `i${i}`, component: 'Image', url }))));
    const kept = urls.map(
      (_, i) => model.surfaces.get('s1')?.componentsModel.get(`i${i}`)?.properties['url'],
    );
    expect(kept).toEqual([urls[0], urls[1], '', '', '', '', '', '']);
    expect(codes()).toEqual(Array(6).fill('unsafe_url'));
  });

  it('lets no theme load anything through a color', () => {
    const { feed, model } = setUp();
    feed(create('s1', { theme: { primaryColor: 'url(https://evil.test)', agentDisplayName: 'A' } }));
    feed(create('s2', { theme: { primaryColor: '#0055ff' } }));
    expect(model.surfaces.get('s1')?.theme).toEqual({ agentDisplayName: 'A' });
    expect(model.surfaces.get('s2')?.theme).toEqual({ primaryColor: '#0055ff' });
  });

  it('leaves out what closes a cycle and keeps what was there (field case 49)', () => {
    const { feed, codes, text: textOf, type } = setUp();
    feed(create(), update([column('root', ['a']), text('a', 'kept')]));
    feed(update([column('a', ['root'])]), update([column('self', ['self'])]));
    expect(codes()).toEqual(['cycle', 'cycle']);
    expect(textOf('a')).toBe('kept');
    expect(type('self')).toBeUndefined();
  });

  it('takes a whole cycle that comes at once out and leaves the rest of the message', () => {
    const { feed, codes, type } = setUp();
    feed(create(), update([column('root', ['x', 'ok']), column('x', ['y']), column('y', ['x']), text('ok')]));
    expect(codes()).toEqual(['cycle', 'cycle']);
    expect([type('root'), type('ok'), type('x')]).toEqual(['Column', 'Text', PLACEHOLDER]);
  });

  it('refuses a small message that draws millions of components (field case 49)', () => {
    const { feed, codes, type } = setUp();
    const levels = Array.from({ length: 8 }, (_, i) =>
      column(i === 0 ? 'root' : `c${i}`, Array(12).fill(`c${i + 1}`)),
    );
    feed(create(), update([...levels, text('c8')]));
    expect(codes()).toEqual(['too_many_nodes']);
    expect(type('root')).toBeUndefined();
  });

  it('refuses a chain that is too deep', () => {
    const { feed, codes } = setUp();
    const chain = Array.from({ length: 4_000 }, (_, i) => column(i === 0 ? 'root' : `c${i}`, [`c${i + 1}`]));
    feed(create(), update(chain));
    expect(codes()).toEqual(['too_deep']);
  });

  it('refuses data that makes a list too long, keeps the data before it, and goes on (field case 49)', () => {
    const { feed, codes, model } = setUp();
    feed(
      create(),
      update([column('root', { componentId: 'row', path: '/rows' }), text('row', { path: 'name' })]),
    );
    feed(data('/rows', [{ name: 'a' }]), data('/rows', Array(1_000_000).fill(0)));
    expect(codes()).toEqual(['list_too_long']);
    expect(model.surfaces.get('s1')?.dataModel.get('/rows')).toEqual([{ name: 'a' }]);
    feed(data('/rows/1', { name: 'b' }));
    expect(model.surfaces.get('s1')?.dataModel.get('/rows')).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  it('counts lists inside lists', () => {
    const { feed, codes } = setUp();
    feed(
      create(),
      update([
        column('root', { componentId: 'row', path: '/rows' }),
        column('row', { componentId: 'cell', path: 'cells' }),
        text('cell', { path: '.' }),
      ]),
    );
    const rows = (count: number): object[] =>
      Array.from({ length: count }, () => ({ cells: Array(200).fill('x') }));
    feed(data('/rows', rows(40)));
    expect(codes()).toEqual([]);
    feed(data('/rows', rows(60)));
    expect(codes()).toEqual(['too_many_nodes']);
  });

  it('refuses a path that would nest data without end (field case 49)', () => {
    const { feed, codes, model } = setUp();
    feed(create(), data('/a'.repeat(200_000), 1), data('/a'.repeat(100), 1));
    expect(codes()).toEqual(['forbidden_path']);
    const same = setUp();
    same.feed(create(), data('/a'.repeat(100), 1));
    expect(same.model.same(model)).toBe(true);
  });

  it('refuses an index that would make a huge sparse array (field case 49)', () => {
    const { feed, codes, model } = setUp();
    feed(create(), data('/rows/4000000000', 1), data('/rows', [1]), data('/rows/999999999', 1));
    expect(codes()).toEqual(['forbidden_path', 'forbidden_path']);
    feed(data('/byId', {}), data('/byId/4000000000', 'a key'));
    expect(model.surfaces.get('s1')?.dataModel.get('/byId/4000000000')).toBe('a key');
  });

  it('bounds surfaces and components', () => {
    const { feed, codes, model } = setUp({ maxSurfaces: 1, maxComponents: 2 });
    feed(
      create('s1'),
      create('s2'),
      update([text('a'), text('b')]),
      update([text('c')]),
      update([text('a', 'A')]),
    );
    expect(codes()).toEqual(['too_many_surfaces', 'too_many_components']);
    expect(model.surfaces.get('s1')?.componentsModel.get('a')?.properties['text']).toBe('A');
  });
});

describe('what a user typed (D7)', () => {
  const form = (name: string): object[] => [
    create(),
    update([{ id: 'root', component: 'TextField', label: 'Name', value: { path: '/name' } }]),
    data('/', { name, other: 1 }),
  ];

  it('is not undone by data that streams in later', () => {
    const { feed, model } = setUp();
    feed(...form(''));
    const surface = model.surfaces.get('s1')!;
    surface.dataModel.set('/name', 'Ann');
    feed(data('/', { name: 'server', other: 2 }), data('/name', 'server'));
    expect(surface.dataModel.get('/')).toEqual({ name: 'Ann', other: 2 });
  });

  it('does not make a model differ from one built of the same messages', () => {
    const a = setUp();
    const b = setUp();
    a.feed(...form(''));
    b.feed(...form(''));
    a.model.surfaces.get('s1')!.dataModel.set('/name', 'Ann');
    expect(a.model.same(b.model)).toBe(true);
    b.feed(data('/other', 3));
    expect(a.model.same(b.model)).toBe(false);
  });

  it('moves to the result where there is still a place for it', () => {
    const a = setUp();
    a.feed(...form(''), data('/rows', [{ done: false }, { done: false }]), data('/deep', { x: 1 }));
    const typed = a.model.surfaces.get('s1')!.dataModel;
    typed.set('/name', 'Ann');
    typed.set('/rows/0/done', true);
    typed.set('/rows/1/done', true);
    typed.set('/deep', 'text');
    typed.set('/gone/x', 1);
    const b = setUp();
    b.feed(...form('Server'), data('/rows', [{ done: false }]), data('/deep', { x: 2 }));
    b.model.adopt(a.model);
    expect(b.model.surfaces.get('s1')!.dataModel.get('/')).toEqual({
      name: 'Ann',
      other: 1,
      rows: [{ done: true }],
      deep: { x: 2 },
    });
  });

  it('gives way to the answer to an action', () => {
    const { feed, model } = setUp();
    feed(...form(''));
    const { dataModel } = model.surfaces.get('s1')!;
    dataModel.set('/name', 'Ann');
    model.feedAnswer(data('/name', ''));
    expect(dataModel.get('/name')).toBe('');
    feed(data('/', { name: 'later' }));
    expect(dataModel.get('/name')).toBe('later');
  });
});
