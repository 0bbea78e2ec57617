import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { buildCsp } from '@mcp-apps-bridge/host-bridge';
import { createSandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { DIST } from './build.ts';
import { createMcpEndpoint, paced, release } from './mcp-server.ts';

/** What is asked of a page, and where its answer goes. */
interface Job {
  name: string;
  options: unknown;
  settle(answer: { value?: unknown; error?: string }): void;
}

export interface Servers {
  /** Origin of the host page, on 127.0.0.1. */
  host: string;
  /** Origin of proxies and single frames, on localhost. */
  views: string;
  /** Has a page do a job and gives what came out. @throws what the page threw, or when it takes too long. */
  ask(page: string, name: string, options: unknown, timeoutMs?: number): Promise<unknown>;
  close(): void;
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Pages, sandbox, MCP endpoint and the pages' way to their orders, all on the loopback interface. */
export async function serve(): Promise<Servers> {
  const waiting = new Map<string, Job[]>();
  const running = new Map<string, Job>();
  const idle = new Map<string, ServerResponse>();
  const urls = { host: '', views: '' };

  function next(page: string): void {
    const response = idle.get(page);
    const job = response && waiting.get(page)?.shift();
    if (!job) return;
    idle.delete(page);
    running.set(page, job);
    sendJson(response, { name: job.name, options: job.options });
  }

  const mcp = createMcpEndpoint();
  const host = await listen('127.0.0.1', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const page = searchParams.get('page') ?? '';
    if (pathname === '/mcp') mcp(request, response);
    else if (pathname === '/raw') void rawStream(searchParams, response);
    else if (pathname === '/release') {
      release();
      response.end();
    } else if (pathname === '/urls.json') sendJson(response, urls);
    else if (pathname === '/next') {
      idle.set(page, response);
      next(page);
    } else if (pathname === '/done') {
      void readBody(request).then((body) => {
        running.get(page)?.settle(JSON.parse(body) as { value?: unknown; error?: string });
        running.delete(page);
        response.end();
      });
    } else void sendFile(pathname.startsWith('/views/') ? pathname : `/host${pathname}`, response);
  });
  urls.host = host.origin;

  const sandbox = createSandboxHandler({ hostOrigins: [urls.host] });
  // The policy every view of MCP Apps lives under, for all rivals: without `unsafe-eval` zod compiles nothing.
  const { policy } = buildCsp(undefined);
  const views = await listen('localhost', (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname.startsWith('/views/'))
      void sendFile(url.pathname, response, { 'content-security-policy': policy });
    else
      void sandbox(new Request(url)).then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(await answer.text());
      });
  });
  urls.views = views.origin;

  return {
    ...urls,
    ask(page, name, options, timeoutMs = 240_000) {
      return new Promise((resolve, reject) => {
        const late = (): void =>
          reject(new Error(`${name}: the page did not answer in ${timeoutMs / 1_000} s`));
        const timer = setTimeout(late, timeoutMs);
        const job: Job = {
          name,
          options,
          settle({ value, error }) {
            clearTimeout(timer);
            if (error === undefined) resolve(value);
            else reject(new Error(`${name}: ${error}`));
          },
        };
        waiting.set(page, [...(waiting.get(page) ?? []), job]);
        next(page);
      });
    },
    close() {
      host.close();
      views.close();
    },
  };
}

/** A stream of events without MCP: the least a server and a page can do. */
async function rawStream(query: URLSearchParams, response: ServerResponse): Promise<void> {
  const number = (name: string): number => Number(query.get(name));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const pace = { perSecond: number('perSecond'), seconds: number('seconds'), chars: number('chars') };
  let seq = 0;
  await paced(pace, (text) => {
    const chunk = { seq: seq++, content: [{ type: 'text', text }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  });
  response.end();
}

async function listen(
  hostname: string,
  handler: RequestListener,
): Promise<{ origin: string; close(): void }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://${hostname}:${port}`, close };
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function sendFile(
  pathname: string,
  response: ServerResponse,
  headers: Record<string, string> = {},
): Promise<void> {
  const path = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  try {
    const body = await readFile(join(DIST, path));
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end('not found');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
