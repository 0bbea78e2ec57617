import { createReadStream, existsSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pathOf, sendText } from '../http/listen.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

/**
 * The policy of the host page: its own scripts and styles, the MCP servers to talk to, the sandbox to
 * frame, and nothing else.
 */
export function hostPolicy(options: { mcpOrigins: readonly string[]; sandboxOrigin: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...options.mcpOrigins].join(' '),
    `frame-src ${options.sandboxOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

/** Serves the files of a folder, `index.html` at `/`. */
export function serveFolder(
  folder: string,
  policy: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  const root = normalize(folder);
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendText(response, 405, 'GET only.');
    const path = pathOf(request);
    let relative: string;
    try {
      relative = path === '/' ? 'index.html' : decodeURIComponent(path.slice(1));
    } catch {
      return sendText(response, 400, 'The path is not well-formed.');
    }
    const file = join(root, relative);
    const type = TYPES[extname(file)];
    const inside = file.startsWith(root.endsWith(sep) ? root : root + sep);
    if (
      !inside ||
      type === undefined ||
      relative.includes('\0') ||
      !existsSync(file) ||
      !statSync(file).isFile()
    ) {
      return sendText(response, 404, 'There is no such file.');
    }
    response.writeHead(200, {
      'content-type': type,
      'content-length': statSync(file).size,
      // Built names change with their content; the page that names them must be fresh.
      'cache-control': relative.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  };
}
