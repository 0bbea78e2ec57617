/*
 * Builds and serves the host page, the sandbox on a second origin, and starts the third-party servers:
 * `node --import tsx e2e/third-party/serve.ts`. Prints one line of JSON with the addresses; ends on SIGTERM, and
 * the servers with it.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { build } from 'vite';
import { APPS } from './apps.ts';
import { startAppServer } from './servers.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Handler = (request: Request) => Promise<Response>;

/** Serves a web-standard handler on a free port of the loopback interface. */
async function listen(hostname: string, handler: Handler): Promise<string> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = `http://${incoming.headers.host ?? hostname}${incoming.url ?? '/'}`;
    const response = await handler(new Request(url, { method: incoming.method ?? 'GET' }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://${hostname}:${(server.address() as AddressInfo).port}`;
}

async function file(pathname: string): Promise<Response> {
  const path = normalize(pathname === '/' ? '/index.html' : pathname);
  try {
    const body = await readFile(join(here('./dist'), path));
    return new Response(new Uint8Array(body), {
      headers: { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' },
    });
  } catch {
    return new Response(null, { status: 404 });
  }
}

await build({
  configFile: false,
  logLevel: 'warn',
  root: here('./host'),
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: { outDir: here('./dist'), emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4_000 },
});
const servers = await Promise.all(APPS.map((app) => startAppServer(app.package)));
const urls = {
  host: '',
  sandbox: '',
  servers: Object.fromEntries(APPS.map((app, i) => [app.package, { url: servers[i]?.url, tool: app.tool }])),
};
urls.host = await listen('127.0.0.1', async (request) => {
  const { pathname } = new URL(request.url);
  return pathname === '/urls.json' ? Response.json(urls) : file(pathname);
});
urls.sandbox = await listen('localhost', createSandboxHandler({ hostOrigins: [urls.host] }));
process.on('SIGTERM', () => {
  void Promise.all(servers.map(({ stop }) => stop())).then(() => process.exit(0));
});
console.log(JSON.stringify(urls));
