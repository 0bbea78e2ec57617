/* The tools on SDK v1, over Streamable HTTP with sessions, as a process of its own. */
import { randomUUID } from 'node:crypto';
import { type EmitsPartials, withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  ElicitResultSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CHOICES, DEFAULTS, PERSON } from './forms.ts';
import { serve } from './serve.ts';
import { text, TOOLS } from './tools.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Emitting = Extra & EmitsPartials;

function createServer(): McpServer {
  const server = new McpServer({ name: 'tools-v1', version: '1.0.0' }, { capabilities: { logging: {} } });
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(
      name,
      { description: `What the scenario of ${name} calls.` },
      withPartialResults((extra: Emitting) =>
        run({
          emitPartial: extra.emitPartial,
          notify: (method, params) => extra.sendNotification({ method, params } as ServerNotification),
          log: (data) =>
            extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } }),
          progressToken: extra._meta?.progressToken,
        }),
      ),
    );
  }
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client’s model.', inputSchema: { prompt: z.string() } },
    withPartialResults(async ({ prompt }, extra) => {
      await extra.emitPartial({ content: [{ type: 'text', text: 'asking' }] });
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const params = { messages, maxTokens: 100 };
      const answer = await extra.sendRequest(
        { method: 'sampling/createMessage', params },
        CreateMessageResultSchema,
      );
      return text(`LLM response: ${JSON.stringify(answer.content)}`);
    }),
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks who the user is.', inputSchema: { message: z.string() } },
    withPartialResults(async ({ message }, extra) => ask(extra, { message, requestedSchema: PERSON })),
  );
  for (const [name, requestedSchema] of [
    ['test_elicitation_sep1034_defaults', DEFAULTS],
    ['test_elicitation_sep1330_enums', CHOICES],
  ] as const) {
    server.registerTool(
      name,
      { description: 'Asks with a form.' },
      withPartialResults(async (extra: Emitting) => ask(extra, { message: 'Choose.', requestedSchema })),
    );
  }
  return server;
}

async function ask(extra: Emitting, params: ElicitRequestFormParams): Promise<ReturnType<typeof text>> {
  await extra.emitPartial({ content: [{ type: 'text', text: 'asking' }] });
  const answer = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
  return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`);
}

const sessions = new Map<string, StreamableHTTPServerTransport>();

serve(async (request, response) => {
  const id = request.headers['mcp-session-id'];
  let transport = sessions.get(String(id));
  if (transport === undefined && id !== undefined) {
    response.writeHead(404).end();
    return;
  }
  if (transport === undefined) {
    const created = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, created),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await createServer().connect(created);
    transport = created;
  }
  await transport.handleRequest(request, response);
});
