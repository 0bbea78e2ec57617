import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATALOG } from './data/a2ui.ts';
import { asChunks, asResult, cut, joined, messagesIn, type Payload } from './paths.ts';
import { runs } from './runs.ts';

const a2ui = (text: string): Payload => ({
  content: [{ type: 'resource', resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text } }],
});

/** Bits of URLs that matter to a check, and what may be put between them. */
const scheme = fc.constantFrom(
  'javascript',
  'vbscript',
  'data',
  'https',
  'http',
  'blob',
  'mailto',
  'ui',
  'x',
  'about',
  '',
);
const junk = fc.constantFrom(
  '',
  '',
  '',
  '\t',
  '\n',
  '\r',
  ' ',
  '\u0000',
  '\u001f',
  '\u00a0',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\\',
  '/',
  '%0a',
  '&#9;',
);
const url: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(junk, { maxLength: 4 }),
    scheme,
    fc.array(fc.tuple(fc.nat(12), junk), { maxLength: 3 }),
    fc.constantFrom(':', ':', ':', '', '\t:', ':\n', '&colon;'),
    fc.constantFrom(
      'alert(1)',
      '//example.test/',
      'text/html,<b>',
      'image/png;base64,AA==',
      'image/svg+xml,<svg/>',
      '',
      '//a b',
    ),
  )
  .map(([before, name, inside, colon, rest]) => {
    const letters = name.split('');
    for (const [at, what] of inside) letters.splice(at, 0, what);
    return before.join('') + letters.map((it, i) => (i % 2 ? it.toUpperCase() : it)).join('') + colon + rest;
  });

/** What a browser makes of it, as the oracle: its own parser and nothing of ours. */
function browserScheme(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).protocol : undefined;
}

const RUNS_CODE = /^(?:javascript|vbscript|data|blob|filesystem|about|view-source):$/;

describe('URLs of any make', () => {
  test('no resource or link keeps one that a browser would follow to code', () => {
    fc.assert(
      fc.property(url, (uri) => {
        const { content } = asResult({
          content: [{ type: 'resource_link', uri, name: 'a', icons: [{ src: uri }] }],
        });
        if (content.length > 0) expect(browserScheme(uri) ?? '').not.toMatch(RUNS_CODE);
        for (const icon of (content[0]?.['icons'] ?? []) as { src: string }[]) {
          expect(browserScheme(icon.src)).toMatch(/^https?:$|^data:$/);
          if (browserScheme(icon.src) === 'data:') expect(icon.src).toMatch(/^data:image\/png/i);
        }
      }),
      runs(800),
    );
  });

  test('no A2UI property or click keeps anything but the web and images', () => {
    fc.assert(
      fc.property(url, (it) => {
        const message = {
          version: 'v0.9',
          updateComponents: {
            surfaceId: 's',
            components: [
              {
                id: 'root',
                component: 'Image',
                url: it,
                action: { functionCall: { call: 'openUrl', args: { url: it } } },
              },
            ],
          },
        };
        const [kept] = messagesIn(asResult(a2ui(JSON.stringify(message))).content) as (typeof message)[];
        const component = kept!.updateComponents.components[0]!;
        if (component.url !== '')
          expect([it, browserScheme(component.url)]).toEqual([
            it,
            expect.stringMatching(/^(?:https?|data):$/),
          ]);
        if (typeof component.action.functionCall !== 'string') {
          expect([it, browserScheme(component.action.functionCall.args.url)]).toEqual([
            it,
            expect.stringMatching(/^https?:$/),
          ]);
        }
      }),
      runs(600),
    );
  });

  test('no Markdown link leads to a script', () => {
    const piece = fc.oneof(
      url.map((it) => `[x](${it})`),
      url.map((it) => `[x]( <${it}>)`),
      url.map((it) => `[x]: ${it}\n`),
      url.map((it) => `<${it}>`),
      fc.constantFrom('](', ']: ', '<', 'text ', '&#106;', '\\', '#', '[x](javascript:', 'javascript:'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const message = {
          version: 'v0.9',
          updateComponents: {
            surfaceId: 's',
            components: [{ id: 'root', component: 'Text', text: pieces.join('') }],
          },
        };
        const [kept] = messagesIn(asResult(a2ui(JSON.stringify(message))).content) as (typeof message)[];
        const { text } = kept!.updateComponents.components[0]!;
        // Every target, as the renderers read it: entities decoded, no backslashes, up to what ends it.
        for (const [, target] of text.matchAll(/(?:\]\(\s*<?|\]:\s*<?|<)([^\s<>()]*)/g)) {
          const decoded = target!
            .replaceAll('&#9;', '\t')
            .replaceAll('&#106;', 'j')
            .replaceAll('&colon;', ':')
            .replaceAll('\\', '');
          expect([text, browserScheme(decoded)]).not.toEqual([
            text,
            expect.stringMatching(/^(?:java|vb)script:$/),
          ]);
        }
        expect(messagesIn(asResult(a2ui(JSON.stringify(kept))).content)).toEqual([kept]);
      }),
      runs(400),
    );
  });
});

