/*
 * Browsers drop tabs and line breaks anywhere in a URL and C0 controls and spaces in front of it, so
 * a scheme is read without any of them, nor format characters, which only serve to hide (field case 45).
 */
const IGNORED = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** The scheme in lower case without its colon; `undefined` for a relative reference. */
export function schemeOf(url: string): string | undefined {
  return SCHEME.exec(url.slice(0, 4_096).replace(IGNORED, ''))?.[1]?.toLowerCase();
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

/** Schemes that run code, or name something inside the reader's own origin. */
const EXECUTABLE: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'data',
  'blob',
  'filesystem',
  'about',
  'view-source',
]);

/**
 * Whether a resource may carry this `uri`. Servers invent schemes freely (`db:`, `note:`), so those
 * that can do harm are refused, unless the embedder lists what is allowed.
 */
export function isResourceUri(uri: string, allowed: ReadonlySet<string> | undefined): boolean {
  const scheme = schemeOf(uri);
  if (allowed) return scheme !== undefined && allowed.has(scheme);
  return scheme === undefined || !EXECUTABLE.has(scheme);
}
