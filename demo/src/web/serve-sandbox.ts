import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { sendText } from '../http/listen.ts';

/** Serves a web-standard handler from Node. Whatever is asked, the process lives. */
export function serveSandbox(
  handler: SandboxHandler,
  origin: () => string,
): (request: IncomingMessage, response: ServerResponse) => void {
  async function answer(
    { method = 'GET', url = '/' }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') return sendText(response, 405, 'Only GET and HEAD.');
    const answered = await handler(new Request(`${origin()}${url}`, { method }));
    // Whole before the first byte is written, so that a fault can still be answered.
    const body = await answered.text();
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(body);
  }

  return (request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendText(response, 400, 'This is no address of the sandbox.');
    });
  };
}
