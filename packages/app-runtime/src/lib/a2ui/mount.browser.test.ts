import { renderMarkdown } from '@a2ui/markdown-it';
import { EPOCH_META_KEY, type ToolResult } from '@mcp-apps-bridge/partial-results';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { a2uiBlock, chunkOf, text as textBlock } from '../../testing/chunks.ts';
import { createAppRuntime } from '../runtime.ts';
import type { AppRuntime } from '../types.ts';
import type { A2uiState } from './consumer.ts';
import type { A2uiAction } from './model.ts';
import { mountA2ui, type A2uiView, type MountA2uiOptions } from './mount.ts';
import type { A2uiProblem } from './types.ts';

const CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

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
const button = (id: string, child: string, action: unknown): object => ({
  id,
  component: 'Button',
  child,
  action,
});

interface Rig {
  element: HTMLElement;
  runtime: AppRuntime<A2uiState>;
  view: A2uiView;
  problems: A2uiProblem[];
  actions: A2uiAction[];
  links: string[];
  send(...messages: unknown[]): Promise<void>;
  finish(...messages: unknown[]): Promise<void>;
  /** What a person can read, shadow roots included, without what is hidden. */
  read(): string;
  find(selector: string): HTMLInputElement;
  findAll(selector: string): Element[];
}

const rigs: Array<() => void> = [];

function setUp(options: MountA2uiOptions = {}): Rig {
  const element = document.body.appendChild(document.createElement('main'));
  const problems: A2uiProblem[] = [];
  const actions: A2uiAction[] = [];
  const links: string[] = [];
  const view = mountA2ui(element, {
    onProblem: (problem) => problems.push(problem),
    onAction: (action) => actions.push(action),
    openLink: (url) => links.push(url),
    ...options,
  });
  const runtime = createAppRuntime({ consumer: view.consumer, onChange: view.update });
  rigs.push(() => {
    runtime.close();
    view.close();
    element.remove();
  });
  let seq = 0;
  return {
    element,
    runtime,
    view,
    problems,
    actions,
    links,
    async send(...messages) {
      runtime.receive(
        chunkOf(seq++, [a2uiBlock(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))]),
      );
      runtime.flush();
      await settle();
    },
    async finish(...messages) {
      runtime.finish(resultOf(...messages));
      await vi.waitFor(() => expect(runtime.snapshot().status).toBe('complete'));
      await settle();
    },
    read: () => readable(element),
    find(selector) {
      const found = deepAll(element, selector)[0];
      if (!found) throw new Error(`no ${selector} on the page`);
      return found as HTMLInputElement;
    },
    findAll: (selector) => deepAll(element, selector),
  };
}

function resultOf(...messages: unknown[]): ToolResult {
  return { content: [a2uiBlock(messages.map((message) => JSON.stringify(message)).join('\n'))] };
}

/** Lit draws in microtasks, a level each; several tasks are more than enough for these pages. */
async function settle(): Promise<void> {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setTimeout(resolve));
}

function readable(node: Node): string {
  if (node instanceof HTMLElement && getComputedStyle(node).display === 'none') return '';
  if (node instanceof Text) return node.data;
  const assigned = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
  const shadow = node instanceof Element ? node.shadowRoot : null;
  const inner = assigned.length > 0 ? assigned : (shadow ?? node).childNodes;
  return [...inner].map(readable).join('').replace(/\s+/g, ' ');
}

function deepAll(node: ParentNode, selector: string): Element[] {
  const own = [...node.querySelectorAll(selector)];
  const hosts = [...node.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : []));
  return [...own, ...hosts.flatMap((root) => deepAll(root, selector))];
}

beforeEach(() => {
  vi.spyOn(window, 'open').mockReturnValue(null);
});

afterEach(() => {
  // A guard for every test here: only the embedder opens links.
  if (vi.mocked(window.open).mock.calls.length > 0) throw new Error('window.open was called');
  vi.restoreAllMocks();
  rigs.splice(0).forEach((close) => close());
});

