import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { ContentBlock } from '@mcp-apps-bridge/partial-results';
import { A2UI_ABUSE, A2UI_TEST_LIMITS } from './data/a2ui.ts';
import { HARMLESS_HTML, HTML_PAYLOADS } from './data/html.ts';
import dompurify from './data/dompurify.json' with { type: 'json' };
import { HARMLESS_PAYLOADS, HOSTILE_PAYLOADS } from './data/payloads.ts';
import { DISGUISED_URLS, HARMLESS_URLS, HOSTILE_URLS } from './data/urls.ts';
import {
  asChunks,
  asResult,
  checkPrototypes,
  cut,
  joined,
  messagesIn,
  textOf,
  type Payload,
  type Verdict,
} from './paths.ts';

afterEach(checkPrototypes);

const a2ui = (text: string): Payload => ({
  content: [{ type: 'resource', resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text } }],
});
const html = (text: string): Payload => ({
  content: [{ type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text } }],
});

/** One chunk for each character: a cut at every place at once. */
const everywhere = (text: string): number[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => i + 1);

describe('A2UI abuse', () => {
  const options = { sanitizer: { limits: A2UI_TEST_LIMITS } };
  test.each(A2UI_ABUSE)('$name: one verdict as result, as chunk and cut at every character', (entry) => {
    const lines = entry.messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const whole = asResult(a2ui(lines), options);
    expect(whole.codes).toEqual(entry.codes);
    expect(messagesIn(whole.content)).toHaveLength(entry.left);

    for (const text of [lines, lines.replaceAll('\n', '\r\n'), `\uFEFF${lines}`, lines.trimEnd()]) {
      expect(asResult(a2ui(text), options)).toEqual(whole);
      const chunk = asChunks([a2ui(text)], options);
      expect([joined(chunk.content), chunk.codes]).toEqual([joined(whole.content), whole.codes]);
    }
    const document = `[${lines.trimEnd().replaceAll('\n', ',')}]`;
    const read = asResult(a2ui(document), options);
    expect(read.codes).toEqual(whole.codes);
    // What is nested beyond reason is given up in mid-line, and a document on one line with it.
    expect(messagesIn(read.content)).toEqual(entry.unreadable ? [] : messagesIn(whole.content));
    for (const pieces of [[], everywhere(document)]) {
      const split = asChunks(cut(a2ui(document), pieces), options);
      expect([messagesIn(split.content), split.codes]).toEqual([messagesIn(read.content), read.codes]);
    }

    expectSame(asChunks(cut(a2ui(lines), everywhere(lines)), options), whole);
    for (let at = 1; at < lines.length; at++) expectSame(asChunks(cut(a2ui(lines), [at]), options), whole);
  });

  function expectSame(split: Verdict, whole: Verdict): void {
    expect([joined(split.content), split.codes]).toEqual([joined(whole.content), whole.codes]);
  }

  test.each(A2UI_ABUSE)('$name: sanitizing what came out changes nothing more', (entry) => {
    const text = entry.messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const once = asResult(a2ui(text), options);
    const twice = asResult({ content: once.content }, options);
    expect(twice).toEqual({ ...once, codes: [] });
  });
});

describe('URLs', () => {
  const places: Record<string, (url: string) => Payload> = {
    'a resource': (uri) => ({ content: [{ type: 'resource', resource: { uri, text: 'a' } }] }),
    'a link': (uri) => ({ content: [{ type: 'resource_link', uri, name: 'a' }] }),
    'an icon': (src) => ({ content: [{ type: 'resource_link', uri: 'x:1', name: 'a', icons: [{ src }] }] }),
    'an A2UI property': (url) =>
      a2ui(
        JSON.stringify({
          version: 'v0.9',
          updateComponents: { surfaceId: 's', components: [{ id: 'root', component: 'Image', url }] },
        }),
      ),
    'an A2UI click': (url) =>
      a2ui(
        JSON.stringify({
          version: 'v0.9',
          updateComponents: {
            surfaceId: 's',
            components: [
              {
                id: 'root',
                component: 'Button',
                action: { functionCall: { call: 'openUrl', args: { url } } },
              },
            ],
          },
        }),
      ),
  };

  for (const [place, payload] of Object.entries(places)) {
    test.each([...HOSTILE_URLS, ...DISGUISED_URLS])(`in ${place}, %j goes nowhere on either path`, (url) => {
      const whole = asResult(payload(url));
      expect(whole.codes).toHaveLength(1);
      expect(JSON.stringify(whole.content)).not.toMatch(/script|data:|blob:|filesystem:|about:|msgbox/i);
      const chunk = asChunks([payload(url)]);
      expect([chunk.content, chunk.codes]).toEqual([whole.content, whole.codes]);
    });
  }

  test.each(HARMLESS_URLS)('%j stays as it is', (url) => {
    for (const place of ['a resource', 'a link', 'an icon', 'an A2UI property']) {
      // A resource is named by an address, not by an image.
      if (url.startsWith('data:') && (place === 'a resource' || place === 'a link')) continue;
      const { content, codes } = asResult(places[place]!(url));
      expect([place, codes]).toEqual([place, []]);
      expect(place === 'an A2UI property' ? messagesIn(content) : content).toEqual(
        place === 'an A2UI property' ? messagesIn(places[place]!(url).content!) : places[place]!(url).content,
      );
    }
  });

  /* What decides is what a browser makes of it, not our own reading. */
  test.each(HOSTILE_URLS.filter((url) => !/^\s*(?:feed|jar):/.test(url)))(
    '%j is one a browser would follow to code',
    (url) => {
      expect(new URL(url).protocol).toMatch(
        /^(?:javascript|vbscript|data|blob|filesystem|about|view-source):$/,
      );
    },
  );
});

