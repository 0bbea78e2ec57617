/* oxlint-disable max-lines -- one table of data, read from top to bottom */
/*
 * A2UI messages that abuse a renderer: what the notes on its packages say happens without a gate (cycles, huge
 * lists, patterns, prototype bindings, bound functions), field cases 45 to 49, 77 and 78, and the issues those name.
 */
export interface A2uiEntry {
  name: string;
  messages: readonly unknown[];
  /** Every reason that is given; none: the message is sound by itself and the view's gate decides. */
  codes: readonly string[];
  /** How many messages are left. */
  left: number;
  /** Its line cannot be read to the end. */
  unreadable?: boolean;
}

export const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

const create = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: CATALOG } };
const update = (...components: unknown[]): unknown => ({
  version: 'v0.9',
  updateComponents: { surfaceId: 's', components },
});
const data = (path: string, value: unknown): unknown => ({
  version: 'v0.9',
  updateDataModel: { surfaceId: 's', path, value },
});
const text = (value: unknown): unknown => update({ id: 'root', component: 'Text', text: value });
const column = (id: string, children: unknown): unknown => ({ id, component: 'Column', children });
const openUrl = { call: 'openUrl', args: { url: 'https://example.test' } };
const own = (json: string): unknown => JSON.parse(json);

/** `value` inside `levels` objects. */
function nest(levels: number, wrap: (value: unknown) => unknown, value: unknown = 1): unknown {
  let nested = value;
  for (let i = 0; i < levels; i++) nested = wrap(nested);
  return nested;
}

/* The limits these are made for, small enough to cut the payload everywhere. */
export const A2UI_TEST_LIMITS = { maxValues: 300, maxStringChars: 1_000, maxComponents: 20, maxDepth: 24 };

