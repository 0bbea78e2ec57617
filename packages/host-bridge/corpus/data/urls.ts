/*
 * Ways to write a script URL so that a check misses it and a browser does not. Tricks from DOMPurify's
 * fixtures, field case 45 and the WHATWG URL parser's own rules.
 */
const tab = '\t';

/** A browser reads each of these as a URL that runs code or hides what it opens. */
export const HOSTILE_URLS: readonly string[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0000javascript:alert(1)',
  '\u0001\u0002\u001fjavascript:alert(1)',
  '\r\n\tjavascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  'j\ta\nv\ra\ts\nc\rr\ti\np\rt\t:alert(1)',
  'javascript\t:alert(1)',
  'javascript:\u0000alert(1)',
  'javascript://example.test/%0aalert(1)',
  'javascript:/**/alert(1)//https://example.test',
  `${tab.repeat(5_000)}javascript:alert(1)`,
  `${' '.repeat(4_096)}javascript:alert(1)`,
  `java${tab.repeat(5_000)}script:alert(1)`,
  'vbscript:msgbox(1)',
  'VBSCRIPT:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+',
  'data:application/xhtml+xml,<x/>',
  'data:,alert(1)',
  ' DATA:text/html,x',
  'da\tta:text/html,x',
  'blob:https://example.test/0',
  'filesystem:https://example.test/temporary/x',
  'about:blank',
  'view-source:javascript:alert(1)',
  'feed:javascript:alert(1)',
  'jar:javascript:alert(1)!/',
];

/** Invisible characters that no browser skips, but a careless reader of the text might. */
export const DISGUISED_URLS: readonly string[] = [
  '\u00a0javascript:alert(1)',
  '\u200bjavascript:alert(1)',
  'java\u200dscript:alert(1)',
  'java\u00adscript:alert(1)',
  '\ufeffjavascript:alert(1)',
  '\u2028javascript:alert(1)',
  '\u202ejavascript:alert(1)',
];

export const HARMLESS_URLS: readonly string[] = [
  'https://example.test/',
  'http://example.test:8080/a?b=c#d',
  'HTTPS://EXAMPLE.TEST/javascript:alert(1)',
  'https://example.test/?q=javascript:alert(1)',
  'https://example.test/%6aavascript:x',
  'https://xn--r8jz45g.test/例え?🙂',
  'data:image/png;base64,iVBORw0KGgo=',
  'data:image/webp;base64,UklGRg==',
];
