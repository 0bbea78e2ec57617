/*
 * Builds and serves everything an attack needs, each part on an origin of its own:
 * `node --import tsx e2e/attacks/serve.ts`. Prints one line of JSON with the addresses; ends on SIGTERM.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createSandboxHandler, sandboxProxyHtml } from '@mcp-apps-bridge/host-bridge/sandbox';
import { SECRET } from './attack.ts';
import { buildAttacks, DIST } from './build.ts';
import { startCollector } from './collector.ts';
import { createAttacker, createBank, type Handler } from './mcp.ts';
import { NAIVE_PROXY, plantPage } from './naive-proxy.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
};

/** Serves a web-standard handler on a free port of the loopback interface. */
async function listen(hostname: string, handler: Handler): Promise<string> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = incoming;
    const body = method === 'GET' || method === 'HEAD' ? undefined : Readable.toWeb(incoming);
    const aborter = new AbortController();
    outgoing.once('close', () => aborter.abort());
    const response = await handler(
      new Request(`http://${headers.host ?? hostname}${incoming.url ?? '/'}`, {
        method,
        headers: headers as Record<string, string>,
        signal: aborter.signal,
        ...(body && { body: body as unknown as BodyInit, duplex: 'half' }),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return void outgoing.end();
    Readable.fromWeb(response.body as unknown as ReadableStream)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://${hostname}:${(server.address() as AddressInfo).port}`;
}

const html = (body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { headers: { 'content-type': 'text/html', ...headers } });

const open =
  (handler: Handler): Handler =>
  async (request) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: CORS });
    const { status, body, headers } = await handler(request);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...CORS } });
  };

await buildAttacks();
const { origin: collector, tcp, udp, record } = await startCollector();
const place = { host: '', sandbox: '', near: '', collector, tcp, udp };
const urls = {
  ...place,
  attacker: `${await listen('127.0.0.1', open(createAttacker(place, record)))}/mcp`,
  bank: `${await listen('127.0.0.1', open(createBank(record)))}/mcp`,
};

place.host = await listen('127.0.0.1', async ({ url }) => {
  const { pathname, search } = new URL(url);
  if (pathname === '/urls.json') return Response.json({ ...urls, ...place });
  if (pathname === '/sw.js') {
    const code = `addEventListener('install', () => fetch(decodeURIComponent(location.search.slice(1))));`;
    return new Response(search ? code : '', { headers: { 'content-type': 'text/javascript' } });
  }
  const path = normalize(pathname === '/' ? '/index.html' : pathname);
  try {
    const body = await readFile(join(DIST, path));
    return new Response(new Uint8Array(body), {
      headers: { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' },
    });
  } catch {
    return new Response(null, { status: 404 });
  }
});

const handler = createSandboxHandler({ hostOrigins: [place.host] });
const sandbox: Handler = async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/naive') return html(NAIVE_PROXY);
  if (pathname === '/plant') return html(plantPage(SECRET.proxy));
  if (pathname === '/static') return html(sandboxProxyHtml({ hostOrigins: [place.host] }));
  const key = searchParams.get('ran');
  if (pathname === '/ran') {
    record({ key: key ?? '', via: 'ran' });
    return new Response(null, { status: 204 });
  }
  const response = await handler(request);
  if (key === null) return response;
  /* The very page and headers, and an image that tells that a browser showed it. */
  const { headers } = response;
  if (searchParams.has('unframed')) headers.delete('content-security-policy');
  const image = `<img src="/ran?ran=${encodeURIComponent(key)}">`;
  return html((await response.text()).replace('</body>', `${image}</body>`), Object.fromEntries(headers));
};
place.sandbox = await listen('localhost', sandbox);
place.near = await listen('127.0.0.1', sandbox);
process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ host: place.host }));