/** JSON with what A2UI and prototypes make of it: names that mean something are as likely as any other. */
const word = fc.constantFrom(
  'url',
  'text',
  'path',
  'call',
  'args',
  'action',
  'functionCall',
  'children',
  'component',
  'id',
  'pattern',
  'value',
  'literalString',
  'checks',
  'icon',
  'links',
  'dataBinding',
  'constructor',
  'prototype',
  '__proto__',
  'x',
);
const leaf = fc.oneof(
  url,
  fc.constantFrom<unknown>(
    'openUrl',
    'regex',
    'formatString',
    '/__proto__/x',
    '/a/b',
    '^(a+)+$',
    '^a$',
    '${/x}',
    "${openUrl(url: 'x')}",
    '${constructor}',
    '[x](javascript:alert(1))',
    'Text',
    '日本 😀',
    '\ud800',
    0,
    false,
    null,
    -0,
    1e300,
  ),
);
const { value } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  object: fc.array(fc.tuple(word, tie('value')), { maxLength: 4 }).map((entries) => {
    const object: Record<string, unknown> = {};
    for (const [key, it] of entries)
      Object.defineProperty(object, key, { value: it, enumerable: true, configurable: true, writable: true });
    return object;
  }),
  value: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
}));
const message = fc.oneof(
  fc
    .array(value, { maxLength: 4 })
    .map((components) => ({ version: 'v0.9', updateComponents: { surfaceId: 's', components } })),
  fc
    .tuple(fc.constantFrom('/', '/a', '/__proto__', '/constructor/prototype/x'), value)
    .map(([path, it]) => ({ version: 'v1.0', updateDataModel: { surfaceId: 's', path, value: it } })),
  value.map((theme) => ({ version: 'v0.9', createSurface: { surfaceId: 's', catalogId: CATALOG, theme } })),
  value.map((callFunction) => ({
    version: 'v1.0',
    callRendererFunction: { functionCallId: '1', callFunction },
  })),
  value.map((it) => ({ surfaceUpdate: { surfaceId: 's', components: [{ id: 'a', component: it }] } })),
  value.map((it) => ({ version: it, createSurface: it })),
);
const line = fc.oneof(
  { arbitrary: message.map((it) => JSON.stringify(it)), weight: 8 },
  fc.constantFrom('', '{', 'prose', '{"a":', '[]', '5', '}', '"', '\\'),
);

