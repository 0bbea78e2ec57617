/* SDK v2 fixture server, both protocol eras: `server-v2.ts stdio` or `server-v2.ts http`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  type ServerContext,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { type EmitsPartials, withPartialResults } from '../lib/with-partial-results.ts';
import { chunk, fixtureInput, fixtureTools, mergeModes, text } from './fixture-tools.ts';

function createFixtureServer(): McpServer {
  const server = new McpServer({ name: 'fixture-v2', version: '1.0.0' });
  for (const [name, run] of Object.entries(fixtureTools)) {
    const annotations = { readOnlyHint: true, ...(name === 'stream' && { streamingHint: true }) };
    server.registerTool(
      name,
      { inputSchema: z.object(fixtureInput), annotations },
      withPartialResults(
        async (args, ctx) => {
          return run(args, {
            emitPartial: ctx.emitPartial,
            signal: ctx.mcpReq.signal,
            notify: (method, params) => ctx.mcpReq.notify({ method, params }),
            meta: ctx.mcpReq._meta ?? {},
            rpcError: () => new UrlElicitationRequiredError([], 'no such account'),
          });
        },
        { modes: mergeModes[name] },
      ),
    );
  }
  server.registerTool(
    'no_input',
    {},
    withPartialResults(async (ctx: ServerContext & EmitsPartials) => {
      await ctx.emitPartial(chunk(typeof ctx.mcpReq.id));
      return text('no input');
    }),
  );
  const confirmation = z.object({ confirm: z.boolean() });
  server.registerTool(
    'ask',
    {},
    withPartialResults(async (ctx: ServerContext & EmitsPartials) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', confirmation);
      await ctx.emitPartial(chunk(answer ? 'after the answer' : 'before the question'));
      if (answer) return text(`confirmed: ${answer.confirm}`);
      const question = inputRequired.elicit({ message: 'Go on?', requestedSchema: confirmation });
      return inputRequired({ inputRequests: { confirm: question } });
    }),
  );
  return server;
}

if (process.argv[2] === 'http') {
  const handle = toNodeHandler(createMcpHandler(createFixtureServer));
  const http = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res));
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
  });
} else {
  serveStdio(createFixtureServer);
}
