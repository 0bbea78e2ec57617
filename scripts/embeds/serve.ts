import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { addReport } from './src/server.ts';
import { sandbox } from './src/sandbox.ts';

/*
 * Serves the README's server, sandbox and page on free ports and prints the page's URL. The tool waits
 * for a request to `/go` after its first words, so that the check sees them before the rest exists.
 */
const file = (name: string): string => readFileSync(new URL(`../dist/${name}.js`, import.meta.url), 'utf8');
const view = `<!doctype html><html><body></body><script type="module">${file('app').replaceAll('</script', '<\\/script')}</script></html>`;
const uri = 'ui://report/view.html';
const mimeType = 'text/html;profile=mcp-app';
let go = (): void => undefined;
const gone = new Promise<void>((resolve) => {
  go = resolve;
});

async function* write(topic: string): AsyncGenerator<string> {
  yield `${topic} `;
  yield 'grew ';
  await gone;
  yield 'by 12 %.';
}

function reportServer(): McpServer {
  const server = new McpServer({ name: 'report', version: '1.0.0' });
  server.registerResource('view', uri, { mimeType }, () => ({ contents: [{ uri, mimeType, text: view }] }));
  addReport(server, write);
  return server;
}

async function listen(listener: RequestListener, name: string): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, name, resolve));
  return `http://${name}:${(server.address() as AddressInfo).port}`;
}

const page = await listen((request, response) => {
  if (request.url === '/urls.json') response.end(JSON.stringify(urls));
  else if (request.url === '/page.js')
    response.setHeader('content-type', 'text/javascript').end(file('page'));
  else if (request.url === '/go') response.end(void go());
  else
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script type="module" src="/page.js"></script>');
}, '127.0.0.1');

const serveMcp = toNodeHandler(createMcpHandler(reportServer)) as RequestListener;
const mcp = await listen((request, response) => {
  response.setHeader('access-control-allow-origin', page);
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
  if (request.method === 'OPTIONS') response.end();
  else serveMcp(request, response);
}, '127.0.0.1');

const serveSandbox = sandbox(page);
const sandboxUrl = await listen((request, response) => {
  const answer = async (): Promise<void> => {
    const answered = await serveSandbox(new Request(`http://${request.headers.host}${request.url}`));
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
  };
  answer().catch(() => response.destroy());
}, 'localhost');
const urls = { mcp: `${mcp}/mcp`, sandbox: `${sandboxUrl}/` };
console.log(page);
