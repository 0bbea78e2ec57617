import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  MERGE_META_KEY,
  type ContentBlock,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createToolOutput } from '../output.ts';
import type { OutputChunk } from '../types.ts';
import { createSanitizer, type SanitizerOptions } from './sanitizer.ts';

const sanitizerOf = createSanitizer;

function checkResult(result: ToolResult, options?: SanitizerOptions) {
  const reports: string[] = [];
  const value = sanitizerOf(options).result(result, (code, path) => void reports.push(`${code} ${path}`));
  return { value, reports };
}

/** The same blocks as one chunk of a stream. */
function checkChunk(body: { content?: unknown; structuredContent?: unknown }, options?: SanitizerOptions) {
  const chunks: OutputChunk[] = [];
  const reports: string[] = [];
  const output = createToolOutput({
    sanitizer: sanitizerOf(options),
    scheduler: createManualScheduler(),
    onEvent: (event) => event.type === 'sanitized' && reports.push(`${event.code} ${event.path}`),
  });
  output.subscribe({ chunk: (chunk) => chunks.push(chunk) });
  output.push({ partialResultToken: 't', seq: 0, ...body });
  return { body: chunks[0]?.body, reports };
}

const resource = (fields: object): ContentBlock => ({
  type: 'resource',
  resource: { uri: 'ui://x', ...fields },
});
const a2ui = (text: string): ContentBlock =>
  resource({ uri: 'a2ui://s', mimeType: 'application/a2ui+json', text });
const CREATE = '{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}';
const EVIL = '{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/__proto__/x","value":1}}';

