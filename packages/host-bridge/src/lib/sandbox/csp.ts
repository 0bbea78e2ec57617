/** Domains a UI resource declares in `_meta.ui.csp` (H4, H6). */
export interface UiCsp {
  /** Origins for fetch, XHR, WebSocket and the like. */
  connectDomains?: string[];
  /** Origins for scripts, styles, images, fonts and media. */
  resourceDomains?: string[];
  /** Origins for nested frames. */
  frameDomains?: string[];
  /** Origins a `<base>` element may name. */
  baseUriDomains?: string[];
}

/** A declared domain that was left out of the policy. */
export interface CspRejection {
  list: keyof UiCsp;
  /** The offending entry as text, cut to 200 characters. */
  value: string;
  reason: string;
}

/** What {@link buildCsp} made of a declaration. */
export interface BuiltCsp {
  /** Directives joined by `; `, fit for a header or a `<meta>` element. */
  policy: string;
  /** The declaration reduced to the entries that are in the policy. */
  applied: UiCsp;
  rejected: CspRejection[];
}

/**
 * Builds the Content-Security-Policy of a view from its declared domains (H4 to H6).
 *
 * An entry is `[scheme://]host[:port][/path]`, where the scheme is http, https, ws or wss and the host may
 * start with `*.`; anything else (keywords, bare schemes, `*`, quotes, white space, `;`, `,`, control or
 * non-ASCII characters) is rejected and listed, never passed on. A list is capped at 64 entries of at most
 * 255 characters. Beyond the letter of H5 and H6 the policy also sets `form-action 'none'`, because a form
 * post is a way out that `default-src` does not cover.
 *
 * The whole function is self-contained: the proxy page carries its text (decision 005).
 * @param declared - `_meta.ui.csp` as it came from the server, not trusted to have any shape.
 */
export function buildCsp(declared: unknown): BuiltCsp {
  const maxEntries = 64;
  const maxLength = 255;
  const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
  const host = `(?:\\*\\.)?${label}(?:\\.${label})*`;
  const source = new RegExp(
    `^(?:(?:https?|wss?)://)?${host}(?::(?:\\d{1,5}|\\*))?(?:/[\\w.~%/+=@:-]*)?$`,
    'i',
  );
  const rejected: CspRejection[] = [];
  const applied: UiCsp = {};

  const reject = (list: keyof UiCsp, value: unknown, reason: string): void => {
    const text = typeof value === 'string' ? value : `(${value === null ? 'null' : typeof value})`;
    rejected.push({ list, value: text.slice(0, 200), reason });
  };

  const read = (list: keyof UiCsp): string[] => {
    const value = (declared as Record<string, unknown> | null | undefined)?.[list];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) {
      reject(list, value, 'must be an array of domains');
      return [];
    }
    const kept: string[] = [];
    for (const entry of value as unknown[]) {
      if (typeof entry !== 'string') reject(list, entry, 'must be a string');
      else if (kept.length >= maxEntries) reject(list, entry, `more than ${maxEntries} domains`);
      else if (entry.length > maxLength) reject(list, entry, `longer than ${maxLength} characters`);
      else if (!source.test(entry)) reject(list, entry, 'must look like https://host, host or *.host');
      else if (!kept.includes(entry)) kept.push(entry);
    }
    if (kept.length > 0) applied[list] = kept;
    return kept;
  };

  const connect = read('connectDomains');
  const resource = read('resourceDomains');
  const frame = read('frameDomains');
  const baseUri = read('baseUriDomains');
  const directive = (...parts: string[]): string => parts.join(' ');
  const policy = [
    "default-src 'none'",
    directive("script-src 'self' 'unsafe-inline'", ...resource),
    directive("style-src 'self' 'unsafe-inline'", ...resource),
    directive("img-src 'self' data:", ...resource),
    ...(resource.length > 0 ? [directive("font-src 'self'", ...resource)] : []),
    directive("media-src 'self' data:", ...resource),
    directive('connect-src', ...(connect.length > 0 ? connect : ["'none'"])),
    directive('frame-src', ...(frame.length > 0 ? frame : ["'none'"])),
    "object-src 'none'",
    directive('base-uri', ...(baseUri.length > 0 ? baseUri : ["'self'"])),
    "form-action 'none'",
  ].join('; ');
  return { policy, applied, rejected };
}
