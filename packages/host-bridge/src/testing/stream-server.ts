import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** A call as the server sees it. */
export interface HeldCall {
  name: string;
  state: 'running' | 'aborted' | 'done';
}

export interface StreamServer {
  /** Of the MCP endpoint, for pages of any origin. */
  url: string;
  /**
   * Another origin: `/calls?group=` tells the calls of a group of names, `/release?group=` ends them. It has
   * connections of its own, so that asking does not disturb what is measured.
   */
  monitor: string;
  close(): Promise<void>;
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
};

/**
 * A server over HTTP/1.1 with sessions, where a stream takes a connection, the client's own channel another, and a
 * cancel has to find a third. Its tool `hold` streams one chunk and waits.
 */
export async function startStreamServer(): Promise<StreamServer> {
  const calls: HeldCall[] = [];
  const release = new Map<string, () => void>();
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  function createMcp(): McpServer {
    const server = new McpServer({ name: 'streams', version: '1.0.0' });
    server.registerTool(
      'hold',
      { inputSchema: { name: z.string() } },
      withPartialResults(async ({ name }, { emitPartial, signal }) => {
        const call: HeldCall = { name, state: 'running' };
        calls.push(call);
        await emitPartial({ content: [{ type: 'text', text: name }] });
        await new Promise<void>((resolve) => {
          release.set(name, resolve);
          signal.addEventListener('abort', () => resolve());
        });
        call.state = signal.aborted ? 'aborted' : 'done';
        return { content: [{ type: 'text' as const, text: `${name} done` }] };
      }),
    );
    return server;
  }

  const mcp = createServer(async (req, res) => {
    for (const [name, value] of Object.entries(CORS)) res.setHeader(name, value);
    if (req.method === 'OPTIONS') {
      res.writeHead(204).end();
      return;
    }
    let transport = sessions.get(String(req.headers['mcp-session-id']));
    if (!transport) {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, created),
      });
      await createMcp().connect(created as never);
      transport = created;
    }
    await transport.handleRequest(req, res);
  });
  const monitor = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://monitor');
    const group = url.searchParams.get('group') ?? '';
    if (url.pathname === '/release') for (const [name, end] of release) if (name.startsWith(group)) end();
    res.writeHead(200, { ...CORS, 'content-type': 'application/json' });
    res.end(JSON.stringify(calls.filter(({ name }) => name.startsWith(group))));
  });
  const listen = (server: Server): Promise<string> =>
    new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      ),
    );
  return {
    url: `${await listen(mcp)}/mcp`,
    monitor: await listen(monitor),
    async close() {
      for (const server of [mcp, monitor]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
