import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sanitizeA2ui } from './a2ui.ts';

const LIMITS = {
  maxDepth: 64,
  maxValues: 100_000,
  maxStringChars: 100_000,
  maxKeyChars: 1_000,
  maxComponents: 100,
};

function check(message: Record<string, unknown>) {
  const reports: string[] = [];
  const value = sanitizeA2ui(message, '$', (code, path) => void reports.push(`${code} ${path}`), LIMITS);
  return { value, reports };
}

const update = (...components: unknown[]) => ({
  version: 'v0.9',
  updateComponents: { surfaceId: 's', components },
});

const root = fileURLToPath(new URL('../../../../node_modules/@a2ui/web_core', import.meta.url));

test.each(['v0_9', 'v1_0'])('every published example of %s passes unchanged', (version) => {
  const folder = join(root, 'src', version, 'schemas/catalogs/basic/examples');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const example = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      messages: Record<string, unknown>[];
    };
    const messages = Array.isArray(example) ? (example as Record<string, unknown>[]) : example.messages;
    for (const message of messages) {
      const { value, reports } = check(message);
      expect([file, reports]).toEqual([file, []]);
      expect(JSON.stringify(value)).toBe(JSON.stringify(message));
    }
  }
});

describe('messages refused whole', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no message', { version: 'v0.9' }, 'a2ui_unknown_message $'],
    ['an unknown one', { version: 'v0.9', evil: {} }, 'a2ui_unknown_message $'],
    ['two at once', { version: 'v0.9', deleteSurface: {}, createSurface: {} }, 'a2ui_unknown_message $'],
    [
      'a body that is no object',
      { version: 'v0.9', createSurface: 'x' },
      'a2ui_unknown_message $.createSurface',
    ],
    [
      'case 78: an unknown version',
      { version: 'v9', createSurface: {} },
      'a2ui_unsupported_version $.version',
    ],
    ['a message of another version', { version: 'v0.9', surfaceUpdate: {} }, 'a2ui_unknown_message $'],
    ['a 1.0 message under 0.9', { version: 'v0.9', callRendererFunction: {} }, 'a2ui_unknown_message $'],
    [
      'case 47: a prototype path',
      { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/__proto__/admin', value: 1 } },
      'a2ui_forbidden_path $.updateDataModel.path',
    ],
    [
      'case 47: one behind an escape',
      { version: 'v0.9', updateDataModel: { path: '/a/constructor~1prototype/x' } },
      'a2ui_forbidden_path $.updateDataModel.path',
    ],
    [
      'case 47: one behind percent signs',
      { version: 'v0.9', updateDataModel: { path: '/%5F%5Fproto__/x', value: 1 } },
      'a2ui_forbidden_path $.updateDataModel.path',
    ],
    [
      'case 47: a binding',
      update({ id: 'a', component: 'Text', text: { path: '/__proto__/x' } }),
      'a2ui_forbidden_path $.updateComponents.components[0].text.path',
    ],
    [
      'case 47: a 0.8 data key',
      { dataModelUpdate: { contents: [{ key: 'm', valueMap: [{ key: '__proto__', valueString: 'x' }] }] } },
      'a2ui_forbidden_path $.dataModelUpdate.contents[0].valueMap[0].key',
    ],
    [
      'case 49: too many components',
      update(...Array.from({ length: 101 }, () => ({}))),
      'a2ui_too_many_components $.updateComponents.components',
    ],
    [
      'case 46: a function call that opens a page',
      {
        version: 'v1.0',
        callRendererFunction: { callFunction: { call: 'openUrl', args: { url: 'https://a.test' } } },
      },
      'a2ui_open_url $.callRendererFunction.callFunction',
    ],
  ])('%s', (_, message, report) => {
    const { value, reports } = check(message);
    expect(value).toBeUndefined();
    expect(reports).toEqual([report]);
  });

  test('case 49: twenty thousand nested calls', () => {
    let call: unknown = 1;
    for (let i = 0; i < 20_000; i++) call = { call: 'not', args: { value: call } };
    const { value, reports } = check(update({ id: 'a', component: 'Text', text: call }));
    expect(value).toBeUndefined();
    expect(reports[0]).toMatch(/^too_deep /);
  });
});

