import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyJson } from './json.ts';
import { essenceOf, holdsMarkup, isActiveMarkup, isBase64 } from './media.ts';
import { isSafePattern } from './regex.ts';
import {
  isExecutableUrl,
  isLoadableUrl,
  isResourceUri,
  isResourceUriList,
  isWebUrl,
  schemeOf,
} from './urls.ts';

const LIMITS = { maxDepth: 64, maxValues: 1_000, maxStringChars: 1_000, maxKeyChars: 100 };

function copy(value: unknown): { value: unknown; reports: string[] } {
  const reports: string[] = [];
  return {
    value: copyJson(value, '$', (code, path) => void reports.push(`${code} ${path}`), LIMITS),
    reports,
  };
}

describe('JSON values', () => {
  test('property: plain JSON is copied exactly, and the copy shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
        if (/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value))) return;
        const { value: copied, reports } = copy(value);
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value));
        expect(reports).toEqual([]);
        if (typeof value === 'object' && value !== null) expect(copied).not.toBe(value);
      }),
    );
  });

  test('case 47: keys that reach a prototype are dropped, columns of the same name are not', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__":{"x":1},"a":{"constructor":{"prototype":{"y":1}}},"prototype":[1],"constructor":"Ferrari","toString":"own"}',
    );
    const { value, reports } = copy(hostile);
    expect(JSON.stringify(value)).toBe('{"a":{},"constructor":"Ferrari","toString":"own"}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(reports).toEqual([
      'forbidden_key $.__proto__',
      'forbidden_key $.a.constructor',
      'forbidden_key $.prototype',
    ]);
  });

  test.each([
    ['depth', nested(64), 'ok'],
    ['depth', nested(65), `too_deep $${'[0]'.repeat(64)}`],
    ['values', Array.from({ length: 999 }, () => 0), 'ok'],
    ['values', Array.from({ length: 1_000 }, () => 0), 'too_many_values $[999]'],
    ['string', 'x'.repeat(1_000), 'ok'],
    ['string', ['x'.repeat(1_001)], 'string_too_long $[0]'],
    ['key', { ['k'.repeat(100)]: 1 }, 'ok'],
    ['key', { ['k'.repeat(101)]: 1 }, `key_too_long $.${'k'.repeat(80)}`],
    ['not JSON', { a: () => 1 }, 'not_json $.a'],
    ['not JSON', { a: new Date(0) }, 'not_json $.a'],
    ['not JSON', { a: new Map() }, 'not_json $.a'],
    ['not JSON', { a: 1n }, 'not_json $.a'],
    ['not JSON', Object.create(null), 'ok'],
  ])('case 49: the limit on %s is exact', (_, value, expected) => {
    const { value: copied, reports } = copy(value);
    expect(reports[0] ?? 'ok').toBe(expected);
    expect(copied === undefined).toBe(expected !== 'ok');
  });

  test('a path in a report is cut step by step, however long the keys are', () => {
    const hostile: unknown = JSON.parse(`{"${'k'.repeat(100)}":{"__proto__":1}}`);
    expect(copy(hostile).reports).toEqual([`forbidden_key $.${'k'.repeat(80)}.__proto__`]);
  });

  test('twenty thousand levels overflow no stack', () => {
    expect(copy(nested(20_000)).reports).toHaveLength(1);
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

test.each([
  ['javascript:alert(1)', 'javascript'],
  ['JaVa\tScr\nipt:alert(1)', 'javascript'],
  ['\u0001\u001f javascript:x', 'javascript'],
  ['java\u200bscript:x', 'javascript'],
  ['https://example.test', 'https'],
  ['note:1', 'note'],
  [`${'\t'.repeat(5_000)}javascript:x`, 'javascript'],
  [`java${'\n'.repeat(5_000)}script:x`, 'javascript'],
  ['/path', undefined],
  ['//host/path', undefined],
  ['#part', undefined],
  ['1a:b', undefined],
])('case 45: the scheme of %j is read as a browser reads it: %s', (url, scheme) => {
  expect(schemeOf(url)).toBe(scheme);
});

test('case 45: only the web may be opened, only the web and data images loaded', () => {
  for (const url of ['https://a.test/x', 'HTTP://a.test']) expect([url, isWebUrl(url)]).toEqual([url, true]);
  for (const url of [
    'javascript:1',
    'data:text/html,x',
    'vbscript:x',
    '\u0001javascript:x',
    '/x',
    'http:',
    '',
    'blob:x',
  ]) {
    expect([url, isWebUrl(url)]).toEqual([url, false]);
  }
  expect(isLoadableUrl('data:image/png;base64,AAAA')).toBe(true);
  for (const url of ['data:image/svg+xml,<svg/>', 'data:text/html,x', 'data:image/png'])
    expect(isLoadableUrl(url)).toBe(false);
});

test('resource URIs keep the schemes servers invent, unless a list says otherwise', () => {
  for (const uri of ['ui://app', 'file:///x', 'db:1', 'a2ui://s', 'x/y'])
    expect(isResourceUri(uri, undefined)).toBe(true);
  for (const uri of ['javascript:1', 'DATA:text/html,x', 'blob:x', 'about:blank']) {
    expect(isResourceUri(uri, undefined)).toBe(false);
  }
  const only = new Set(['ui']);
  expect(['ui://x', 'https://x', 'x'].map((uri) => isResourceUri(uri, only))).toEqual([true, false, false]);
});

test('a list of URIs is as good as its worst line', () => {
  const allowed = ['', 'https://a.test', '# javascript:x\r\nhttps://a.test\r\n\r\nui://b'];
  for (const list of allowed) expect([list, isResourceUriList(list, undefined)]).toEqual([list, true]);
  for (const list of ['javascript:1', 'https://a.test\njavascript:1', '\t#\rvbscript:x', ' java\tscript:1'])
    expect([list, isResourceUriList(list, undefined)]).toEqual([list, false]);
  expect(isResourceUriList('ui://b\nhttps://a.test', new Set(['ui']))).toBe(false);
});

test('what follows a link may run in: script, or a wrapper of it, and never an image', () => {
  for (const url of [
    'javascript:1',
    ' JAVASCRIPT:1',
    'data:text/html,x',
    'feed:javascript:1',
    'data:image/svg+xml,x',
  ])
    expect([url, isExecutableUrl(url)]).toEqual([url, true]);
  for (const url of ['https://a.test', '/x', '', 'data:image/png;base64,AAAA', 'mailto:a@b'])
    expect([url, isExecutableUrl(url)]).toEqual([url, false]);
});

test('parameters of a media type hold nothing that could end an attribute', () => {
  for (const good of [
    'text/html;profile=mcp-app',
    'text/plain; charset=utf-8',
    'text/plain;charset="utf-8"',
    'audio/webm; codecs="vp8, opus"',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'text/plain;',
    'text/plain; flowed',
  ])
    expect([good, essenceOf(good)]).not.toEqual([good, undefined]);
  for (const bad of [
    'image/png;"><img src=x onerror=alert(1)>',
    'image/png;x="onerror=alert(1)',
    "image/png;x='onerror=alert(1)",
    'image/png;x="a" onerror=alert(1)',
    'image/png;x=`',
    `image/png;x=${'y'.repeat(512)}`,
  ])
    expect([bad, essenceOf(bad)]).toEqual([bad, undefined]);
});

test('markup is known by its first character, behind white space, marks and zeros', () => {
  const markup = [
    '<svg/>',
    ' \n<html>',
    '\u00EF\u00BB\u00BF<!--',
    '\u00FF\u00FE<\0s\0',
    `${' '.repeat(1_400)}<svg>`,
  ];
  for (const bytes of markup) {
    expect([bytes, holdsMarkup(btoa(bytes))]).toEqual([bytes, true]);
    expect([bytes, holdsMarkup(btoa(bytes).replaceAll(/(.)/g, '$1\n'))]).toEqual([bytes, true]);
  }
  for (const bytes of ['', '\u0089PNG\r\n\u001a\n<', 'GIF89a<', 'ID3<', 'a<b'])
    expect([bytes, holdsMarkup(btoa(bytes))]).toEqual([bytes, false]);
});

test('media types are read without parameters, and markup is known by its suffix too', () => {
  expect(essenceOf('  Text/HTML ; charset=utf-8')).toBe('text/html');
  for (const bad of ['', 'html', 'text/', 'te xt/html', 'text/html,x', 'a/b/c'])
    expect(essenceOf(bad)).toBeUndefined();
  for (const active of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml'])
    expect(isActiveMarkup(active)).toBe(true);
  for (const passive of ['text/plain', 'application/json', 'text/markdown'])
    expect(isActiveMarkup(passive)).toBe(false);
});

test.each([
  ['', true],
  ['AAAA', true],
  ['AAA=', true],
  ['AA==', true],
  ['AA\r\nAA', true],
  ['A', false],
  ['A===', false],
  ['AA=A', false],
  ['AAA', false],
  ['<svg', false],
  ['AA-_', false],
])('base64 %j: %s', (data, valid) => {
  expect(isBase64(data)).toBe(valid);
});

describe('case 48: patterns', () => {
  test.each([
    '^[0-9]{5}$',
    '^\\+?[0-9]{10,15}$',
    '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
    '^\\d{3}-\\d{4}$',
    '^(?:\\d{4})-(?:\\d{2})$',
    '^(\\d{2} ){4}\\d{2}$',
    '^(foo|bar)$',
    '^\\w+(\\.\\d+)?$',
    '[(+*]+',
    '',
  ])('%s passes', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true);
  });

  test.each([
    '^(a+)+$',
    '(a+)+b',
    '^(a{1,10})*$',
    '(a?){30}',
    '((a*))*',
    '(?:x+y?)+z',
    '(a|aa)+$',
    '(?=(a+)+)b',
    '^(([a-z])+.)+$',
    '(.)\\1+',
    '(?<x>a)\\k<x>',
    'a*a*a*a*b',
    'a{0,2000}',
    '(?:(?:){1000}){1000}',
    '(a{40}){40}',
    '((?:a{40})b){40}',
    '(',
    'x'.repeat(257),
  ])('%s is refused', (pattern) => {
    expect(isSafePattern(pattern)).toBe(false);
  });
});