describe('prototypes, nesting, size, surrogates and lies about types', () => {
  test.each(HOSTILE_PAYLOADS)(
    '$name: one verdict as result and as chunk',
    ({ payload, codes, options = {} }) => {
      const whole = asResult(payload(), options);
      expect(whole.codes).toEqual(codes);
      const chunk = asChunks([payload()], options);
      // Of what a chunk cannot hold at all the whole chunk goes; nothing more may come through than in a result.
      if (
        chunk.codes.some((code) => ['too_deep', 'too_large', 'not_cloneable', 'wrong_type'].includes(code)) &&
        chunk.content.length === 0
      ) {
        expect(chunk.structuredContent).toBeUndefined();
        return;
      }
      expect([chunk.content, chunk.structuredContent]).toEqual([whole.content, whole.structuredContent]);
      expect(chunk.codes).toEqual(codes);
    },
  );

  test.each(HOSTILE_PAYLOADS)(
    '$name: a view that merges deep pollutes nothing',
    ({ payload, options = {} }) => {
      for (const verdict of [asResult(payload(), options), asChunks([payload()], options)]) {
        naiveMerge({}, verdict.structuredContent);
        naiveMerge({}, verdict.content);
        naiveMerge({}, verdict.meta);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }
    },
  );

  test('and without the check such a view would be polluted', () => {
    let bitten = 0;
    for (const { payload } of HOSTILE_PAYLOADS) {
      const raw = payload();
      for (const part of [raw.structuredContent, raw.content, raw._meta]) {
        try {
          naiveMerge({}, part);
        } catch {
          // Deeper than the stack: the view is dead instead.
        }
      }
      if (Reflect.deleteProperty(Object.getPrototypeOf({}) as object, 'polluted') && raw) bitten++;
    }
    expect(bitten).toBeGreaterThan(0);
  });
});

/** The deep merge that half of the world's packages once had. */
function naiveMerge(target: Record<string, unknown>, source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [key, value] of Object.entries(source)) {
    if (typeof value === 'object' && value !== null) {
      target[key] ??= {};
      naiveMerge(target[key] as Record<string, unknown>, value);
    } else target[key] = value;
  }
}

describe('harmless payloads', () => {
  test.each(HARMLESS_PAYLOADS)(
    '$name: unaltered and unreported, whole and cut at every character',
    ({ payload }) => {
      const expected = {
        content: payload.content ?? [],
        structuredContent: payload.structuredContent,
        meta: payload._meta,
        codes: [],
      };
      expect(asResult(payload)).toEqual(expected);
      const text = (payload.content ?? []).map(textOf).find((it) => typeof it === 'string') ?? '';
      const options = { modes: { content: 'append' as const } };
      expect(asChunks([payload], options)).toEqual(expected);
      if (text === '' || payload.content?.some((block) => block.type !== 'text')) return;
      expect(asChunks(cut(payload, everywhere(text)), options)).toEqual(expected);
      for (let at = 1; at < text.length; at++)
        expect(asChunks(cut(payload, [at]), options)).toEqual(expected);
    },
  );

  const examples = fileURLToPath(
    new URL('../node_modules/@a2ui/web_core/src/v0_9/schemas/catalogs/basic/examples', import.meta.url),
  );
  const files = readdirSync(examples).filter((name) => name.endsWith('.json'));
  test('all 43 examples of the A2UI catalog are here', () => expect(files).toHaveLength(43));
  test.each(files)('A2UI example %s: unaltered and unreported, whole and cut at every character', (file) => {
    const example = JSON.parse(readFileSync(join(examples, file), 'utf8')) as { messages: unknown[] };
    const messages = Array.isArray(example) ? (example as unknown[]) : example.messages;
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const expected = [lines, []];
    const whole = asResult(a2ui(lines));
    expect([joined(whole.content), whole.codes]).toEqual(expected);
    const split = asChunks(cut(a2ui(lines), everywhere(lines)));
    expect([joined(split.content), split.codes]).toEqual(expected);
    for (let at = 1; at < lines.length; at += 1 + Math.floor(lines.length / 40)) {
      const two = asChunks(cut(a2ui(lines), [at]));
      expect([joined(two.content), two.codes]).toEqual(expected);
    }
    // As one document, the way servers write a result.
    expect(messagesIn(asResult(a2ui(JSON.stringify(messages, null, 2))).content)).toEqual(messages);
  });
});

/* A browser judges the markup itself, beside this; here only that no fragment of it ever leaves. */
describe('HTML without a DOM', () => {
  const payloads = [...dompurify.entries, ...HTML_PAYLOADS, ...HARMLESS_HTML.map((payload) => ({ payload }))];
  test(`none of ${payloads.length} payloads comes through as a chunk, whole or cut anywhere, nor unchecked as a result`, () => {
    for (const { payload } of payloads) {
      expect(asResult(html(payload))).toMatchObject({
        content: [],
        codes: ['html_refused'],
      });
      expect(asChunks([html(payload)])).toMatchObject({ content: [], codes: ['html_withheld'] });
      const pieces = cut(html(payload), everywhere(payload.slice(0, 400)));
      expect(asChunks(pieces)).toMatchObject({ content: [], codes: ['html_withheld'] });
    }
  });

  test('as text the same payloads are text, byte for byte', () => {
    for (const { payload } of payloads) {
      const block: ContentBlock = { type: 'text', text: payload };
      expect(asResult({ content: [block] })).toMatchObject({ content: [block], codes: [] });
      const split = asChunks(cut({ content: [block] }, everywhere(payload)), {
        modes: { content: 'append' },
      });
      expect(split).toMatchObject({ content: [block], codes: [] });
    }
  });
});