describe('properties emptied, so that the component stays valid', () => {
  const openUrl = (url: unknown) => ({ call: 'openUrl', args: { url } });
  test.each<[string, Record<string, unknown>, string, unknown]>([
    ['case 45: a script URL', { url: 'javascript:alert(1)' }, 'a2ui_bad_url .url', { url: '' }],
    ['a disguised one', { imageUrl: 'java\tscript:x' }, 'a2ui_bad_url .imageUrl', { imageUrl: '' }],
    ['an SVG data URL', { src: 'data:image/svg+xml,<svg onload=x>' }, 'a2ui_bad_url .src', { src: '' }],
    [
      'a 0.8 literal',
      { url: { literalString: 'javascript:x' } },
      'a2ui_bad_url .url.literalString',
      { url: { literalString: '' } },
    ],
    [
      'case 46: openUrl while drawing',
      { text: openUrl('https://a.test') },
      'a2ui_open_url .text',
      { text: '' },
    ],
    [
      'openUrl deep inside',
      { text: { call: 'concat', args: { values: [openUrl('https://a.test')] } } },
      'a2ui_open_url .text.args.values[0]',
      { text: { call: 'concat', args: { values: [''] } } },
    ],
    [
      'openUrl on click, to a script',
      { action: { functionCall: openUrl('javascript:x') } },
      'a2ui_open_url .action.functionCall',
      { action: { functionCall: '' } },
    ],
    [
      'openUrl on click, bound',
      { action: { functionCall: openUrl({ path: '/u' }) } },
      'a2ui_open_url .action.functionCall',
      { action: { functionCall: '' } },
    ],
    [
      'case 48: a pattern',
      { checks: [{ call: 'regex', args: { value: '', pattern: '^(a+)+$' } }] },
      'a2ui_regex .checks[0].args.pattern',
      { checks: [{ call: 'regex', args: { value: '', pattern: '' } }] },
    ],
    [
      'a bound pattern',
      { checks: [{ call: 'regex', args: { pattern: { path: '/p' } } }] },
      'a2ui_regex .checks[0].args.pattern',
      { checks: [{ call: 'regex', args: { pattern: '' } }] },
    ],
    [
      'a 0.8 pattern',
      { validationRegexp: '(a+)+b' },
      'a2ui_regex .validationRegexp',
      { validationRegexp: '' },
    ],
    [
      'a template that opens a page',
      { text: { call: 'formatString', args: { value: "${openUrl(url: 'https://a.test')}" } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
    [
      'a template that is bound',
      { text: { call: 'formatString', args: { value: { path: '/t' } } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
    [
      'a template inside a template',
      { text: { call: 'formatString', args: { value: '${formatString(value: ${/t})}' } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
    ['upper case', { URL: 'javascript:x' }, 'a2ui_bad_url .URL', { URL: '' }],
    [
      'one of several',
      { urls: ['https://a.test', 'data:text/html,x'] },
      'a2ui_bad_url .urls[1]',
      { urls: ['https://a.test', ''] },
    ],
    ['a script behind another name', { poster: 'javascript:x' }, 'a2ui_bad_url .poster', { poster: '' }],
    [
      'the same as a 0.8 literal',
      { link: { literalString: 'javascript:x' } },
      'a2ui_bad_url .link.literalString',
      { link: { literalString: '' } },
    ],
    [
      'a URL put together from a script scheme',
      { url: { call: 'formatString', args: { value: 'javascript:${/x}' } } },
      'a2ui_bad_url .url.args.value',
      { url: '' },
    ],
    ['case 48: a pattern of another catalog', { pattern: '^(a+)+$' }, 'a2ui_regex .pattern', { pattern: '' }],
    [
      'a template that reads a relative prototype',
      { text: { call: 'formatString', args: { value: '${constructor/prototype/x}' } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
    [
      'one that hides the call behind a quoted brace',
      { text: { call: 'formatString', args: { value: "${f(a: '}', b: openUrl(url: 'https://a.test'))}" } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
    [
      'case 45: a script link in Markdown',
      { text: 'see [x](javascript:alert(1)) and [y](https://a.test)' },
      'a2ui_markdown_link .text',
      { text: 'see [x](#alert(1)) and [y](https://a.test)' },
    ],
    [
      'one behind entities',
      { text: { literalString: '[x]( <JaVa&#x09;Script&colon;alert(1)>)' } },
      'a2ui_markdown_link .text.literalString',
      { text: { literalString: '[x]( <#alert(1)>)' } },
    ],
    [
      'one in a reference, one in angle brackets',
      { text: '[x]: vbscript:a\n<javascript:b> ![i](data:image/png;base64,AA)' },
      'a2ui_markdown_link .text',
      { text: '[x]: #a\n<#b> ![i](data:image/png;base64,AA)' },
    ],
    [
      'one in a template',
      { text: { call: 'formatString', args: { value: '[${/n}](data:text/html,x)' } } },
      'a2ui_markdown_link .text.args.value',
      { text: { call: 'formatString', args: { value: '[${/n}](#text/html,x)' } } },
    ],
    [
      'a template that reads a prototype',
      { text: { call: 'formatString', args: { value: '${/__proto__/x}' } } },
      'a2ui_template .text.args.value',
      { text: '' },
    ],
  ])('%s', (_, properties, report, expected) => {
    const { value, reports } = check(update({ id: 'a', component: 'X', ...properties }));
    const at = '$.updateComponents.components[0]';
    expect(reports).toEqual([report.replace(' ', ` ${at}`)]);
    expect(value).toEqual(update({ id: 'a', component: 'X', ...(expected as object) }));
  });
});

test('what is fine stays: links on click, bindings, text with markup, data of any kind, unknown properties', () => {
  const messages = [
    update(
      {
        id: 'a',
        component: 'Button',
        action: { functionCall: { call: 'openUrl', args: { url: 'https://a.test' } } },
      },
      { id: 'b', component: 'Image', url: { path: '/image' } },
      {
        id: 'c',
        component: 'Text',
        text: '<img src=x onerror=alert(1)> [x](https://a.test) [y]: note, <data:row/> if (a <b: c) ](x)',
        futureProp: 1,
      },
      {
        id: 'd',
        component: 'Text',
        text: { call: 'formatString', args: { value: '${/a} of openUrl( and constructor, regex(' } },
      },
      {
        id: 'e',
        component: 'X',
        icon: 'data: 5 rows',
        link: '/home',
        pattern: "EEE, d MMM yyyy 'at (",
        srcset: 'a.png 2x',
        url: { call: 'formatString', args: { value: 'https://a.test/${/id}' } },
        urls: ['https://a.test', ''],
        poster: 'data:image/png;base64,AAAA',
      },
      { id: 'f', component: 'Image', url: { call: 'formatString', args: { value: '${/base}/x.png' } } },
      null,
      {},
    ),
    {
      version: 'v0.9',
      updateDataModel: {
        surfaceId: 's',
        path: '/rows',
        value: {
          url: 'javascript:1',
          call: 'openUrl',
          path: '/__proto__',
          constructor: 'Ferrari',
          zero: 0,
          no: false,
          '': '',
        },
      },
    },
    {
      version: 'v1.0',
      createSurface: { surfaceId: 's', dataModel: { path: '/constructor', call: 'openUrl' } },
    },
  ];
  for (const message of messages) {
    const { value, reports } = check(message);
    expect(reports).toEqual([]);
    expect(JSON.stringify(value)).toBe(JSON.stringify(message));
  }
});

test('case 45: links are looked for in one pass, however many seem to begin', () => {
  for (const part of ['](', '](  ', ']:<', '](java', '](&#106', '](java](script:']) {
    const text = part.repeat(20_000);
    const { value } = check(update({ id: 'a', component: 'Text', text: text.slice(0, 99_000) }));
    expect(value).toBeDefined();
  }
});
