import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createSandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { endWithLauncher, exitOnFailure, reportListening } from '../http/child.ts';
import { listen, pathOf, portFromEnv, sendJson, sendText } from '../http/listen.ts';
import { serveSandbox } from './serve-sandbox.ts';
import { hostPolicy, serveFolder } from './static.ts';

/** Where the MCP servers are; they start after this process, since they must know the host's origin. */
interface McpUrls {
  report: string;
  runner: string;
}

/** The host page under 127.0.0.1 and the sandbox under localhost: other names, not only other ports. */
async function start(): Promise<void> {
  let servePage: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    sendText(response, 503, 'The demo is starting.');
  const host = await listen((request, response) => servePage(request, response), {
    port: portFromEnv('DEMO_HOST_PORT'),
    hostname: '127.0.0.1',
    portVariable: 'DEMO_HOST_PORT',
  });
  const sandboxHandler = createSandboxHandler({ hostOrigins: [host.origin] });
  const sandbox = await listen(
    serveSandbox(sandboxHandler, () => sandbox.origin),
    {
      port: portFromEnv('DEMO_SANDBOX_PORT'),
      hostname: 'localhost',
      portVariable: 'DEMO_SANDBOX_PORT',
    },
  );

  function ready(mcp: McpUrls): void {
    const policy = hostPolicy({
      mcpOrigins: [new URL(mcp.report).origin, new URL(mcp.runner).origin],
      sandboxOrigin: sandbox.origin,
    });
    const files = serveFolder(fileURLToPath(new URL('../../dist/host/', import.meta.url)), policy);
    const config = { mcp, sandbox: `${sandbox.origin}/` };
    servePage = (request, response) =>
      pathOf(request) === '/config.json' ? sendJson(response, config) : files(request, response);
  }

  endWithLauncher(async () => {
    await Promise.all([host.close(), sandbox.close()]);
  });
  process.on('message', (message: { mcp: McpUrls }) => {
    ready(message.mcp);
    reportListening({ ready: host.origin });
  });
  reportListening({ host: host.origin, sandbox: sandbox.origin });
}

exitOnFailure(start());
