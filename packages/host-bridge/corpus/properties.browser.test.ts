import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSanitizer, type SanitizerOptions } from '../src/lib/stream/sanitize/sanitizer.ts';
import { runs } from './runs.ts';
import { createTripwire, insert, poke } from './tripwire.ts';

function clean(text: string, options?: SanitizerOptions): string | undefined {
  const content = [{ type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text } }];
  return createSanitizer(options).result({ content }, () => {}).content?.[0]?.resource?.text;
}

const tag = fc.constantFrom(
  'a',
  'b',
  'p',
  'div',
  'img',
  'svg',
  'math',
  'style',
  'title',
  'template',
  'noscript',
  'form',
  'table',
  'td',
  'select',
  'option',
  'mtext',
  'mglyph',
  'malignmark',
  'annotation-xml',
  'foreignObject',
  'desc',
  'xmp',
  'iframe',
  'textarea',
  'script',
  'input',
  'animate',
  'use',
  'br',
  'plaintext',
  'h1',
  'font',
);
const attribute = fc.constantFrom(
  'src=x onerror=alert(1)',
  'onerror=alert(1)',
  'onload=alert(1)',
  'onfocus=alert(1) autofocus',
  'src',
  'src=x',
  'href=javascript:alert(1)',
  'href="java&#9;script:alert(1)"',
  'href=https://example.test',
  'xlink:href=javascript:alert(1)',
  'style=animation:x',
  'id="</style><img src=x onerror=alert(1)>"',
  'title="</title><img src=x onerror=alert(1)>"',
  'encoding=text/html',
  'tabindex=1',
  'color=red',
  "class='--><img src onerror=alert(1)>'",
  'attributeName=href',
  'values=javascript:alert(1)',
  'is=x',
  'name=body',
);
const open = fc
  .tuple(tag, fc.array(attribute, { maxLength: 2 }), fc.constantFrom('>', '/>', ' >', ''))
  .map(([name, attributes, end]) => `<${[name, ...attributes].join(' ')}${end}`);
/** What runs wherever it ends up as an element: the rest is there to smuggle it in. */
const armed = fc.constantFrom(
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<input autofocus onfocus=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<details open ontoggle=alert(1)>',
);
const close = tag.map((name) => `</${name}>`);
const other = fc.constantFrom(
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<![CDATA[',
  ']]>',
  '<?x ',
  '?>',
  '&lt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  'text',
  '"',
  "'",
  '`',
  '<',
  '\u0000',
  '</p>',
  '<br>',
);
const markup = fc
  .array(
    fc.oneof(
      { arbitrary: open, weight: 4 },
      { arbitrary: armed, weight: 2 },
      { arbitrary: close, weight: 2 },
      other,
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

const loose = {
  html: {
    svg: true,
    mathMl: true,
    allowTags: ['form', 'input', 'button', 'select', 'option', 'textarea'],
    allowAttributes: ['style'],
  },
};

test('markup of any make runs nothing, and sanitized twice is sanitized once', async () => {
  const trap = await createTripwire();
  await fc.assert(
    // In groups: to wait for a document costs more than to fill it.
    fc.asyncProperty(fc.array(markup, { minLength: 30, maxLength: 30 }), async (group) => {
      trap.body.replaceChildren();
      for (const text of group) {
        const once = clean(text);
        if (once !== undefined) expect(clean(once)).toBe(once);
        for (const shown of [once, clean(text, loose)]) if (shown !== undefined) insert(trap, shown);
      }
      poke(trap);
      await trap.settle();
      expect(trap.fired()).toEqual([]);
    }),
    runs(12),
  );
  trap.close();
});

test('and as it was made it does run: the generator is worth its name', async () => {
  const trap = await createTripwire();
  let fired = 0;
  for (const text of fc.sample(markup, { numRuns: 40, seed: 1 })) {
    trap.body.replaceChildren();
    insert(trap, text);
    await trap.settle();
    if (trap.fired().length > 0) fired++;
  }
  trap.close();
  expect(fired).toBeGreaterThan(3);
});

/** Markup as a careful author writes it, built so that its serialized form is known. */
const { harmless } = fc.letrec<{ harmless: string }>((tie) => ({
  harmless: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('text', 'مرحبا', '日本語', '😀', '&amp;', '&lt;b&gt;', 'a "quoted" word'),
    fc
      .tuple(
        fc.constantFrom(
          'b',
          'i',
          'em',
          'code',
          'span dir="rtl"',
          'span lang="ja" title="a"',
          'a href="https://example.test/?a=1&amp;b=2"',
        ),
        fc.array(tie('harmless'), { maxLength: 3 }),
      )
      .map(([name, inner]) => `<${name}>${inner.join('')}</${name.split(' ', 1)[0]!}>`),
  ),
}));

test('harmless markup comes out as it went in', () => {
  fc.assert(
    fc.property(
      fc.array(harmless, { maxLength: 5 }).map((parts) => `<p>${parts.join('')}</p>`),
      (text) => {
        // Links in links are not HTML: the parser itself takes them apart.
        if (/<a [^]*<a /.test(text) && /<a [^>]*>(?:(?!<\/a>)[^])*<a /.test(text)) return;
        expect(clean(text)).toBe(text);
      },
    ),
    runs(200),
  );
});
