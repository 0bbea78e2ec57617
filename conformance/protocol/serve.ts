import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves on a free loopback port, tells the starter where, and ends with it. */
export function serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` });
  });
  process.once('disconnect', () => process.exit(0));
}
