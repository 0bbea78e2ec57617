import DOMPurify from 'dompurify';
import { expect, test } from 'vitest';
import { createSanitizer, type SanitizerOptions } from './sanitizer.ts';

function clean(text: string, options?: SanitizerOptions): { html: string | undefined; reports: string[] } {
  const reports: string[] = [];
  const block = { type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text } };
  const result = createSanitizer(options).result({ content: [block] }, (code) => void reports.push(code));
  return { html: result.content?.[0]?.resource?.text, reports };
}

/** What a document makes of it: no element or attribute may run or reach out. */
function inspect(html: string, rules: SanitizerOptions['html'] = {}): string[] {
  const allowed = new Set([...(rules.allowTags ?? []), ...(rules.allowAttributes ?? [])]);
  const found: string[] = [];
  for (let markup = html, round = 0; round < 2; round++) {
    const document = new DOMParser().parseFromString(markup, 'text/html');
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.namespaceURI!.endsWith('/xhtml') && !rules.svg) found.push(element.nodeName);
      if (
        /^(script|style|iframe|object|embed|form|base|link|meta|template)$/i.test(element.nodeName) &&
        !allowed.has(element.localName)
      )
        found.push(element.nodeName);
      for (const { name, value } of element.attributes) {
        if (
          (/^on|^style$|^srcdoc$|^formaction$/i.test(name) && !allowed.has(name)) ||
          /^\s*(javascript|vbscript):/i.test(value)
        )
          found.push(`${name}=${value}`);
      }
    }
    markup = document.body.innerHTML;
  }
  return found;
}

const nested = `${'<div>'.repeat(506)}<table><svg></p><style><a title="</style><img src onerror=alert(1)>"></style></svg></table>`;

const attacks = [
  ['<img src=x onerror=alert(1)>'],
  ['<script>alert(1)</script><b>x</b>'],
  ['<a href="JaVa&#x09;Script:alert(1)">x</a>'],
  [
    '<style>*{background:url(https://evil.test/?q)}</style><p style="background:url(https://evil.test)">x</p>',
  ],
  ['<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>'],
  ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
  ['<svg><annotation-xml><foreignobject><style><!--</style><p id="--!><img src=x onerror=alert(1)>">'],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="x"></object><base href="//evil.test">'],
  ['<template><img src=x onerror=alert(1)></template>'],
  ['<a href="data:text/html,<script>alert(1)</script>">x</a>'],
  [nested],
];

test.each(attacks)('cases 39, 45, 51: %s leaves nothing that runs, also after another round trip', (html) => {
  const cleaned = clean(html);
  expect(cleaned.reports.length).toBeGreaterThan(0);
  expect(inspect(cleaned.html ?? '')).toEqual([]);
  expect(cleaned.html ?? '').not.toContain('evil.test');
});

test('harmless markup comes through unchanged and unreported', () => {
  for (const html of [
    'plain text',
    '<p>a <b>b</b> &amp; <a href="https://a.test">c</a></p>',
    '<ul><li>x</li></ul>',
    '<p dir="rtl" lang="ar">مرحبا</p>',
    '<table><tbody><tr><td colspan="2" align="right">1</td></tr></tbody></table>',
    '<ol start="3"><li>x</li></ol><time datetime="2026-01-01">x</time>',
    '<img src="data:image/png;base64,AAAA" alt="a: b" width="10" height="10" loading="lazy">',
    '<p title="url(x) \\ javascript: a talk" class="a b" id="x">x</p>',
  ]) {
    expect(clean(html)).toEqual({ html, reports: [] });
  }
});

test('a reference without a scheme leads nowhere, and a drawing loads nothing', () => {
  for (const url of ['/x', 'x.png', '//evil.test/x', '?q', ' /x']) {
    expect(clean(`<a href="${url}">a</a>`)).toEqual({ html: '<a>a</a>', reports: ['html_cleaned'] });
  }
  for (const fill of [
    'url(https://evil.test/x)',
    "url( 'https://evil.test/x#a')",
    'URL("//evil.test")',
    '\\75rl(//evil.test)',
  ]) {
    const cleaned = clean(`<svg><rect fill='${fill.replaceAll("'", '&#39;')}'></rect></svg>`, {
      html: { svg: true },
    });
    expect(cleaned.html).toBe('<svg><rect></rect></svg>');
  }
  const own = '<svg><rect fill="url(#a)"></rect></svg>';
  expect(clean(own, { html: { svg: true } })).toEqual({ html: own, reports: [] });
});