describe('while it streams', () => {
  it('shows a at once, b when it comes, c from the result, and never an id (field case 74)', async () => {
    const { send, finish, read, findAll, element } = setUp();
    await send(create(), update([column('root', ['id-a', 'id-b', 'id-c']), text('id-a', 'Alpha')]));
    expect(read().trim()).toBe('Alpha');
    expect(
      findAll('mcp-apps-bridge-placeholder[data-empty]').map((one) => getComputedStyle(one).display),
    ).toEqual(['block', 'block']);
    expect(element.querySelector('[aria-busy]')?.getAttribute('aria-busy')).toBe('true');
    await send(update([text('id-b', 'Beta')]));
    expect(read()).toMatch(/Alpha\s*Beta/);
    await finish(
      create(),
      update([
        column('root', ['id-a', 'id-b', 'id-c']),
        text('id-a', 'Alpha'),
        text('id-b', 'Beta'),
        text('id-c', 'Gamma'),
      ]),
    );
    expect(read()).toMatch(/Alpha\s*Beta\s*Gamma/);
    expect(read()).not.toMatch(/id-|Loading|root/);
    expect(element.querySelector('[aria-busy]')?.getAttribute('aria-busy')).toBe('false');
  });

  it('shows a skeleton for a surface without a root, and an empty state once the call ended (field case 75)', async () => {
    const { send, finish, read, find } = setUp();
    await send(create());
    expect(read().trim()).toBe('');
    expect(find('.mcp-apps-a2ui-skeleton').checkVisibility()).toBe(true);
    await finish(create());
    expect(find('.mcp-apps-a2ui-skeleton').checkVisibility()).toBe(false);
  });

  it('keeps a place, as high as the text will be, for data that is not there yet', async () => {
    const { send, find, findAll, read } = setUp({ markdown: renderMarkdown });
    const heading = { id: 'h', component: 'Text', text: { path: '/h' }, variant: 'h2' };
    await send(create(), update([column('root', ['h', 'b']), heading, text('b', { path: '/b' })]));
    expect(read().replaceAll('\u200b', '').trim()).toBe('');
    const before = find('a2ui-basic-column').getBoundingClientRect().height;
    expect(before).toBeGreaterThan(30);
    await send(data('/', { h: 'Heading', b: 'body' }));
    await vi.waitFor(() => expect(findAll('.a2ui-text p')[0]?.textContent).toBe('body'));
    expect(Math.abs(find('a2ui-basic-column').getBoundingClientRect().height - before)).toBeLessThanOrEqual(
      2,
    );
  });

  it('follows interleaved surfaces, a delete and a clean new start (field case 77)', async () => {
    const { send, read, findAll } = setUp();
    await send(
      create('s1'),
      create('s2'),
      update([text('root', 'one')], 's1'),
      update([text('root', 'two')], 's2'),
    );
    expect(read()).toMatch(/one\s*two/);
    await send(remove('s1'), update([text('root', 'ghost')], 's1'));
    expect(read()).not.toMatch(/one|ghost/);
    await send(create('s1'), update([text('root', 'again')], 's1'));
    expect(read()).toMatch(/two\s*again/);
    expect(findAll('a2ui-surface')).toHaveLength(2);
  });

  it('draws the new root when its type changes', async () => {
    const { send, read, findAll } = setUp();
    await send(create(), update([text('root', 'old')]));
    await send(update([column('root', ['x']), text('x', 'new')]));
    expect(read().trim()).toBe('new');
    expect(findAll('a2ui-basic-column')).toHaveLength(1);
  });

  it('gives up what a newer version of a component left out', async () => {
    const { send, findAll } = setUp();
    await send(create(), update([{ id: 'root', component: 'Text', text: 'a', variant: 'h1' }]));
    expect(findAll('h1')).toHaveLength(1);
    await send(update([text('root', 'a')]));
    expect(findAll('h1')).toHaveLength(0);
  });

  it('no longer complains once a newer version of a field has no checks', async () => {
    const { send, read } = setUp();
    const field = { id: 'root', component: 'TextField', label: 'L', value: { path: '/v' } };
    const check = { condition: { call: 'required', args: { value: { path: '/v' } } }, message: 'needed' };
    await send(create(), update([{ ...field, checks: [check] }]), data('/v', ''));
    expect(read()).toContain('needed');
    await send(update([field]));
    expect(read()).not.toContain('needed');
  });

  it('draws an unknown component as what is in it, and a broken one as nothing (field case 79)', async () => {
    const { send, read, problems } = setUp();
    const components = [
      null,
      {},
      { id: 'x' },
      column('root', ['y', 'x', 'ok', 'z']),
      { id: 'y', component: 'YouTub' },
    ];
    await send(
      create(),
      update([...components, { id: 'z', component: 'Grid', children: ['in'] }, text('in', 'inside')]),
    );
    await send(update([{ id: 'ok', component: 'Text', text: 'hi', futureProp: 1 }]));
    expect(read()).toMatch(/^\s*hi\s*inside\s*$/);
    expect(problems.map(({ code }) => code)).toEqual([
      'invalid_component',
      'invalid_component',
      'invalid_component',
      'unknown_component',
      'unknown_component',
    ]);
  });

  it('says in one line that a version is not supported (field cases 78, 95)', async () => {
    const { send, read, find } = setUp();
    await send({ surfaceUpdate: {} }, { version: 'v9', createSurface: { surfaceId: 's1' } });
    expect(find('[role=status]').textContent).toMatch(/v0\.8.*v9/);
    await send(create(), update([text('root', 'fine')]));
    expect(read()).toContain('fine');
  });
});

