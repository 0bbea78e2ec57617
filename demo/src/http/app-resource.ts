import { readFileSync, statSync } from 'node:fs';

const MIME_TYPE = 'text/html;profile=mcp-app';

/** The part of `McpServer` used here; those of SDK v1 and v2 are assignable to it. */
interface RegistersResources {
  registerResource(
    name: string,
    uri: string,
    config: { title: string; mimeType: string; _meta: Record<string, unknown> },
    read: (uri: URL) => {
      contents: { uri: string; mimeType: string; text: string; _meta: Record<string, unknown> }[];
    },
  ): unknown;
}

/**
 * Serves an app as the `ui://` resource its tools name. It needs no domain beyond its own document, so it
 * declares none and gets the strictest policy.
 */
export function registerApp(server: RegistersResources, name: string, uri: string, html: () => string): void {
  const _meta = { ui: { prefersBorder: false } };
  server.registerResource(name, uri, { title: `${name} app`, mimeType: MIME_TYPE, _meta }, (asked) => ({
    contents: [{ uri: asked.href, mimeType: MIME_TYPE, text: html(), _meta }],
  }));
}

/** Reads built apps and keeps them until the file changes. */
export function createAppReader(): (name: string) => string {
  const cache = new Map<string, { mtimeMs: number; html: string }>();
  return (name) => {
    const file = new URL(`../../dist/apps/${name}/index.html`, import.meta.url);
    const { mtimeMs } = statSync(file);
    const known = cache.get(name);
    if (known?.mtimeMs === mtimeMs) return known.html;
    const html = readFileSync(file, 'utf8');
    cache.set(name, { mtimeMs, html });
    return html;
  };
}