/* name, block, what becomes of it (undefined: dropped), report */
const TABLE: Array<[string, ContentBlock, ContentBlock | undefined, string?]> = [
  ['text', { type: 'text', text: 'a' }, { type: 'text', text: 'a' }],
  [
    'case 39: markup in text is text',
    {
      type: 'text',
      text: '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    },
    {
      type: 'text',
      text: '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    },
  ],
  [
    'case 93: direction marks and odd characters are kept',
    { type: 'text', text: 'مرحبا 123 (a<b)\u200f\u2066x\u2069\u0000\ud800' },
    { type: 'text', text: 'مرحبا 123 (a<b)\u200f\u2066x\u2069\u0000\ud800' },
  ],
  [
    'case 89: nulls go, unknown fields stay',
    { type: 'text', text: 'a', annotations: null, _meta: null, 'x-new': { y: 1 } } as never,
    { type: 'text', text: 'a', 'x-new': { y: 1 } },
  ],
  [
    'annotations of the wrong type',
    { type: 'text', text: 'a', annotations: 'x' } as never,
    { type: 'text', text: 'a' },
    'bad_block $.content[0].annotations',
  ],
  [
    'image',
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ],
  [
    'SVG as image',
    { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
    undefined,
    'bad_media_type $.content[0].mimeType',
  ],
  [
    'HTML as image',
    { type: 'image', data: 'AAAA', mimeType: 'text/html' },
    undefined,
    'bad_media_type $.content[0].mimeType',
  ],
  [
    'audio as image',
    { type: 'image', data: 'AAAA', mimeType: 'audio/mpeg' },
    undefined,
    'bad_media_type $.content[0].mimeType',
  ],
  [
    'no base64',
    { type: 'image', data: '<svg/>', mimeType: 'image/png' },
    undefined,
    'bad_base64 $.content[0].data',
  ],
  [
    'no base64 in a resource',
    { type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/pdf', blob: '***' } },
    undefined,
    'bad_base64 $.content[0].resource.blob',
  ],
  [
    'audio',
    { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' },
  ],
  ['an unknown type', { type: 'x-widget', html: '<b>' }, undefined, 'unknown_block_type $.content[0].type'],
  [
    'link',
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
  ],
  [
    'script link',
    { type: 'resource_link', uri: 'JAVA\tSCRIPT:x', name: 'a' },
    undefined,
    'bad_uri $.content[0].uri',
  ],
  [
    'a link with a tracking icon scheme',
    {
      type: 'resource_link',
      uri: 'x:1',
      name: 'a',
      icons: [{ src: 'javascript:x' }, { src: 'https://a.test/i.png' }],
    },
    { type: 'resource_link', uri: 'x:1', name: 'a', icons: [{ src: 'https://a.test/i.png' }] },
    'bad_uri $.content[0].icons',
  ],
  [
    'plain resource',
    resource({ mimeType: 'text/plain', text: '<b>' }),
    resource({ mimeType: 'text/plain', text: '<b>' }),
  ],
  ['resource without a type', resource({ text: '<b>', mimeType: null }), resource({ text: '<b>' })],
  [
    'a broken media type',
    resource({ text: 'a', mimeType: 'text/html,x' }),
    undefined,
    'bad_media_type $.content[0].resource.mimeType',
  ],
  [
    'a script URI',
    resource({ uri: 'data:text/html,x', text: 'a' }),
    undefined,
    'bad_uri $.content[0].resource.uri',
  ],
  [
    'blob',
    resource({ mimeType: 'application/pdf', blob: 'AAAA' }),
    resource({ mimeType: 'application/pdf', blob: 'AAAA' }),
  ],
  [
    'HTML as blob',
    resource({ mimeType: 'TEXT/HTML; x=1', blob: 'AAAA' }),
    undefined,
    'html_refused $.content[0].resource.blob',
  ],
  [
    'SVG as blob',
    resource({ mimeType: 'image/svg+xml', blob: 'AAAA' }),
    undefined,
    'html_refused $.content[0].resource.blob',
  ],
  [
    'A2UI as blob',
    resource({ mimeType: 'application/a2ui+json', blob: 'AAAA' }),
    undefined,
    'html_refused $.content[0].resource.blob',
  ],
  [
    'an image with markup in its type',
    { type: 'image', data: 'AAAA', mimeType: 'image/png;"><img src=x onerror=alert(1)>' },
    undefined,
    'bad_media_type $.content[0].mimeType',
  ],
  [
    'markup that is called an image',
    { type: 'image', data: btoa('<svg onload=alert(1)>xx'), mimeType: 'image/png' },
    undefined,
    'bad_media_type $.content[0].data',
  ],
  [
    'icons that are no list',
    { type: 'resource_link', uri: 'x:1', name: 'a', icons: 'x' },
    { type: 'resource_link', uri: 'x:1', name: 'a' },
    'bad_block $.content[0].icons',
  ],
  [
    'a script URI behind thousands of tabs',
    resource({ uri: `${'\t'.repeat(5_000)}javascript:x`, text: 'a' }),
    undefined,
    'bad_uri $.content[0].resource.uri',
  ],
  ['A2UI', a2ui(CREATE), a2ui(`${CREATE}\n`)],
  [
    'A2UI with one bad message',
    a2ui(`${CREATE}\n${EVIL}\n`),
    a2ui(`${CREATE}\n`),
    'a2ui_forbidden_path $.content[0].resource.text[1].updateDataModel.path',
  ],
  [
    'case 47: a hostile key',
    { type: 'text', text: 'a', x: JSON.parse('{"__proto__":1}') as unknown },
    { type: 'text', text: 'a', x: {} },
    'forbidden_key $.content[0].x.__proto__',
  ],
];

describe('case 50: a block gets the same decision in a chunk and in the result', () => {
  test.each(TABLE)('%s', (_, block, expected, report) => {
    const result = checkResult({ content: [block] });
    expect(result.value.content).toEqual(expected ? [expected] : []);
    expect(result.reports).toEqual(report ? [report] : []);
    const chunk = checkChunk({ content: [block] });
    expect(chunk.body?.content).toEqual(expected ? [expected] : undefined);
    expect(chunk.reports).toEqual(result.reports);
    // Object.is for the bytes of text, which toEqual would compare after normalizing nothing anyway.
    expect(JSON.stringify(chunk.body?.content ?? [])).toBe(JSON.stringify(result.value.content));
  });

  test('structured content too', () => {
    const structuredContent = JSON.parse(
      '{"__proto__":{"x":1},"rows":[0,false,""],"deep":{"a":null}}',
    ) as unknown;
    const expected = { rows: [0, false, ''], deep: { a: null } };
    expect(checkResult({ structuredContent }).value.structuredContent).toEqual(expected);
    expect(checkChunk({ structuredContent }).body?.structuredContent).toEqual(expected);
  });
});

describe('results', () => {
  test('case 89: nulls count as absent, unknown fields are dropped and reported', () => {
    const { value, reports } = checkResult({
      content: [{ type: 'text', text: 'a' }],
      structuredContent: null,
      _meta: null,
      isError: null,
      'x-new': 1,
      resultType: 'complete',
    } as never);
    expect(value).toEqual({ content: [{ type: 'text', text: 'a' }] });
    expect(reports).toEqual(['unknown_field $.x-new']);
  });

  test('a result without content gets an empty list, and blocks that are none are skipped', () => {
    expect(checkResult({ structuredContent: { a: 1 } }).value).toEqual({
      content: [],
      structuredContent: { a: 1 },
    });
    expect(checkResult({ content: [null, 5, { type: 7 }, { type: 'text' }] as never }).value.content).toEqual(
      [],
    );
  });

  test('`_meta` keeps the server’s own keys and none that this project or the hop writes', () => {
    const { value } = checkResult({
      _meta: {
        own: 1,
        [LAST_CHUNK_META_KEY]: 1,
        [EPOCH_META_KEY]: 1,
        progressToken: 1,
        partialResultToken: 1,
      },
    });
    expect(value._meta).toEqual({ own: 1 });
  });

  test('case 87: a five-megabyte image arrives, and the limit of a result is its own', () => {
    const data = 'A'.repeat(5 * 1_024 * 1_024 - 4);
    const block = { type: 'image', data, mimeType: 'image/png' };
    expect(checkResult({ content: [block] }).value.content).toEqual([block]);
    const { value, reports } = checkResult({ content: [block] }, { limits: { maxResultBytes: 1_000 } });
    expect(value.isError).toBe(true);
    expect(reports).toEqual(['too_large $']);
  });

  test('an A2UI document that is an array stays one', () => {
    const text = `[${CREATE},${EVIL},${CREATE}]`;
    expect(checkResult({ content: [a2ui(text)] }).value.content).toEqual([a2ui(`[${CREATE},${CREATE}]`)]);
  });
});

describe('what a result is made of', () => {
  test('each part that is dropped is reported where it stood', () => {
    const { value, reports } = checkResult({
      content: [null, { type: 'text', text: 'a' }, 5, { type: 'text' }],
      isError: 'yes',
      _meta: JSON.parse('{"__proto__":{"x":1},"own":{"constructor":{}}}'),
    } as never);
    expect(value).toEqual({ content: [{ type: 'text', text: 'a' }], _meta: { own: {} } });
    expect(reports).toEqual([
      'bad_block $.content[0]',
      'bad_block $.content[2]',
      'bad_block $.content[3].text',
      'bad_block $.isError',
      'forbidden_key $._meta.__proto__',
      'forbidden_key $._meta.own.constructor',
    ]);
    expect(checkResult({ content: 'x' } as never)).toEqual({
      value: { content: [] },
      reports: ['bad_block $.content'],
    });
  });

  test('case 49: one part nested too deeply costs that part only, at any depth', () => {
    for (const levels of [100, 400, 600, 20_000]) {
      let deep: unknown = 1;
      for (let i = 0; i < levels; i++) deep = [deep];
      const { value, reports } = checkResult({
        content: [{ type: 'text', text: 'a' }],
        structuredContent: deep,
      });
      expect(value).toEqual({ content: [{ type: 'text', text: 'a' }] });
      expect(reports).toEqual([`too_deep $.structuredContent${'[0]'.repeat(64)}`]);
    }
  });

  test('`_meta` with keys without end, or that cannot be read, costs that and no more', () => {
    const text = [{ type: 'text', text: 'a' }];
    const long = { ['k'.repeat(4_097)]: 1, own: 1 };
    expect(checkResult({ content: text, _meta: long })).toEqual({
      value: { content: text, _meta: { own: 1 } },
      reports: ['key_too_long $._meta'],
    });
    const reports: string[] = [];
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('hostile');
        },
      },
    );
    expect(
      createSanitizer().meta(trap, (code, path) => void reports.push(`${code} ${path}`)),
    ).toBeUndefined();
    expect(reports).toEqual(['not_json $._meta']);
  });

  test('reading it may throw', () => {
    const hostile = {
      get content(): never {
        throw new Error('hostile');
      },
    };
    expect(checkResult(hostile).value.isError).toBe(true);
    const block = {
      get type(): never {
        throw new Error('hostile');
      },
    };
    const reports: string[] = [];
    const kept = createSanitizer().content(
      [{ block: block as never }],
      (code, path) => void reports.push(`${code} ${path}`),
    );
    expect([kept, reports]).toEqual([[], ['not_json $.content[0]']]);
  });
});

describe('resources that views act on', () => {
  const list = (text: string): ContentBlock => resource({ mimeType: 'text/uri-list', text });

  test('a list of URIs is withheld from chunks and checked line by line in results', () => {
    expect(checkChunk({ content: [list('https://a.test')] }).reports).toEqual([
      'html_withheld $.content[0].resource.text',
    ]);
    expect(checkResult({ content: [list('https://a.test')] }).value.content).toEqual([
      list('https://a.test'),
    ]);
    expect(checkResult({ content: [list('https://a.test\njavascript:x')] })).toEqual({
      value: { content: [] },
      reports: ['bad_uri $.content[0].resource.text'],
    });
  });

  test.each(['text/html', 'image/svg+xml', 'text/xml;charset=utf-8'])(
    '%s that the tool declares a message stream is not let through as messages',
    (mimeType) => {
      const block = resource({ mimeType, text: '{"x":"<img src=x onerror=alert(1)>"}\n' });
      const reports = ['html_refused $.content[0].resource.mimeType'];
      const _meta = { [MERGE_META_KEY]: { content: 'jsonl' } };
      expect(checkResult({ content: [block], _meta })).toEqual({ value: { content: [] }, reports });
      const output = createToolOutput({ tool: { _meta }, scheduler: createManualScheduler() });
      const chunks: OutputChunk[] = [];
      output.subscribe({ chunk: (chunk) => chunks.push(chunk) });
      output.push({ partialResultToken: 't', seq: 0, content: [block] });
      expect(chunks).toEqual([]);
    },
  );
});

describe('HTML resources', () => {
  const html = resource({ mimeType: 'text/html;profile=mcp-app', text: '<b>x</b>' });

  test('are withheld from chunks and, without a DOM, from results', () => {
    expect(checkChunk({ content: [html] })).toEqual({
      body: undefined,
      reports: ['html_withheld $.content[0].resource.text'],
    });
    expect(checkResult({ content: [html] }).reports).toEqual(['html_refused $.content[0].resource.text']);
  });
});

describe('options of the embedder', () => {
  const widget: ContentBlock = { type: 'x-widget', a: 1 };

  test('allow and deny types, on both paths', () => {
    const options = {
      allowBlockTypes: ['x-widget'],
      denyBlockTypes: ['image'],
      allowMediaTypes: ['audio/x-own'],
    };
    const content = [
      widget,
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/x-own' },
    ];
    for (const kept of [
      checkResult({ content }, options).value.content,
      checkChunk({ content }, options).body?.content,
    ]) {
      expect(kept).toEqual([content[0], content[2]]);
    }
  });

  test('a list of URI schemes is the whole list', () => {
    const content = [resource({ uri: 'ui://a', text: 'a' }), resource({ uri: 'https://a.test', text: 'b' })];
    expect(checkResult({ content }, { uriSchemes: ['UI'] }).value.content).toEqual([content[0]]);
  });

  test('rules have the last word on blocks and messages, and one that throws refuses', () => {
    const options: SanitizerOptions = {
      blockRule(block) {
        if (block.text === 'throw') throw new Error('rule');
        return block.text === 'no' ? undefined : { ...block, seen: true };
      },
      recordRule: (record) => ('deleteSurface' in record ? undefined : record),
    };
    const content: ContentBlock[] = [
      { type: 'text', text: 'yes' },
      { type: 'text', text: 'no' },
      { type: 'text', text: 'throw' },
      a2ui(`${CREATE}\n{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}\n`),
    ];
    for (const run of [checkResult({ content }, options), checkChunk({ content }, options)]) {
      expect(run.reports).toEqual([
        'rule_refused $.content[1]',
        'rule_failed $.content[2]',
        'rule_refused $.content[3].resource.text[1]',
      ]);
    }
    expect(checkResult({ content }, options).value.content![1]).toMatchObject({
      resource: { text: `${CREATE}\n` },
    });
  });

  test('case 35: unknown names and impossible limits throw', () => {
    expect(() => createSanitizer({ allowBlocks: [] } as never)).toThrow(/"allowBlocks"/);
    expect(() => createSanitizer({ limits: { maxDeep: 1 } as never })).toThrow(/"maxDeep"/);
    expect(() => createSanitizer({ limits: { maxDepth: -1 } })).toThrow(/above 0/);
  });

  test.each<[string, object]>([
    ['allowTags', { allowTags: ['button', 'IFRAME'] }],
    ['allowTags', { allowTags: ['foreignObject'] }],
    ['allowAttributes', { allowAttributes: ['onClick'] }],
    ['allowAttributes', { allowAttributes: ['srcdoc'] }],
    ['evil', { evil: true }],
  ])('case 40: html.%s opens nothing that runs script, %j', (name, html) => {
    expect(() => createSanitizer({ html })).toThrow(name);
  });

  test('blocks beyond the limit are dropped, exactly', () => {
    const content = Array.from({ length: 4 }, (_, i) => ({ type: 'text', text: `${i}` }));
    const { value, reports } = checkResult({ content }, { limits: { maxBlocks: 3 } });
    expect(value.content).toEqual(content.slice(0, 3));
    expect(reports).toEqual(['too_many_blocks $.content']);
  });
});

/* D4: no way of cutting a payload may let through what the whole would not, nor lose what it would. */
describe('property: however a message stream is cut', () => {
  const lines = [
    CREATE,
    EVIL,
    '{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"Image","url":"javascript:alert(1)"}]}}',
    '{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"b","component":"Text","text":{"call":"openUrl","args":{"url":"https://a.test"}}}]}}',
    '{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/x","value":"日本語 😀 } { \\" \\\\ \\u00e9 __proto__"}}',
    'not json at all',
    '{"evil":1}',
    '{"version":"v0.9","deleteSurface":{"surfaceId":"t"}}',
  ];

  test('the same messages pass, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...lines), { maxLength: 8 }),
        fc.array(fc.nat({ max: 2_000 }), { maxLength: 12 }),
        (chosen, offsets) => {
          const text = chosen.map((line) => `${line}\n`).join('');
          const cuts = [
            ...new Set([0, ...offsets.map((offset) => Math.min(offset, text.length)), text.length]),
          ];
          cuts.sort((a, b) => a - b);
          const output = createToolOutput({ scheduler: createManualScheduler() });
          let streamed = '';
          output.subscribe({
            chunk: ({ body }) => body.content?.forEach((block) => (streamed += block.resource?.text ?? '')),
          });
          for (let i = 1; i < cuts.length; i++) {
            output.push({
              partialResultToken: 't',
              seq: i - 1,
              content: [a2ui(text.slice(cuts[i - 1], cuts[i]))],
            });
          }
          const whole = checkResult({ content: [a2ui(text)] }).value.content?.[0]?.resource?.text ?? '';
          expect(streamed).toBe(whole);
          expect(streamed).not.toMatch(/"path":"[^"]*__proto__|javascript:|openUrl|evil/);
        },
      ),
    );
  });

  test('plain text comes through byte for byte', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
        (text, offsets) => {
          const cuts = [
            ...new Set([0, ...offsets.map((offset) => Math.min(offset, text.length)), text.length]),
          ];
          cuts.sort((a, b) => a - b);
          const output = createToolOutput({ scheduler: createManualScheduler() });
          let streamed = '';
          output.subscribe({
            chunk: ({ body }) => body.content?.forEach((block) => (streamed += block.text)),
          });
          for (let i = 1; i < cuts.length; i++) {
            const content = [{ type: 'text', text: text.slice(cuts[i - 1], cuts[i]) }];
            output.push({ partialResultToken: 't', seq: i - 1, content });
          }
          expect(streamed).toBe(text);
        },
      ),
    );
  });
});
