import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Message, parseMessages } from '../wire/message.ts';
import type { ClientPlan } from './protocol.ts';
import type { ScriptedServer } from './scripted-server.ts';

/** A scripted server that a client can reach. */
export interface Served {
  /** How to reach it, for the plan. */
  target: Pick<ClientPlan, 'transport' | 'url' | 'command'>;
  close(): Promise<void>;
}

/** Streamable HTTP on a free port of the loopback interface, with a session for legacy clients. */
export async function serveHttp(server: ScriptedServer): Promise<Served> {
  const http = createHttpServer((req, res) => {
    answer(server, req, res).catch(() => res.destroy());
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    target: { transport: 'http', url: `http://127.0.0.1:${port}/mcp` },
    async close() {
      http.closeAllConnections();
      await once(http.close(), 'close');
    },
  };
}

async function answer(server: ScriptedServer, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return void res.writeHead(req.method === 'DELETE' ? 200 : 405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const [message] = parseMessages(Buffer.concat(chunks).toString());
  if (!message) return void res.writeHead(400).end();
  if (message['id'] === undefined || message['method'] === undefined) return void res.writeHead(202).end();
  if (message['method'] !== 'tools/call') {
    const session = message['method'] === 'initialize' ? { 'mcp-session-id': randomUUID() } : {};
    res.writeHead(200, { 'content-type': 'application/json', ...session });
    return server.handle(message, (out) => void res.end(JSON.stringify(out)));
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  await server.handle(message, (out) => void res.write(`data: ${JSON.stringify(out)}\n\n`));
  res.end();
}

/** Copies between the process's own streams and a socket; small enough to travel on a command line. */
const RELAY =
  "const s=require('node:net').connect(+process.argv[1],'127.0.0.1');process.stdin.pipe(s);s.pipe(process.stdout)";

/** A command that speaks stdio: a relay to this process, where the scripts are. */
export async function serveStdio(server: ScriptedServer): Promise<Served> {
  const sockets = new Set<Socket>();
  const tcp = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // a client that ends in mid-stream
    const send = (out: Message): void => void socket.write(`${JSON.stringify(out)}\n`);
    createInterface({ input: socket }).on('line', (line) => {
      for (const message of parseMessages(line)) {
        if (message['id'] !== undefined && message['method'] !== undefined) void server.handle(message, send);
      }
    });
  });
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const { port } = tcp.address() as AddressInfo;
  return {
    target: { transport: 'stdio', command: [process.execPath, '-e', RELAY, String(port)] },
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(tcp.close(), 'close');
    },
  };
}
