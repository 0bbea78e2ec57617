import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from './listen.ts';

const ALLOWED_REQUEST_HEADER = /^(?:accept|content-type|last-event-id|mcp-[a-z0-9-]+)$/;
const METHODS = 'GET, POST, DELETE, OPTIONS';

/**
 * What stands in front of an MCP server that a browser reaches: only the host page's origin may call it
 * from a browser, and only under a loopback name, so that a page whose name was rebound to 127.0.0.1 gets
 * nothing. Callers without an `Origin` are not browsers and pass, and so does the server's own origin.
 *
 * @returns whether the request goes on; when not, it has been answered.
 */
export function createGuard(options: {
  /** Origins of pages that may call. */
  origins: readonly string[];
  /** The port listened on, known once the server listens. */
  port(): number;
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${options.port()}`);
    const host = request.headers.host ?? '';
    if (!hosts.includes(host)) {
      sendText(response, 403, 'This server answers under a loopback name only.');
      return false;
    }
    const { origin } = request.headers;
    // What the server's own origin asks crosses no border; the protocol's suite wants it accepted.
    if (origin === undefined || origin === `http://${host}`) return true;
    response.setHeader('vary', 'origin');
    if (!options.origins.includes(origin)) {
      sendText(response, 403, 'This origin may not call this server.');
      return false;
    }
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version');
    if (request.method !== 'OPTIONS') return true;
    const wanted = (request.headers['access-control-request-headers'] ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase());
    response
      .writeHead(204, {
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': wanted.filter((name) => ALLOWED_REQUEST_HEADER.test(name)).join(', '),
        'access-control-max-age': '600',
      })
      .end();
    return false;
  };
}