describe('icons', () => {
  it('are shapes, never their names; an unknown one is a neutral shape', async () => {
    const { send, read, findAll } = setUp();
    const names = ['star', 'accountCircle', 'rocketLaunch', { path: '/icon' }, { svgPath: 'M0 0h24v24z' }];
    await send(
      create(),
      update([
        column(
          'root',
          names.map((_, i) => `i${i}`),
        ),
        ...names.map((name, i) => ({ id: `i${i}`, component: 'Icon', name })),
      ]),
      data('/icon', 'home'),
    );
    const shapes = findAll('mcp-apps-bridge-icon path').map((path) => path.getAttribute('d'));
    expect(shapes).toHaveLength(5);
    expect(new Set(shapes).size).toBe(5);
    expect(shapes[4]).toBe('M0 0h24v24z');
    expect(read().trim()).toBe('');
    const [box] = findAll('mcp-apps-bridge-icon svg').map((svg) => svg.getBoundingClientRect());
    expect([box?.width, box?.height]).toEqual([24, 24]);
    await send(data('/icon', 'lock'));
    expect(findAll('mcp-apps-bridge-icon path')[3]?.getAttribute('d')).not.toBe(shapes[3]);
  });
});

describe('the end', () => {
  const page = [
    create(),
    update([
      column('root', ['name', 'note']),
      { id: 'name', component: 'TextField', label: 'Name', value: { path: '/name' } },
      text('note', { path: '/note' }),
    ]),
    data('/', { name: '', note: 'n1' }),
  ];

  function type(field: HTMLInputElement, value: string): void {
    field.focus();
    field.value = value;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    field.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
  }

  it('that came to the same leaves elements, focus and typed text alone (D7)', async () => {
    const { send, finish, find } = setUp();
    await send(...page);
    const field = find('input');
    type(field, 'Ann');
    await settle();
    await finish(...page);
    expect(find('input')).toBe(field);
    expect(field.value).toBe('Ann');
    expect((field.getRootNode() as ShadowRoot).activeElement).toBe(field);
  });

  it('that differs takes over and keeps what was typed (D7, field case 76)', async () => {
    const { send, finish, find, read } = setUp();
    await send(...page);
    type(find('input'), 'Ann');
    await settle();
    await finish(...page.slice(0, 2), data('/', { name: 'server', note: 'n2' }));
    expect(read()).toContain('n2');
    expect(find('input').value).toBe('Ann');
  });

  it('is shown to a view that saw no chunk (field case 20)', async () => {
    const { finish, read } = setUp();
    await finish(create(), update([text('root', 'all at once')]));
    expect(read().trim()).toBe('all at once');
  });

  it('with an error keeps what came, out of reach, and says why (field case 82)', async () => {
    const { send, runtime, read, find } = setUp();
    await send(create(), update([text('root', 'half')]));
    runtime.finish({ isError: true, content: [textBlock('quota')] });
    await vi.waitFor(() => expect(find('[role=alert]').textContent).toBe('quota'));
    expect(read()).toMatch(/half.*quota/);
    expect(find('a2ui-surface').inert).toBe(true);
  });

  it('after a cancel keeps what came, out of reach (field case 84)', async () => {
    const { send, runtime, find } = setUp();
    await send(create(), update([text('root', 'half')]));
    runtime.cancel();
    await vi.waitFor(() => expect(find('a2ui-surface').inert).toBe(true));
    await send(update([text('root', 'late')]));
    expect(find('a2ui-surface').shadowRoot?.textContent).toContain('half');
  });

  it('shows text alone where there is no surface, and both on demand (field case 29)', async () => {
    const only = setUp();
    only.runtime.finish({ content: [textBlock('just words')] });
    await vi.waitFor(() => expect(only.read()).toContain('just words'));
    const both = setUp({ text: 'always' });
    const { content = [] } = resultOf(create(), update([text('root', 'surface')]));
    both.runtime.finish({ content: [textBlock('before '), ...content, textBlock('after')] });
    await vi.waitFor(() => expect(both.read()).toMatch(/before\s*surface\s*after/));
    const fallback = setUp();
    fallback.runtime.finish({ content: [textBlock('in words'), ...content] });
    await vi.waitFor(() => expect(fallback.read().trim()).toBe('surface'));
  });

  it('of a replay is not preceded by an empty page (D2)', async () => {
    const { send, runtime, read } = setUp();
    await send(create(), update([text('root', 'first')]));
    const meta = { _meta: { [EPOCH_META_KEY]: 1 } };
    runtime.receive(chunkOf(0, [textBlock('')], meta));
    runtime.flush();
    expect(read()).toContain('first');
    runtime.receive(
      chunkOf(
        1,
        [a2uiBlock(`${JSON.stringify(create())}\n${JSON.stringify(update([text('root', 'again')]))}\n`)],
        meta,
      ),
    );
    runtime.flush();
    await settle();
    expect(read().trim()).toBe('again');
  });
});

