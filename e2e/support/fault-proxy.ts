import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { parseSse } from './sse.ts';

export interface Faults {
  /** Changes a JSON-RPC request on its way to the server. */
  request?(message: JsonRpc): JsonRpc;
  /**
   * Replaces a server-sent event by any number of events; each string is the `data` of one.
   * Events behind it wait for the promise.
   * @param nth number of events of this response before it
   */
  event?(data: string, nth: number, request: JsonRpc): string[] | Promise<string[]>;
}

export type JsonRpc = { method?: string; params?: Record<string, unknown> } & Record<string, unknown>;

export interface FaultProxy {
  /** Takes the place of the server's URL. */
  url: string;
  close(): Promise<void>;
}

/** Stands between a client and an MCP server over Streamable HTTP and misbehaves as told. */
export async function startFaultProxy(target: string, faults: Faults): Promise<FaultProxy> {
  const upstream = new URL(target);
  const server = createServer((incoming, outgoing) => {
    forward(upstream, faults, incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${upstream.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(
  upstream: URL,
  faults: Faults,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const text = await new Response(Readable.toWeb(incoming) as ReadableStream).text();
  const request = (text === '' ? {} : JSON.parse(text)) as JsonRpc;
  const cut = new AbortController();
  outgoing.once('close', () => cut.abort());
  const response = await fetch(new URL(incoming.url ?? '/', upstream), {
    method: incoming.method ?? 'GET',
    headers: requestHeaders(incoming),
    ...(text !== '' && { body: JSON.stringify(faults.request?.(request) ?? request) }),
    signal: cut.signal,
  });
  outgoing.writeHead(response.status, responseHeaders(response));
  if (!response.body) {
    outgoing.end();
  } else if (faults.event && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    let nth = 0;
    for await (const { raw, data } of parseSse(response.body)) {
      // Comments and empty priming events carry no message.
      const events = data === '' ? [raw] : (await faults.event(data, nth++, request)).map(asEvent);
      for (const event of events) outgoing.write(`${event}\n\n`);
    }
    outgoing.end();
  } else {
    for await (const bytes of response.body) outgoing.write(bytes);
    outgoing.end();
  }
}

function asEvent(data: string): string {
  return `event: message\ndata: ${data.replaceAll('\n', '\ndata: ')}`;
}

const HOP_BY_HOP = new Set([
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'keep-alive',
]);

function requestHeaders(incoming: IncomingMessage): [string, string][] {
  return Object.entries(incoming.headers).flatMap(([name, value]) =>
    HOP_BY_HOP.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}

function responseHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
}
