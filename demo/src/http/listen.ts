import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** `http://name:port`, without a trailing slash. */
  origin: string;
  port: number;
  server: Server;
  /** Ends the listener and every connection still open. */
  close(): Promise<void>;
}

/**
 * Listens on the loopback interface only. `hostname` is the name in the origin: host page and sandbox use
 * different names, since two ports of one name share a browser process.
 *
 * @throws Error that names the variable to change when the port is taken.
 */
export function listen(
  handler: RequestListener,
  options: { port: number; hostname: '127.0.0.1' | 'localhost'; portVariable: string },
): Promise<Listening> {
  const server = createServer(handler);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(
        taken
          ? new Error(
              `Port ${options.port} is taken or not allowed. Set ${options.portVariable} to a free port, or to 0 for any.`,
            )
          : error,
      );
    });
    server.listen(options.port, options.hostname, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        origin: `http://${options.hostname}:${port}`,
        port,
        server,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** Reads a port from the environment; 0, any free port, when the variable is not set. */
export function portFromEnv(name: string): number {
  const text = process.env[name] ?? '0';
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`${name} must be a port number from 0 to 65535, got "${text}".`);
  }
  return port;
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
}