describe('actions', () => {
  it('go out with their resolved context; the answer updates the page and outlives later snapshots', async () => {
    const { send, finish, find, actions, view, read, runtime } = setUp();
    const page = [
      create(),
      update([
        column('root', ['go', 'out']),
        button('go', 'label', { event: { name: 'refresh', context: { id: { path: '/id' } } } }),
        text('label', 'Go'),
        text('out', { path: '/out' }),
      ]),
      data('/', { id: 7, out: 'before' }),
    ];
    await send(...page);
    await finish(...page);
    find('button').click();
    expect(actions).toMatchObject([
      { name: 'refresh', surfaceId: 's1', sourceComponentId: 'go', context: { id: 7 } },
    ]);
    view.answer(resultOf(data('/out', 'after'), create('s2'), update([text('root', 'second')], 's2')));
    await settle();
    expect(read()).toMatch(/after\s*second/);
    view.update({ ...runtime.snapshot() });
    await settle();
    expect(read()).toMatch(/after\s*second/);
  });

  it('open a link on a click only, by the embedder, and only to the web (field cases 45, 46)', async () => {
    const { send, finish, findAll, links, problems } = setUp();
    const open = (url: unknown): object => ({ functionCall: { call: 'openUrl', args: { url } } });
    const urls = [
      'https://example.test/a',
      { path: '/url' },
      'javascript:alert(1)',
      'data:text/html,x',
      '\u0001javascript:x',
      'vbscript:x',
    ];
    const page = [
      create(),
      data('/url', 'http://example.test/b'),
      update([
        column('root', [...urls.map((_, i) => `b${i}`), 't', 'f', 'c']),
        ...urls.map((url, i) => button(`b${i}`, `l${i}`, open(url))),
        ...urls.map((_, i) => text(`l${i}`, `open ${i}`)),
        text('t', { call: 'openUrl', args: { url: 'https://example.test/bound' } }),
        text('f', {
          call: 'formatString',
          args: { value: "${openUrl(url:'https://example.test/expression')}" },
        }),
        {
          id: 'c',
          component: 'TextField',
          label: 'L',
          value: '',
          checks: [
            { condition: { call: 'openUrl', args: { url: 'https://example.test/check' } }, message: 'm' },
          ],
        },
      ]),
    ];
    await send(...page);
    await finish(...page);
    expect(links).toEqual([]);
    for (const one of findAll('button')) (one as HTMLElement).click();
    await settle();
    expect(links).toEqual(['https://example.test/a', 'http://example.test/b']);
    expect(problems.map(({ code }) => code)).toContain('bound_side_effect');
  });
});