export const A2UI_ABUSE: readonly A2uiEntry[] = [
  {
    name: 'case 49: two components hold each other',
    messages: [create, update(column('root', ['a']), column('a', ['b']), column('b', ['a']))],
    codes: [],
    left: 2,
  },
  {
    name: 'case 49: a component holds itself',
    messages: [create, update(column('root', ['root']))],
    codes: [],
    left: 2,
  },
  {
    name: 'case 49: few components that multiply',
    messages: [
      create,
      update(
        ...Array.from({ length: 8 }, (_, i) =>
          column(
            i ? `c${i}` : 'root',
            Array.from({ length: 6 }, () => `c${i + 1}`),
          ),
        ),
      ),
    ],
    codes: [],
    left: 2,
  },
  {
    name: 'case 49: a giant list of children',
    messages: [
      create,
      update(
        column(
          'root',
          Array.from({ length: 400 }, () => 'x'),
        ),
      ),
    ],
    codes: ['too_many_values'],
    left: 1,
  },
  {
    name: 'case 49: a giant list in the data model',
    messages: [
      create,
      data(
        '/rows',
        Array.from({ length: 400 }, (_, i) => i),
      ),
    ],
    codes: ['too_many_values'],
    left: 1,
  },
  {
    name: 'case 49: too many components',
    messages: [
      create,
      update(...Array.from({ length: 21 }, (_, i) => ({ id: `c${i}`, component: 'Divider' }))),
    ],
    codes: ['a2ui_too_many_components'],
    left: 1,
  },
  {
    name: 'case 49: nested calls',
    messages: [create, text(nest(30, (value) => ({ call: 'not', args: { value } })))],
    codes: ['too_deep'],
    left: 1,
  },
  {
    name: 'nesting that no parser should be asked to read',
    messages: [
      create,
      data(
        '/deep',
        nest(130, (value) => [value]),
      ),
    ],
    codes: ['a2ui_unknown_message'],
    left: 1,
    unreadable: true,
  },
  { name: 'a huge string', messages: [create, text('x'.repeat(1_001))], codes: ['string_too_long'], left: 1 },
  {
    name: 'case 48: patterns that hang',
    messages: [
      create,
      update(
        {
          id: 'root',
          component: 'TextField',
          label: 'a',
          checks: [{ call: 'regex', args: { value: { path: '/v' }, pattern: '^(a+)+$' }, message: 'm' }],
        },
        {
          id: 'b',
          component: 'TextField',
          label: 'b',
          checks: [{ condition: { call: 'regex', args: { value: 'aaaa', pattern: '^(a{1,10})*$' } } }],
        },
        { id: 'c', component: 'TextField', label: 'c', validationRegexp: '(a+)+b' },
        { id: 'd', component: 'Own', pattern: '(.*)*x' },
        {
          id: 'e',
          component: 'TextField',
          label: 'e',
          checks: [{ call: 'regex', args: { value: 'a', pattern: { path: '/p' } } }],
        },
      ),
    ],
    codes: ['a2ui_regex'],
    left: 2,
  },
  {
    name: 'case 47: a data path',
    messages: [create, data('/__proto__/admin', true)],
    codes: ['a2ui_forbidden_path'],
    left: 1,
  },
  {
    name: 'case 47: constructor and prototype',
    messages: [create, data('/constructor/prototype/x', 1)],
    codes: ['a2ui_forbidden_path'],
    left: 1,
  },
  {
    name: 'case 47: behind escapes',
    messages: [create, data('/a/~0/..~1__proto__~1x', 1), data('/%5f%5fproto__', 1)],
    codes: ['a2ui_forbidden_path'],
    left: 1,
  },
  {
    name: 'case 47: a binding',
    messages: [create, text({ path: '/__proto__/x' })],
    codes: ['a2ui_forbidden_path'],
    left: 1,
  },
  {
    name: 'case 47: a list template',
    messages: [create, update(column('root', { componentId: 'a', path: '/constructor/prototype' }))],
    codes: ['a2ui_forbidden_path'],
    left: 1,
  },
  {
    name: 'case 47: keys in the data model',
    messages: [
      create,
      own(
        '{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/","value":{"__proto__":{"x":1},"a":{"constructor":{"prototype":{"x":1}}},"b":1}}}',
      ),
    ],
    codes: ['forbidden_key'],
    left: 2,
  },
  {
    name: 'case 47: keys in a component and in the message',
    messages: [
      create,
      own(
        '{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"a","__proto__":{"x":1}}],"__proto__":{"x":1}}}',
      ),
      own('{"version":"v0.9","__proto__":{"x":1},"deleteSurface":{"surfaceId":"t"}}'),
    ],
    codes: ['a2ui_unknown_message', 'forbidden_key'],
    left: 2,
  },
  {
    name: 'case 47: a 0.8 data key',
    messages: [
      { dataModelUpdate: { surfaceId: 's', contents: [{ key: '__proto__', valueString: 'x' }] } },
      { dataModelUpdate: { surfaceId: 's', path: '/prototype', contents: [] } },
    ],
    codes: ['a2ui_forbidden_path'],
    left: 0,
  },
  {
    name: 'case 46: a bound function opens a page',
    messages: [create, text(openUrl)],
    codes: ['a2ui_open_url'],
    left: 2,
  },
  {
    name: 'case 46: in every place a value can be bound',
    messages: [
      create,
      update(
        { id: 'root', component: 'Column', children: ['a'], accessibility: { label: openUrl } },
        { id: 'a', component: 'Image', url: openUrl, altText: openUrl },
        {
          id: 'b',
          component: 'Button',
          child: 'a',
          action: { event: { name: 'x', context: { a: openUrl } } },
        },
        { id: 'c', component: 'TextField', label: openUrl, checks: [{ condition: openUrl }] },
        { id: 'd', component: 'Tabs', tabs: [{ title: openUrl, child: 'a' }] },
        { id: 'e', component: 'Text', text: { call: 'and', args: { values: [openUrl, [openUrl]] } } },
      ),
    ],
    codes: ['a2ui_open_url'],
    left: 2,
  },
  {
    name: 'case 46: inside a template',
    messages: [
      create,
      text({ call: 'formatString', args: { value: "a ${openUrl(url: 'https://example.test')}" } }),
      text({
        call: 'formatString',
        args: { value: "${f(a: '}', b: openUrl (url: 'https://example.test'))}" },
      }),
      text({
        call: 'formatString',
        args: { value: "${formatString(value: '${regex(value: \\'a\\', pattern: \\'(a+)+\\')}')}" },
      }),
      text({ call: 'formatString', args: { value: '${__proto__/x} ${constructor/prototype/y}' } }),
      text({ call: 'formatString', args: { value: { path: '/template' } } }),
    ],
    codes: ['a2ui_template'],
    left: 6,
  },
  {
    name: 'case 46: by order of the agent',
    messages: [
      {
        version: 'v1.0',
        callRendererFunction: { functionCallId: '1', callFunction: { catalogId: CATALOG, ...openUrl } },
      },
    ],
    codes: ['a2ui_open_url'],
    left: 0,
  },
  {
    name: 'case 45: a click that opens a script',
    messages: [
      create,
      update({
        id: 'root',
        component: 'Button',
        child: 'a',
        action: { functionCall: { call: 'openUrl', args: { url: 'javascript:alert(1)' } } },
      }),
      update({
        id: 'root',
        component: 'Button',
        child: 'a',
        action: { functionCall: { call: 'openUrl', args: { url: { path: '/u' } } } },
      }),
    ],
    codes: ['a2ui_open_url'],
    left: 3,
  },
  {
    name: 'case 45: script links in Markdown',
    messages: [
      create,
      text('[x](javascript:alert(1)) [y](JaVa&#x09;Script:alert(1)) [z]: vbscript:a\n<javascript:alert(1)>'),
      text({ call: 'formatString', args: { value: '[${/x}](data:text/html,${/y})' } }),
    ],
    codes: ['a2ui_markdown_link'],
    left: 3,
  },
  {
    name: 'case 45: URL properties by any name',
    messages: [
      create,
      update(
        { id: 'root', component: 'Image', url: 'javascript:alert(1)' },
        { id: 'a', component: 'Video', url: 'data:text/html,x', posterUrl: 'javascript:x' },
        {
          id: 'b',
          component: 'Own',
          URL: 'javascript:x',
          links: ['javascript:x'],
          urls: ['vbscript:x'],
          icon: { literalString: 'javascript:x' },
        },
        { id: 'c', component: 'Image', url: { call: 'formatString', args: { value: 'javascript:${/x}' } } },
        { id: 'd', component: 'Image', url: 'x" onerror="alert(1)' },
      ),
      {
        version: 'v1.0',
        createSurface: { surfaceId: 't', catalogId: CATALOG, theme: { iconUrl: 'javascript:x' } },
      },
    ],
    codes: ['a2ui_bad_url'],
    left: 3,
  },
  {
    name: 'case 78: versions and shapes nobody defined',
    messages: [
      { version: 'v9', createSurface: {} },
      { version: 'v0.9', surfaceUpdate: {} },
      { version: 'v0.9', createSurface: {}, deleteSurface: {} },
      { version: 'v0.9', createSurface: 'x' },
      { version: ['v0.9'], createSurface: {} },
      { toString: {} },
      {},
    ],
    codes: ['a2ui_unknown_message', 'a2ui_unsupported_version'],
    left: 0,
  },
  {
    name: 'case 79: components that are none',
    messages: [
      create,
      update(null, {}, 5, [], 'x', { id: 'x' }, { id: '__proto__', component: 'Text', text: 'a' }),
    ],
    codes: [],
    left: 2,
  },
];
