/*
 * Markup beside DOMPurify's fixtures. From the same project's test/test-suite.js (Apache-2.0 OR MPL-2.0) where
 * marked so, from field cases 39, 44 and 51, or our own. Payloads only.
 */
export const HTML_PAYLOADS: readonly { title: string; payload: string }[] = [
  {
    title: 'DOMPurify test-suite: SVG, style and a title that ends it',
    payload: '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>"></svg>',
  },
  {
    title: 'DOMPurify test-suite: table and mglyph under MathML',
    payload: '<math><mtext><table><mglyph><style><img src onerror=alert(1)>',
  },
  {
    title: 'DOMPurify test-suite: annotation-xml and xmp',
    payload:
      '<math><annotation-xml encoding="text/html"><xmp><img src=x onerror=alert(1)></xmp></annotation-xml></math>',
  },
  {
    title: 'DOMPurify test-suite: foreignobject and xmp',
    payload: '<svg><foreignobject><xmp><img src=x onerror=alert(1)></xmp></foreignobject></svg>',
  },
  {
    title: 'DOMPurify test-suite: noscript',
    payload: '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  },
  { title: 'DOMPurify test-suite: noembed', payload: '<noembed><img src=x onerror=alert(1)></noembed>' },
  {
    title: 'DOMPurify test-suite: noscript and noembed',
    payload: '<noscript><noembed>x</noembed></noscript>',
  },
  {
    title: 'DOMPurify test-suite: style that seems to end in a string',
    payload: '<style>a{background:url("</style><img src=x onerror=alert(1)>")}</style>',
  },
  {
    title: 'case 39: form, math, mtext and mglyph',
    payload: '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  },
  {
    title: 'case 39: annotation-xml, foreignobject and a comment in style',
    payload:
      '<svg><annotation-xml><foreignobject><style><!--</style><p id="--!><img src=x onerror=alert(1)>">',
  },
  {
    title: 'case 39: nesting deeper than parsers keep',
    payload: `${'<div>'.repeat(506)}<table><svg></p><style><a title="</style><img src onerror=alert(1)>"></style></svg></table>`,
  },
  {
    title: 'case 44: an element that is never closed',
    payload: 'Hello <style>p{}</style> world<script>alert(1)',
  },
  {
    title: 'case 51: beacons of style and images',
    payload:
      '<style>*{background:url(https://evil.test/?q)}</style><p style="background:url(https://evil.test)">x</p><img srcset="https://evil.test/p 2x">',
  },
  {
    title: 'comment endings',
    payload: '<!--><img src=x onerror=alert(1)>--><!--a--!><img src=x onerror=alert(2)>',
  },
  { title: 'processing instruction', payload: '<?xml ><img src=x onerror=alert(1)>?>' },
  { title: 'CDATA outside foreign content', payload: '<![CDATA[><img src=x onerror=alert(1)>]]>' },
  { title: 'CDATA in SVG', payload: '<svg><![CDATA[<img src=x onerror=alert(1)>]]></svg>' },
  { title: 'attribute without quotes', payload: '<img/src=`x`onerror=alert(1)//>' },
  { title: 'slash between attributes', payload: '<img/src/onerror=alert(1)/alt>' },
  {
    title: 'null in the tag name',
    payload: '<scr\u0000ipt>alert(1)</scr\u0000ipt><img\u0000src=x onerror=alert(1)>',
  },
  { title: 'details opens', payload: '<details open ontoggle=alert(1)>x</details>' },
  {
    title: 'autofocus',
    payload: '<input autofocus onfocus=alert(1)><a tabindex=1 autofocus onfocus=alert(2)>x</a>',
  },
  { title: 'svg onload', payload: '<svg onload=alert(1)><animate onbegin=alert(2) attributeName=x></svg>' },
  {
    title: 'SVG animates a link into a script',
    payload:
      '<svg><a><text y=9>x</text><animate attributeName=href values=javascript:alert(1) /></a><set attributeName=onload to=alert(2)></svg>',
  },
  {
    title: 'use of a data document',
    payload: '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)/>#x"/></svg>',
  },
  { title: 'math link', payload: '<math href="javascript:alert(1)"><mi>click</mi></math>' },
  { title: 'srcdoc', payload: '<iframe srcdoc="&lt;script&gt;parent.alert(1)&lt;/script&gt;"></iframe>' },
  {
    title: 'object and embed',
    payload: '<object data="data:text/html,x"></object><embed src="javascript:alert(1)">',
  },
  {
    title: 'meta refresh and base',
    payload: '<meta http-equiv=refresh content="0;url=javascript:alert(1)"><base href="javascript:/a/">',
  },
  {
    title: 'clobbering',
    payload:
      '<form id=x><input name=attributes><input name=nodeName></form><img name=implementation><a id=body>',
  },
  {
    title: 'template and slot',
    payload: '<template><img src=x onerror=alert(1)></template><slot onslotchange=alert(1)>',
  },
  {
    title: 'shadow root declared',
    payload: '<div><template shadowrootmode=open><img src=x onerror=alert(1)></template></div>',
  },
  {
    title: 'popover and its target',
    payload: '<button popovertarget=p>x</button><div popover id=p onbeforetoggle=alert(1)>y</div>',
  },
  {
    title: 'select and its parsing mode',
    payload: '<select><style></select><img src=x onerror=alert(1)></style></select>',
  },
  { title: 'textarea', payload: '<textarea></textarea><img src=x onerror=alert(1)></textarea>' },
  {
    title: 'title as raw text in SVG',
    payload: '<svg><title><style></title></svg><img src=x onerror=alert(1)>',
  },
  { title: 'frameset', payload: '<frameset onload=alert(1)><frame src="javascript:alert(2)"></frameset>' },
  {
    title: 'custom element',
    payload: '<x-a is=y onclick=alert(1) onfocus=alert(2) tabindex=0 autofocus>x</x-a>',
  },
];

/** Markup that is nobody's attack and must come out as it went in. */
export const HARMLESS_HTML: readonly string[] = [
  'plain text, 3 < 4'.replace('<', '&lt;'),
  '<p>a <b>b</b> &amp; <i>c</i></p>',
  '<p dir="rtl" lang="ar">مرحبا <bdi>123</bdi></p>',
  '<p lang="ja">日本語のテキスト</p>',
  '<p>😀 👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301</p>',
  '<pre><code>if (a &lt; b &amp;&amp; c) { return "&lt;script&gt;"; }</code></pre>',
  '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
  '<ol start="3"><li>x</li></ol>',
  '<img alt="a dot" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">',
  '<a href="https://example.test/?a=1&amp;b=2#c">link</a> <a href="mailto:a@example.test">mail</a> <a href="#part">part</a>',
  '<blockquote cite="https://example.test">q</blockquote><hr><details><summary>s</summary>d</details>',
];