describe('markdown', () => {
  it('is rendered by the given function; links go to the embedder, scripts nowhere (field cases 39, 45)', async () => {
    const { send, find, findAll, links, read } = setUp({ markdown: renderMarkdown });
    await send(
      create(),
      update([
        text(
          'root',
          '**bold** [ok](https://example.test/) [bad](javascript:alert(1)) <img src=x onerror=alert(1)>',
        ),
      ]),
    );
    await vi.waitFor(() => expect(find('strong').textContent).toBe('bold'));
    for (const link of findAll('a')) (link as HTMLElement).click();
    expect(links).toEqual(['https://example.test/']);
    expect(findAll('img,script,[onerror]')).toEqual([]);
    expect(read()).toContain('bold');
  });

  it('is shown as its source, as text, without one', async () => {
    const { send, read, findAll } = setUp();
    await send(create(), update([text('root', '**bold** <b>x</b>')]));
    expect(read()).toContain('**bold** <b>x</b>');
    expect(findAll('b,strong')).toEqual([]);
  });
});

describe('hostile streams', () => {
  it('leave the page alive and say what is missing (field cases 48, 49)', async () => {
    const { send, read, find, problems } = setUp();
    await send(
      create(),
      update([column('root', ['ok', 'cycle', 'list', 'field', 'self'])]),
      update([text('ok', 'alive')]),
      update([column('cycle', ['back']), column('back', ['cycle']), column('self', ['self'])]),
      update([column('list', { componentId: 'row', path: '/rows' }), text('row', { path: '.' })]),
      data('/rows', Array(100_000).fill('x')),
      update(Array.from({ length: 8 }, (_, i) => column(`c${i}`, Array(12).fill(`c${i + 1}`)))),
      update([
        {
          id: 'field',
          component: 'TextField',
          label: 'L',
          value: { path: '/v' },
          checks: [
            {
              condition: { call: 'regex', args: { value: { path: '/v' }, pattern: '^(a{1,10})*$' } },
              message: 'no match',
            },
          ],
        },
      ]),
      data('/v', `${'a'.repeat(30)}!`),
    );
    expect(read()).toContain('alive');
    expect(problems.map(({ code }) => code)).toEqual(['cycle', 'cycle', 'cycle', 'list_too_long']);
    expect(find('[role=status]').textContent).toContain('could not be shown');
    await send(update([column('root', ['c0'])]));
    expect(problems.at(-1)?.code).toBe('too_many_nodes');
    expect(read()).toContain('alive');
  });

  it('bound below a prototype cost one component, not its neighbours (field case 47)', async () => {
    const { send, read } = setUp();
    await send(
      create(),
      update([column('root', ['a', 'b', 'c']), text('a', { path: '/__proto__/x' }), text('b', 'here')]),
    );
    await send(update([text('c', { call: 'formatString', args: { value: '${/__proto__/polluted}!' } })]));
    expect(read()).toContain('here');
  });
});

it('works where storage cannot be touched (field case 60)', async () => {
  const storage = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  const { send, read } = setUp();
  await send(create(), update([text('root', 'renders')]));
  expect(read().trim()).toBe('renders');
  expect(storage).not.toHaveBeenCalled();
});

it('leaves nothing behind after close, and ignores what comes later (field case 67)', async () => {
  const { element, send, view, runtime, actions } = setUp();
  await send(create(), update([button('root', 'l', { event: { name: 'x' } }), text('l')]));
  const gone = deepAll(element, 'button')[0] as HTMLElement;
  view.close();
  view.update(runtime.snapshot());
  gone.click();
  expect(element.childNodes).toHaveLength(0);
  expect(actions).toEqual([]);
});
