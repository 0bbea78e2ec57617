import type { ContentBlock } from '@mcp-apps-bridge/partial-results';
import type { PathOptions, Payload } from '../paths.ts';

interface HostilePayload {
  name: string;
  /** Made anew each time, so that what one path did to it does not show in the next. */
  payload(): Payload;
  codes: readonly string[];
  options?: PathOptions;
}

/* As `JSON.parse` makes them: `__proto__` is a key of its own. */
const own = (json: string): Record<string, unknown> => JSON.parse(json) as Record<string, unknown>;
const structured = (json: string) => (): Payload => ({ structuredContent: own(json) });
const block = (fields: object) => (): Payload => ({ content: [fields as ContentBlock] });
const resource = (fields: object) => block({ type: 'resource', resource: { uri: 'ui://x', ...fields } });

function nest(levels: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = { polluted: true };
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

const SMALL = {
  sanitizer: { limits: { maxValues: 100, maxStringChars: 200, maxKeyChars: 50, maxBlocks: 3 } },
};

export const HOSTILE_PAYLOADS: readonly HostilePayload[] = [
  {
    name: 'case 47: __proto__',
    payload: structured('{"__proto__":{"polluted":true},"a":1}'),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: __proto__ below',
    payload: structured('{"a":[{"b":{"__proto__":{"polluted":true}}}]}'),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: constructor and prototype',
    payload: structured(
      '{"constructor":{"prototype":{"polluted":true}},"x":{"prototype":{"polluted":true}}}',
    ),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: written with escapes',
    payload: structured('{"\\u005f_proto\\u005f_":{"polluted":true}}'),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: __proto__ of a scalar',
    payload: structured('{"__proto__":1,"a":{"__proto__":null}}'),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: in a block',
    payload: block(own('{"type":"text","text":"a","__proto__":{"polluted":true}}')),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: in annotations and `_meta` of a block',
    payload: block(
      own(
        '{"type":"text","text":"a","annotations":{"__proto__":{"polluted":true}},"_meta":{"constructor":{"prototype":{"polluted":true}}}}',
      ),
    ),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: in a resource',
    payload: block(
      own('{"type":"resource","resource":{"uri":"ui://x","text":"a","__proto__":{"polluted":true}}}'),
    ),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: in `_meta`',
    payload: () => ({
      content: [{ type: 'text', text: 'a' }],
      _meta: own('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}'),
    }),
    codes: ['forbidden_key'],
  },
  {
    name: 'case 47: in messages that are not A2UI',
    payload: resource({ mimeType: 'application/x-ndjson', text: '{"__proto__":{"polluted":true},"a":1}\n' }),
    codes: ['forbidden_key'],
    options: { modes: { content: 'jsonl' } },
  },
  {
    name: 'case 49: arrays in arrays',
    payload: () => ({ structuredContent: nest(65, (value) => [value]) }),
    codes: ['too_deep'],
  },
  {
    name: 'case 49: objects in objects',
    payload: () => ({ structuredContent: nest(200, (value) => ({ value })) }),
    codes: ['too_deep'],
  },
  {
    name: 'case 49: deeper than a stack',
    payload: () => ({ structuredContent: nest(20_000, (value) => ({ value })) }),
    codes: ['too_deep'],
  },
  {
    name: 'case 49: nesting in a block',
    payload: () => ({ content: [{ type: 'text', text: 'a', x: nest(100, (value) => [value]) }] }),
    codes: ['too_deep'],
  },
  {
    name: 'too many values',
    payload: () => ({ structuredContent: Array.from({ length: 100 }, () => 0) }),
    codes: ['too_many_values'],
    options: SMALL,
  },
  {
    name: 'a huge string',
    payload: () => ({ structuredContent: { a: 'x'.repeat(201) } }),
    codes: ['string_too_long'],
    options: SMALL,
  },
  {
    name: 'a huge text',
    payload: block({ type: 'text', text: 'x'.repeat(201) }),
    codes: ['string_too_long'],
    options: SMALL,
  },
  {
    name: 'a huge key',
    payload: () => ({ structuredContent: { ['x'.repeat(51)]: 1 } }),
    codes: ['key_too_long'],
    options: SMALL,
  },
  {
    name: 'too many blocks',
    payload: () => ({ content: Array.from({ length: 4 }, (_, i) => ({ type: 'text', text: `${i}`, n: i })) }),
    codes: ['too_many_blocks'],
    options: SMALL,
  },
  {
    name: 'an unknown block',
    payload: block({ type: 'ui', html: '<script>alert(1)</script>' }),
    codes: ['unknown_block_type'],
  },
  {
    name: 'a block type of every object',
    payload: block({ type: 'constructor' }),
    codes: ['unknown_block_type'],
  },
  { name: 'a huge block type', payload: block({ type: 'x'.repeat(100_000) }), codes: ['unknown_block_type'] },
  {
    name: 'SVG as image',
    payload: block({ type: 'image', data: btoa('<svg onload=alert(1)>'), mimeType: 'image/svg+xml' }),
    codes: ['bad_media_type'],
  },
  {
    name: 'SVG in an image by another name',
    payload: block({ type: 'image', data: btoa(' <svg onload=alert(1)>'), mimeType: 'image/png' }),
    codes: ['bad_media_type'],
  },
  {
    name: 'HTML in sound',
    payload: block({ type: 'audio', data: btoa('<html><script>alert(1)</script>'), mimeType: 'audio/mpeg' }),
    codes: ['bad_media_type'],
  },
  {
    name: 'a media type that ends an attribute',
    payload: block({ type: 'image', data: 'AAAA', mimeType: 'image/png;"><img src=x onerror=alert(1)>' }),
    codes: ['bad_media_type'],
  },
  {
    name: 'data that ends an attribute',
    payload: block({ type: 'image', data: '"onerror=alert(1)//', mimeType: 'image/png' }),
    codes: ['bad_base64'],
  },
  {
    name: 'base64 that is none',
    payload: block({ type: 'image', data: 'AAA', mimeType: 'image/png' }),
    codes: ['bad_base64'],
  },
  {
    name: 'HTML as blob',
    payload: resource({ mimeType: 'text/html', blob: btoa('<script>alert(1)</script>') }),
    codes: ['html_refused'],
  },
  {
    name: 'XHTML as blob',
    payload: resource({ mimeType: 'application/xhtml+xml', blob: 'AAAA' }),
    codes: ['html_refused'],
  },
  {
    name: 'A2UI as blob',
    payload: resource({ mimeType: 'application/json+a2ui', blob: 'AAAA' }),
    codes: ['html_refused'],
  },
  {
    name: 'text and blob at once',
    payload: resource({ mimeType: 'text/html', text: 'x', blob: 'AAAA' }),
    codes: ['html_refused'],
  },
  {
    name: 'HTML declared a message stream',
    payload: resource({ mimeType: 'text/html', text: '{"a":"<img src=x onerror=alert(1)>"}\n' }),
    codes: ['html_refused'],
    options: { modes: { content: 'jsonl' } },
  },
];

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (value: string): Payload => ({ content: [{ type: 'text', text: value }] });

export const HARMLESS_PAYLOADS: readonly { name: string; payload: Payload }[] = [
  { name: 'emoji with joiners and skin tones', payload: text('😀 👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 e\u0301 \u{1F1E9}\u{1F1EA}') },
  {
    name: 'case 93: right to left with marks',
    payload: text('مرحبا 123 (a<b) \u200f\u2066x\u2069 \u202bעברית\u202c'),
  },
  { name: 'Chinese, Japanese and Korean', payload: text('日本語 — 中文,標點。 한국어 \u3000 𠮷野家') },
  {
    name: 'code with markup in it',
    payload: text('if (a < b && c > d) { x = "<script>&amp;</script>"; } // [x](javascript:y)'),
  },
  {
    name: 'Markdown',
    payload: text(
      '# t\n\n- [a](https://example.test) <https://b.test>\n\n```html\n<img src=x onerror=alert(1)>\n```\n',
    ),
  },
  {
    name: 'control characters and line ends',
    payload: text('a\u0000b\u0007c\r\nd\re\u2028f\u2029g\ufeffh\t'),
  },
  { name: 'lone surrogates', payload: text('a\ud800b\udc00c\udc00\ud800') },
  { name: 'words that look like keys', payload: text('__proto__ constructor prototype toString') },
  { name: 'no text at all', payload: text('') },
  { name: 'an image', payload: { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] } },
  {
    name: 'sound, with a parameter of its type',
    payload: { content: [{ type: 'audio', data: 'SUQzBAAA', mimeType: 'audio/ogg; codecs="opus"' }] },
  },
  {
    name: 'a link with everything',
    payload: {
      content: [
        {
          type: 'resource_link',
          uri: 'file:///project/src/日本.ts',
          name: 'n',
          title: 't',
          mimeType: 'text/x-typescript',
          annotations: { audience: ['user'], priority: 0 },
          icons: [{ src: `data:image/png;base64,${PNG}`, sizes: ['48x48'] }],
        },
      ],
    },
  },
  {
    name: 'a text resource and a blob',
    payload: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'note:1', mimeType: 'text/markdown; charset=utf-8', text: '<b> & [x](y)' },
        },
        {
          type: 'resource',
          resource: { uri: 'db:row/1', mimeType: 'application/octet-stream', blob: 'AAEC' },
        },
      ],
    },
  },
  {
    name: 'case 19: falsy values, empty keys and columns with odd names',
    payload: {
      structuredContent: {
        zero: 0,
        no: false,
        '': '',
        list: [null, 0, ''],
        constructor: 'Ferrari',
        prototype: 5,
        toString: 'own',
        hasOwnProperty: true,
        'a.b/c~d': 1e300,
        nested: { 日本: ['😀', '\ud800'] },
      },
    },
  },
  {
    name: 'the server’s own `_meta`',
    payload: { content: [{ type: 'text', text: 'a' }], _meta: { 'example.test/x': { a: [1] } } },
  },
];
