import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createAppReader } from '../http/app-resource.ts';
import { createCallLog } from '../http/call-log.ts';
import { createGuard } from '../http/guard.ts';
import { listen, pathOf, sendJson, sendText } from '../http/listen.ts';
import type { Listening } from '../http/listen.ts';
import { endAllRuns } from './run-lines.ts';
import { SUITES } from './suites.ts';
import type { Suite } from './suites.ts';
import { createRunnerServer } from './tools.ts';

/** Sessions kept at once; the one unused for longest is closed for a new one. */
const MAX_SESSIONS = 32;

/** Serves `run_checks` at `/mcp` over Streamable HTTP with sessions, as SDK v1 does. */
export async function serveRunner(options: {
  port: number;
  hostOrigins: readonly string[];
  /** Adds `GET /debug/calls`. */
  debug: boolean;
  /** Default: this repository. */
  root?: string;
  /** Default: its own checks. */
  suites?: Record<string, Suite>;
  /** Default: the built app. */
  readApp?: (name: string) => string;
}): Promise<Listening & { url: string }> {
  const calls = createCallLog();
  const { suites = SUITES, readApp = createAppReader() } = options;
  const root = options.root ?? fileURLToPath(new URL('../../..', import.meta.url));
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined && typeof id === 'string') {
      // Last in the map is the one used last.
      sessions.delete(id);
      sessions.set(id, known);
      return known.handleRequest(request, response);
    }
    if (id !== undefined) return sendText(response, 404, 'This session has ended.');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(sessionId) {
        sessions.set(sessionId, transport);
        const [oldest] = sessions;
        if (sessions.size > MAX_SESSIONS && oldest !== undefined) void oldest[1].close();
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    const server = createRunnerServer({ root, suites, startCall: calls.start, readApp });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }

  const guard = createGuard({ origins: options.hostOrigins, port: () => listening.port });
  const listening = await listen(
    (request, response) => {
      if (!guard(request, response)) return;
      const path = pathOf(request);
      if (path === '/debug/calls' && options.debug) sendJson(response, calls.list());
      else if (path !== '/mcp') sendText(response, 404, 'The MCP endpoint is /mcp.');
      else {
        serve(request, response).catch((error: unknown) => {
          process.stderr.write(
            `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
          );
          if (!response.headersSent) sendText(response, 500, 'The server failed; its log says why.');
        });
      }
    },
    { port: options.port, hostname: '127.0.0.1', portVariable: 'DEMO_RUNNER_PORT' },
  );
  return {
    ...listening,
    url: `${listening.origin}/mcp`,
    async close() {
      endAllRuns();
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      await listening.close();
    },
  };
}
