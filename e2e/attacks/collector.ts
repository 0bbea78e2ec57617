import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import type { Hit } from './attack.ts';
import { STRANGER_PAGES } from './stranger-pages.ts';

/** The attacker's origin: whatever reaches it is written down by the key in its address. */
export interface Collector {
  origin: string;
  /** Any connection to this port is a hit of the key `tcp`. */
  tcp: number;
  /** Any datagram to this port is a hit of the key `udp`. */
  udp: number;
  record(hit: Hit): void;
}

const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const BODIES: Record<string, [type: string, body: string | Buffer]> = {
  gif: ['image/gif', GIF],
  css: ['text/css', 'body { color: red }'],
  js: ['text/javascript', ''],
  html: ['text/html', '<!doctype html>'],
  txt: ['text/plain', 'text'],
  woff2: ['font/woff2', ''],
  svg: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" id="a"/>'],
  events: ['text/event-stream', 'data: 1\n\n'],
};
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'cache-control': 'no-store',
};

export async function startCollector(): Promise<Collector> {
  const hits: Hit[] = [];
  const record = (hit: Hit): void => void hits.push(hit);

  /** Addresses are `/key/via/file`. A `.none` is answered with 204, which leaves a navigating page where it is. */
  function note({ url = '/' }: IncomingMessage): URL {
    const parsed = new URL(url, 'http://collector');
    const [, key = '', via = ''] = parsed.pathname.split('/');
    record({ key, via });
    return parsed;
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://collector');
    if (pathname === '/hits') {
      const key = searchParams.get('key');
      response.writeHead(200, { ...OPEN, 'content-type': 'application/json' });
      return void response.end(JSON.stringify(hits.filter((hit) => hit.key === key)));
    }
    const page = STRANGER_PAGES[pathname];
    if (page !== undefined) {
      response.writeHead(200, { ...OPEN, 'content-type': 'text/html' });
      return void response.end(page(new URLSearchParams(search)));
    }
    note(request);
    const [type, body] = BODIES[pathname.split('.').at(-1) ?? ''] ?? [undefined, ''];
    response.writeHead(type === undefined ? 204 : 200, { ...OPEN, ...(type && { 'content-type': type }) });
    response.end(body);
  }

  const http = createServer(answer);
  http.on('upgrade', (request, socket) => {
    note(request);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.on('error', () => socket.destroy());
  });
  const tcp = createTcpServer((socket) => {
    record({ key: 'tcp', via: 'tcp' });
    socket.on('error', () => socket.destroy());
    socket.end();
  });
  const udp = createSocket('udp4', () => record({ key: 'udp', via: 'udp' }));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const port = await listening(http);
  return {
    origin: `http://127.0.0.1:${port}`,
    tcp: await listening(tcp),
    udp: udp.address().port,
    record,
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
