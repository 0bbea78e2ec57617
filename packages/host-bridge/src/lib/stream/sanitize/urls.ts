/*
 * Browsers drop tabs and line breaks anywhere in a URL and C0 controls and spaces in front of it, so
 * a scheme is read without any of them, nor format characters, which only serve to hide (field case 45).
 */
const IGNORED = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/**
 * The scheme in lower case without its colon; `undefined` for a relative reference. The whole URL is
 * read: a browser drops any number of such characters.
 */
export function schemeOf(url: string): string | undefined {
  return SCHEME.exec(url.replace(IGNORED, ''))?.[1]?.toLowerCase();
}

/** An absolute http or https URL that parses. */
export function isWebUrl(url: string): boolean {
  const scheme = schemeOf(url);
  return (scheme === 'http' || scheme === 'https') && URL.canParse(url);
}

/** What an image or media property may load: the web, or an image inside the URL itself. */
export function isLoadableUrl(url: string): boolean {
  return isWebUrl(url) || /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon)[;,]/i.test(url);
}

/** Schemes that run code, name something inside the reader's own origin, or wrap a URL that may do either. */
const EXECUTABLE: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'livescript',
  'mocha',
  'data',
  'blob',
  'filesystem',
  'about',
  'view-source',
  'feed',
  'jar',
]);

/** Whether following this URL may run code; `false` for an image inside the URL itself. */
export function isExecutableUrl(url: string): boolean {
  const scheme = schemeOf(url);
  return scheme !== undefined && EXECUTABLE.has(scheme) && !isLoadableUrl(url);
}

/** What `text/uri-list` holds: a URI a line, `#` begins a comment. */
export function isResourceUriList(text: string, allowed: ReadonlySet<string> | undefined): boolean {
  return text
    .split(/[\r\n]+/)
    .every((line) => line.trim() === '' || line.startsWith('#') || isResourceUri(line, allowed));
}

/**
 * Whether a resource may carry this `uri`. Servers invent schemes freely (`db:`, `note:`), so those
 * that can do harm are refused, unless the embedder lists what is allowed.
 */
export function isResourceUri(uri: string, allowed: ReadonlySet<string> | undefined): boolean {
  const scheme = schemeOf(uri);
  if (allowed) return scheme !== undefined && allowed.has(scheme);
  return scheme === undefined || !EXECUTABLE.has(scheme);
}
