/*
 * Builds and serves the contract pages: `node --import tsx e2e/contract/serve.ts`. Prints one line of JSON with
 * the address of the page; ends on SIGTERM.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { createSandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { buildContract, DIST } from './build.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Requests that reached the third origin, by key. */
const heard = new Map<string, string[]>();

/** The page a view may navigate to: it sends home whatever it is posted. */
const STRANGER = `<!doctype html><script>
  const key = new URLSearchParams(location.search).get('key');
  const tell = (what) => fetch('/heard?key=' + key + '&what=' + encodeURIComponent(what));
  addEventListener('message', (event) => tell(JSON.stringify(event.data)));
  tell('loaded');
</script>`;

type Handler = (request: Request) => Promise<Response>;

/** Serves a web-standard handler on a free port of the loopback interface. */
async function listen(hostname: string, handler: Handler): Promise<string> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = `http://${incoming.headers.host ?? hostname}${incoming.url ?? '/'}`;
    const response = await handler(new Request(url, { method: incoming.method ?? 'GET' }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://${hostname}:${(server.address() as AddressInfo).port}`;
}

async function file(folder: string, pathname: string): Promise<Response> {
  const path = normalize(pathname === '/' ? '/index.html' : pathname);
  try {
    const body = await readFile(join(DIST, folder, path));
    return new Response(new Uint8Array(body), {
      headers: { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' },
    });
  } catch {
    return new Response('not found', { status: 404 });
  }
}

async function stranger(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const headers = { 'access-control-allow-origin': '*' };
  const key = searchParams.get('key') ?? '';
  const what = searchParams.get('what');
  if (what !== null) heard.set(key, [...(heard.get(key) ?? []), what]);
  if (pathname === '/heard') return Response.json(heard.get(key) ?? [], { headers });
  return new Response(STRANGER, { headers: { ...headers, 'content-type': 'text/html' } });
}

await buildContract();
const urls = { host: '', sandbox: '', stranger: await listen('127.0.0.1', stranger) };
urls.host = await listen('127.0.0.1', async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === '/urls.json') return Response.json(urls);
  return pathname === '/app.html' ? file('app', '/index.html') : file('host', pathname);
});
urls.sandbox = await listen('localhost', createSandboxHandler({ hostOrigins: [urls.host] }));
process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify(urls));
