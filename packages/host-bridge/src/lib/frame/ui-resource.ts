import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { HostBridgeError } from '../errors.ts';
import type { UiCsp } from '../sandbox/csp.ts';

/** Features a view may ask for in `_meta.ui.permissions`. */
export interface UiPermissions {
  camera?: object;
  microphone?: object;
  geolocation?: object;
  clipboardWrite?: object;
}

/** A view as the server described it. Nothing in it is trusted. */
export interface UiResource {
  uri: string;
  html: string;
  csp?: UiCsp;
  permissions?: UiPermissions;
  /** The dedicated origin the server wishes for, in the host's own format (H24). */
  domain?: string;
  /** Whether the view wants a visible frame around it (H24). */
  prefersBorder?: boolean;
}

/** The parts of an MCP client that fetching a view needs. SDK clients of both generations fit. */
export interface ResourceClient {
  readResource(params: { uri: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
  listResources?(params?: { cursor?: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
}

/** Options of {@link readUiResource}. */
export interface ReadUiOptions {
  /** Longest HTML accepted, in characters. Default 10,000,000. */
  maxChars?: number;
  signal?: AbortSignal;
}

/** The flat key of early versions, still written by servers. */
const legacyUriKey = 'ui/resourceUri';
const mimeType = /^text\/html\s*;\s*profile\s*=\s*"?mcp-app"?\s*$/i;
const scheme = 'ui://';
/* The listing only supplies metadata, so a server with an endless one must not hold the view up. */
const maxListPages = 20;

/**
 * The URI of a tool's view: `_meta.ui.resourceUri`, or the older flat key `ui/resourceUri`.
 * @returns `undefined` when the tool has no view.
 * @throws HostBridgeError `ui_uri_invalid` when it names something that is not a `ui://` URI (H1).
 */
export function uiResourceUri(tool: { _meta?: unknown }): string | undefined {
  const meta = isPlainObject(tool._meta) ? tool._meta : {};
  const nested = isPlainObject(meta['ui']) ? meta['ui']['resourceUri'] : undefined;
  const uri = nested ?? meta[legacyUriKey] ?? undefined;
  if (uri === undefined) return undefined;
  if (typeof uri === 'string' && uri.startsWith(scheme) && uri.length > scheme.length) return uri;
  throw new HostBridgeError(
    'ui_uri_invalid',
    `The tool names ${JSON.stringify(uri)?.slice(0, 200)} as its view. Only ui:// resources are shown; correct _meta.ui.resourceUri on the server.`,
  );
}

/**
 * Fetches a view with `resources/read` (H1) and collects its metadata: what stands on the content wins over
 * what stands on the entry of `resources/list`, field by field (H3).
 * @throws HostBridgeError `ui_uri_invalid`, `ui_read_failed`, `ui_resource_missing`, `ui_mime_unsupported`,
 * `ui_content_invalid` or `ui_too_large`; each message says what to correct.
 */
export async function readUiResource(
  client: ResourceClient,
  uri: string,
  options: ReadUiOptions = {},
): Promise<UiResource> {
  if (!uri.startsWith(scheme)) {
    throw new HostBridgeError(
      'ui_uri_invalid',
      `${uri.slice(0, 200)} is not a ui:// resource; nothing else is shown as a view.`,
    );
  }
  const request = options.signal ? { signal: options.signal } : {};
  let answer: unknown;
  try {
    answer = await client.readResource({ uri }, request);
  } catch (cause) {
    const message = `The server did not deliver ${uri}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new HostBridgeError('ui_read_failed', message, { cause });
  }
  const content = pickContent(answer, uri);
  const html = readHtml(content, uri, options.maxChars ?? 10_000_000);
  const listed = hasUiMeta(content) ? undefined : await findListed(client, uri, request);
  return { uri, html, ...readMeta(listed), ...readMeta(content) };
}

function pickContent(answer: unknown, uri: string): Record<string, unknown> {
  const contents =
    isPlainObject(answer) && Array.isArray(answer['contents']) ? (answer['contents'] as unknown[]) : [];
  const usable = contents.filter(isPlainObject);
  const content = usable.find((item) => item['uri'] === uri) ?? usable[0];
  if (content) return content;
  throw new HostBridgeError('ui_resource_missing', `resources/read of ${uri} answered without any content.`);
}

function readHtml(content: Record<string, unknown>, uri: string, maxChars: number): string {
  const { mimeType: given, text, blob } = content;
  if (typeof given !== 'string' || !mimeType.test(given)) {
    const found = typeof given === 'string' ? `"${given.slice(0, 100)}"` : 'no mimeType';
    throw new HostBridgeError(
      'ui_mime_unsupported',
      `${uri} has ${found}; a view must be "text/html;profile=mcp-app".`,
    );
  }
  /* Four characters of base64 are three bytes, each at least a part of a character. */
  if (
    typeof text === 'string' ? text.length > maxChars : typeof blob === 'string' && blob.length > maxChars * 4
  ) {
    throw new HostBridgeError(
      'ui_too_large',
      `${uri} has more than ${maxChars} characters; raise maxChars to show it.`,
    );
  }
  if (typeof text === 'string') return text;
  const decoded = typeof blob === 'string' ? decode(blob) : undefined;
  if (decoded === undefined) {
    throw new HostBridgeError(
      'ui_content_invalid',
      `${uri} has neither a text nor a blob of base64-encoded UTF-8.`,
    );
  }
  if (decoded.length > maxChars) {
    throw new HostBridgeError(
      'ui_too_large',
      `${uri} has more than ${maxChars} characters; raise maxChars to show it.`,
    );
  }
  return decoded;
}

function decode(blob: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(blob), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function hasUiMeta(content: Record<string, unknown>): boolean {
  const ui = uiMeta(content);
  return ui !== undefined && ['csp', 'permissions', 'domain', 'prefersBorder'].every((key) => key in ui);
}

function uiMeta(entry: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const meta = entry?.['_meta'];
  return isPlainObject(meta) && isPlainObject(meta['ui']) ? meta['ui'] : undefined;
}

function readMeta(entry: Record<string, unknown> | undefined): Omit<UiResource, 'uri' | 'html'> {
  const ui = uiMeta(entry) ?? {};
  return {
    ...(isPlainObject(ui['csp']) && { csp: ui['csp'] }),
    ...(isPlainObject(ui['permissions']) && { permissions: ui['permissions'] }),
    ...(typeof ui['domain'] === 'string' && { domain: ui['domain'] }),
    ...(typeof ui['prefersBorder'] === 'boolean' && { prefersBorder: ui['prefersBorder'] }),
  };
}

/** The listing entry, or nothing: servers need not list their views, and some cannot list at all. */
async function findListed(
  client: ResourceClient,
  uri: string,
  request: { signal?: AbortSignal },
): Promise<Record<string, unknown> | undefined> {
  let cursor: string | undefined;
  try {
    for (let page = 0; page < maxListPages && client.listResources; page++) {
      const answer = await client.listResources(cursor === undefined ? {} : { cursor }, request);
      if (!isPlainObject(answer) || !Array.isArray(answer['resources'])) return undefined;
      const found = (answer['resources'] as unknown[]).find(
        (entry) => isPlainObject(entry) && entry['uri'] === uri,
      );
      if (found) return found as Record<string, unknown>;
      if (typeof answer['nextCursor'] !== 'string') return undefined;
      cursor = answer['nextCursor'];
    }
  } catch {
    return undefined;
  }
  return undefined;
}
