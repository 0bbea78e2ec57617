import DOMPurify from 'dompurify';
import { expect, test } from 'vitest';
import { createSanitizer } from './sanitizer.ts';

function clean(text: string): { html: string | undefined; reports: string[] } {
  const reports: string[] = [];
  const block = { type: 'resource', resource: { uri: 'ui://x', mimeType: 'text/html', text } };
  const result = createSanitizer().result({ content: [block] }, (code) => void reports.push(code));
  return { html: result.content?.[0]?.resource?.text, reports };
}

/** What a document makes of it: no element or attribute may run or reach out. */
function inspect(html: string): string[] {
  const found: string[] = [];
  for (let markup = html, round = 0; round < 2; round++) {
    const document = new DOMParser().parseFromString(markup, 'text/html');
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.namespaceURI!.endsWith('/xhtml')) found.push(element.nodeName);
      if (/^(script|style|iframe|object|embed|form|base|link|meta|template)$/i.test(element.nodeName))
        found.push(element.nodeName);
      for (const { name, value } of element.attributes) {
        if (/^on|^style$|^srcdoc$|^formaction$/i.test(name) || /^\s*(javascript|vbscript):/i.test(value))
          found.push(`${name}=${value}`);
      }
    }
    markup = document.body.innerHTML;
  }
  return found;
}

const nested = `${'<div>'.repeat(506)}<table><svg></p><style><a title="</style><img src onerror=alert(1)>"></style></svg></table>`;

test.each([
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
])('cases 39, 45, 51: %s leaves nothing that runs, also after another round trip', (html) => {
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
  ]) {
    expect(clean(html)).toEqual({ html, reports: [] });
  }
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