describe('A2UI of any make', () => {
  test('a cut anywhere gives what the whole gives, as result and as chunks', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\n\n'),
        fc.array(fc.nat(3_000), { maxLength: 8 }),
        (lines, end, offsets) => {
          const text = lines.map((it) => it + end).join('');
          const whole = asResult(a2ui(text));
          const cuts = [...new Set(offsets.filter((at) => at > 0 && at < text.length))].sort((a, b) => a - b);
          for (const split of [asChunks([a2ui(text)]), asChunks(cut(a2ui(text), cuts))]) {
            expect([joined(split.content), split.codes]).toEqual([joined(whole.content), whole.codes]);
          }
        },
      ),
      runs(400),
    );
  });

  test('sanitizing twice is sanitizing once, and what is left is free of what was refused', () => {
    fc.assert(
      fc.property(message, (it) => {
        const once = asResult(a2ui(JSON.stringify(it)));
        expect(asResult({ content: once.content })).toEqual({ ...once, codes: [] });
        for (const kept of messagesIn(once.content)) expect([kept, faults(kept)]).toEqual([kept, []]);
      }),
      runs(1_000),
    );
  });
});

/** An independent look at a message, written from the rules and not from the code: what should not be in it. */
function faults(message: unknown): string[] {
  const found: string[] = [];
  const isData = (trail: readonly string[]): boolean =>
    trail.includes('dataModel') || (trail[0] === 'updateDataModel' && trail[1] === 'value');
  (function walk(it: unknown, trail: readonly string[]): void {
    if (typeof it !== 'object' || it === null) return;
    for (const [key, child] of Object.entries(it)) {
      const at = [...trail, key];
      if (key === '__proto__') found.push(`${at.join('.')} is a prototype`);
      if (['constructor', 'prototype'].includes(key) && typeof child === 'object' && child !== null)
        found.push(`${at.join('.')} leads to one`);
      if (isData(at)) {
        walk(child, at);
        continue;
      }
      if (child === 'openUrl' && key === 'call' && at.slice(-3, -1).join('.') !== 'action.functionCall')
        found.push(`${at.join('.')} opens a page unasked`);
      if (
        key === 'url' &&
        typeof child === 'string' &&
        child !== '' &&
        !/^(?:https?|data):$/.test(browserScheme(child) ?? '')
      )
        found.push(`${at.join('.')} = ${child}`);
      if (
        key === 'path' &&
        typeof child === 'string' &&
        /(?:^|\/)(?:__proto__|constructor|prototype)(?:\/|$)/.test(child)
      )
        found.push(`${at.join('.')} = ${child}`);
      if (key === 'pattern' && child === '^(a+)+$') found.push(`${at.join('.')} hangs`);
      if (
        typeof child === 'string' &&
        child.includes('](javascript:') &&
        !at.includes('path') &&
        !at.includes('dataBinding')
      )
        found.push(`${at.join('.')} links to a script`);
      walk(child, at);
    }
  })(message, []);
  return found;
}

describe('anything else', () => {
  test('structured data is copied exactly or, key by key, without what reaches a prototype', () => {
    fc.assert(
      fc.property(value, (it) => {
        const once = asResult({ structuredContent: it });
        const chunk = asChunks([{ structuredContent: it }]);
        expect(JSON.stringify(chunk.structuredContent)).toBe(JSON.stringify(once.structuredContent));
        expect(chunk.codes).toEqual(once.codes);
        expect(once.codes.filter((code) => code !== 'forbidden_key')).toEqual([]);
        if (once.codes.length === 0 && it !== null)
          expect(JSON.stringify(once.structuredContent)).toBe(JSON.stringify(it));
        expect(asResult({ structuredContent: once.structuredContent })).toEqual({ ...once, codes: [] });
      }),
      runs(500),
    );
  });

  test('text is text, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (text, offsets) => {
          const payload: Payload = { content: [{ type: 'text', text }] };
          const cuts = [...new Set(offsets.filter((at) => at > 0 && at < text.length))].sort((a, b) => a - b);
          expect(asResult(payload)).toMatchObject({ content: payload.content, codes: [] });
          expect(asChunks(cut(payload, cuts), { modes: { content: 'append' } })).toMatchObject({
            content: payload.content,
            codes: [],
          });
        },
      ),
      runs(300),
    );
  });
});
