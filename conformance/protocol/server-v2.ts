/* The tools on SDK v2, both eras over stateless Streamable HTTP, as a process of its own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EmitsPartials, withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { INPUT_TOOLS, stateCodec } from './input-tools.ts';
import { HEADERS_SCHEMA, VOCABULARY_SCHEMA } from './schemas.ts';
import { serve } from './serve.ts';
import { text, TOOLS } from './tools.ts';

type Context = ServerContext & EmitsPartials;

function createServer(): McpServer {
  const server = new McpServer(
    { name: 'tools-v2', version: '1.0.0' },
    { capabilities: { logging: {} }, requestState: { verify: stateCodec.verify } },
  );
  for (const [name, run] of Object.entries({ ...TOOLS, ...DIAGNOSTICS })) {
    server.registerTool(
      name,
      { description: `What the scenario of ${name} calls.` },
      withPartialResults((ctx: Context) => run(contextOf(ctx))),
    );
  }
  for (const [name, run] of Object.entries(INPUT_TOOLS)) {
    server.registerTool(
      name,
      { description: `What the scenario of ${name} calls.` },
      withPartialResults(async (ctx: Context) => {
        await ctx.emitPartial({ content: [{ type: 'text', text: 'what is known so far' }] });
        return run(ctx);
      }),
    );
  }
  for (const [name, schema] of [
    ['json_schema_2020_12_tool', VOCABULARY_SCHEMA],
    ['tool_with_headers', HEADERS_SCHEMA],
  ] as const) {
    server.registerTool(
      name,
      { description: 'Takes what its schema says.', inputSchema: fromJsonSchema<object>(schema) },
      withPartialResults(async (args, ctx) => {
        await ctx.emitPartial({ content: [{ type: 'text', text: 'got it' }] });
        return text(JSON.stringify(args));
      }),
    );
  }
  server.registerTool(
    'test_trigger_tool_change',
    { description: 'Tells subscribers that the tools changed.' },
    withPartialResults((ctx: Context) => {
      handler.notify.toolsChanged();
      return TOOLS['test_simple_text']!(contextOf(ctx));
    }),
  );
  return server;
}

/** What the scenario of stateless servers looks at. */
const DIAGNOSTICS: typeof TOOLS = {
  test_streaming_elicitation: TOOLS['test_tool_with_progress']!,
  test_logging_tool: TOOLS['test_tool_with_logging']!,
};

function contextOf(ctx: Context): Parameters<(typeof TOOLS)[string]>[0] {
  return {
    emitPartial: ctx.emitPartial,
    notify: (method, params) => ctx.mcpReq.notify({ method, params }),
    log: (line) => ctx.mcpReq.log('info', line),
    progressToken: ctx.mcpReq._meta?.progressToken,
  };
}

const handler = createMcpHandler(createServer);
serve(toNodeHandler(handler) as (request: IncomingMessage, response: ServerResponse) => Promise<void>);
