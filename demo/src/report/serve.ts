import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { loadRows } from '../data/load-rows.ts';
import { createAppReader } from '../http/app-resource.ts';
import { createCallLog } from '../http/call-log.ts';
import { createGuard } from '../http/guard.ts';
import { listen, pathOf, sendJson, sendText } from '../http/listen.ts';
import type { Listening } from '../http/listen.ts';
import { createReportServer } from './tools.ts';

/** Serves the report tools at `/mcp` over Streamable HTTP: 2026-07-28 and, stateless, what came before. */
export async function serveReport(options: {
  port: number;
  hostOrigins: readonly string[];
  paceMs: number;
  /** Adds `GET /debug/calls`. */
  debug: boolean;
  /** Default: the built apps. */
  readApp?: (name: string) => string;
}): Promise<Listening & { url: string }> {
  const rows = loadRows();
  const calls = createCallLog();
  const readApp = options.readApp ?? createAppReader();
  const handler = createMcpHandler(() =>
    createReportServer({ rows, paceMs: options.paceMs, startCall: calls.start, readApp }),
  );
  // The adapter's own types leave out that Node's fields may be undefined.
  const serve = toNodeHandler(handler) as (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  const guard = createGuard({ origins: options.hostOrigins, port: () => listening.port });
  const listening = await listen(
    (request, response) => {
      if (!guard(request, response)) return;
      const path = pathOf(request);
      if (path === '/mcp') void serve(request, response);
      else if (path === '/debug/calls' && options.debug) sendJson(response, calls.list());
      else sendText(response, 404, 'The MCP endpoint is /mcp.');
    },
    { port: options.port, hostname: '127.0.0.1', portVariable: 'DEMO_REPORT_PORT' },
  );
  return {
    ...listening,
    url: `${listening.origin}/mcp`,
    async close() {
      await handler.close();
      await listening.close();
    },
  };
}
