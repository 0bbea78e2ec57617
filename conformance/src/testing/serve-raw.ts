/* Fronts for the raw server: an HTTP listener and a pair of streams, both in this process. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { OpenLink } from '../lib/wire/link.ts';
import type { Message } from '../lib/wire/message.ts';
import { overStreams } from '../lib/wire/stdio-link.ts';
import type { RawServer } from './raw-server.ts';

export interface Served {
  url: string;
  close(): Promise<void>;
}

export async function serveHttp(server: RawServer): Promise<Served> {
  const http = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += String(part);
    if (req.method !== 'POST') {
      res.writeHead(405).end();
      return;
    }
    const message = JSON.parse(body) as Message;
    if (message['id'] === undefined) {
      server.note(message);
      res.writeHead(202).end();
      return;
    }
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const session = message['method'] === 'initialize' ? { 'mcp-session-id': randomUUID() } : {};
    res.writeHead(200, { 'content-type': 'text/event-stream', ...session });
    await server.handle(message, {
      send: (out) => void res.write(`data: ${JSON.stringify(out)}\n\n`),
      closed: gone.signal,
    });
    res.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}

/** Opens a link to the server as if it had been started as a command. */
export function linkTo(server: RawServer): OpenLink {
  return (events) => {
    const toServer = new PassThrough();
    const toClient = new PassThrough();
    const gone = new AbortController();
    const lines = createInterface({ input: toServer });
    lines.on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message['id'] === undefined) return server.note(message);
      void server.handle(message, {
        send: (out) => void toClient.write(`${JSON.stringify(out)}\n`),
        closed: gone.signal,
      });
    });
    lines.once('close', () => gone.abort());
    return Promise.resolve(overStreams(toClient, toServer, events));
  };
}
