import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { build, type Rolldown } from 'vite';
import type { TestProject } from 'vitest/node';
import { createSandboxHandler, sandboxProxyHtml } from '../sandbox.ts';
import './provided.ts';
import { startStreamServer } from './stream-server.ts';

/** Unmodified view SDKs, as their packages ship them for use without a bundler. */
const scripts: Record<string, string> = {
  '/ext-apps-2.js': '@modelcontextprotocol/ext-apps/app-with-deps',
  '/ext-apps-1.js': 'ext-apps-v1/app-with-deps',
};

/** Our own view side, bundled as an app would bundle it. */
let ourRuntime: Promise<string> | undefined;

async function bundleRuntime(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@mcp-apps-bridge/app-runtime');
  const [built] = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  return built!.output[0].code;
}

/* Test pages get their port after this starts, so the host is whoever on this machine asks. */
function localHost(url: URL): string {
  const host = url.searchParams.get('host') ?? '';
  return /^http:\/\/(?:localhost|127\.0\.0\.1):\d+$/.test(host) ? host : 'http://localhost:1';
}

async function serveSandbox(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const script = scripts[url.pathname];
  if (script || url.pathname === '/app-runtime.js') {
    const body = script
      ? readFileSync(createRequire(import.meta.url).resolve(script), 'utf8')
      : await (ourRuntime ??= bundleRuntime());
    return new Response(body, {
      headers: { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' },
    });
  }
  if (url.pathname === '/proxy') return createSandboxHandler({ hostOrigins: [localHost(url)] })(request);
  if (url.pathname === '/dedicated')
    return createSandboxHandler({ hostOrigins: [localHost(url)], dedicated: true })(request);
  if (url.pathname === '/stripped') {
    const answer = await createSandboxHandler({ hostOrigins: [localHost(url)] })(request);
    answer.headers.delete('content-security-policy');
    return answer;
  }
  if (url.pathname === '/strict')
    return createSandboxHandler({ hostOrigins: ['https://chat.example'] })(request);
  if (url.pathname === '/redirect')
    return Response.redirect(`http://localhost:${url.port}/proxy${url.search}`);
  if (url.pathname === '/static') {
    return new Response(sandboxProxyHtml({ hostOrigins: [localHost(url)] }), {
      headers: { 'content-type': 'text/html' },
    });
  }
  return new Response(null, { status: 404 });
}

/** A stranger: it notes each request, and its page sends home whatever it is posted. */
function createStranger(): (request: Request) => Promise<Response> {
  const log: string[] = [];
  const headers = { 'access-control-allow-origin': '*' };
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const key = searchParams.get('key') ?? '';
    if (pathname === '/log')
      return Response.json(
        log.filter((line) => line.startsWith(`${key} `)),
        { headers },
      );
    log.push(`${key} ${pathname} ${searchParams.get('data') ?? ''}`);
    if (pathname !== '/page') return new Response('noted', { headers });
    const page = `<script>
      const key = new URLSearchParams(location.search).get('key');
      addEventListener('message', (event) => fetch('/heard?key=' + key + '&data=' + encodeURIComponent(JSON.stringify(event.data))));
      parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 666 } }, '*');
    </script>`;
    return new Response(page, { headers: { ...headers, 'content-type': 'text/html' } });
  };
}

/** Serves a web-standard handler from Node, as an embedder without a framework would. */
function listen(
  handler: (request: Request) => Promise<Response>,
  hostname: string,
): Promise<[Server, string]> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = `http://${incoming.headers.host ?? hostname}${incoming.url ?? '/'}`;
    const response = await handler(new Request(url, { method: incoming.method ?? 'GET' }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve([server, `http://${hostname}:${port}`]);
    });
  });
}

/** Global set-up of the browser tests: two origins beside the page's own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sandboxServer, sandbox] = await listen(serveSandbox, '127.0.0.1');
  const [otherServer, other] = await listen(createStranger(), '127.0.0.1');
  const streams = await startStreamServer();
  project.provide('sandboxServers', { sandbox, other, streams: streams.url, monitor: streams.monitor });
  return async () => {
    await streams.close();
    for (const server of [sandboxServer, otherServer]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
}