test('the limit on markup is exact', () => {
  const options = { limits: { maxHtmlChars: 10 } };
  expect(clean('<b>abc</b>', options)).toEqual({ html: '<b>abc</b>', reports: [] });
  expect(clean('<b>abcd</b>', options)).toEqual({ html: undefined, reports: ['html_refused'] });
});

test('very deep markup is refused', () => {
  const deep = clean(`${'<b>'.repeat(300)}x`);
  expect(deep).toEqual({ html: undefined, reports: ['html_refused'] });
});

test('case 40: hooks of another DOMPurify on the page do not reach ours', () => {
  DOMPurify.addHook('uponSanitizeAttribute', (_, data) => {
    data.forceKeepAttr = true;
  });
  try {
    expect(clean('<img src="x" onerror="alert(1)">').html).not.toContain('onerror');
  } finally {
    DOMPurify.removeAllHooks();
  }
});

const options: Required<SanitizerOptions>['html'][] = [
  { svg: true, mathMl: true },
  {
    svg: true,
    mathMl: true,
    allowTags: ['button', 'form', 'input', 'dialog'],
    allowAttributes: ['style', 'target', 'popover'],
  },
];

test.each(attacks)('cases 39, 40: nor does %s when an app may have drawings, formulas and forms', (html) => {
  for (const rules of options) expect(inspect(clean(html, { html: rules }).html ?? '', rules)).toEqual([]);
});

test('an app gets what it is allowed, and only that', () => {
  const drawing = '<svg viewBox="0 0 1 1"><circle r="1"></circle></svg>';
  const formula = '<math><mi>x</mi></math>';
  const button = '<button style="color: red">b</button>';
  expect(clean(drawing + formula + button)).toMatchObject({ html: 'b', reports: ['html_cleaned'] });
  expect(clean(drawing, { html: { svg: true } })).toEqual({ html: drawing, reports: [] });
  expect(clean(formula, { html: { mathMl: true } })).toEqual({ html: formula, reports: [] });
  const forms = { allowTags: ['BUTTON'], allowAttributes: ['style'] };
  expect(clean(button, { html: forms })).toEqual({ html: button, reports: [] });
  expect(
    clean('<a href="https://a.test" title="t">a</a><img src="https://a.test">', {
      html: { denyTags: ['IMG'], denyAttributes: ['title'] },
    }),
  ).toEqual({
    html: '<a href="https://a.test">a</a>',
    reports: ['html_cleaned'],
  });
});

test('case 40: what the page does to its own copy or to every object changes nothing', () => {
  const poison: Record<string, unknown> = {
    ADD_TAGS: ['iframe', 'script'],
    ADD_ATTR: ['onerror', 'srcdoc'],
    ALLOW_UNKNOWN_PROTOCOLS: true,
    SAFE_FOR_XML: false,
    FORCE_BODY: true,
    RETURN_DOM: true,
    IN_PLACE: true,
    tagNameCheck: /./,
  };
  const attack = '<img src="x" onerror="alert(1)"><iframe srcdoc="x"></iframe><a href="javascript:1">a</a>';
  const before = clean(attack);
  const everyObject = Object.getPrototypeOf({}) as object;
  DOMPurify.setConfig({
    ADD_TAGS: ['iframe', 'script'],
    ADD_ATTR: ['onerror', 'srcdoc'],
    ALLOW_UNKNOWN_PROTOCOLS: true,
  });
  for (const [key, value] of Object.entries(poison)) {
    Object.defineProperty(everyObject, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  try {
    expect(inspect(DOMPurify.sanitize(attack))).not.toEqual([]);
    expect(clean(attack)).toEqual(before);
  } finally {
    for (const key of Object.keys(poison)) Reflect.deleteProperty(everyObject, key);
    DOMPurify.clearConfig();
  }
});

test('what is other markup when it is parsed again is refused, here by the policy of a host that adds to it', () => {
  const trustedTypesPolicy = {
    createHTML: (html: string) => `${html}<p><table><p>`,
    createScriptURL: (url: string) => url,
  };
  expect(clean('<b>x</b>', { trustedTypesPolicy })).toEqual({ html: undefined, reports: ['html_refused'] });
});
