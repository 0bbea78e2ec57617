/* SDK v1 fixture server: `server-v1.ts stdio` or `server-v1.ts http` (with sessions). */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type ServerNotification,
  type ServerRequest,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js';
import { createPartialEmitter } from '../lib/emitter.ts';
import { type EmitsPartials, withPartialResults } from '../lib/with-partial-results.ts';
import { chunk, fixtureInput, fixtureTools, mergeModes, text } from './fixture-tools.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const taskStore = new InMemoryTaskStore();

function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'fixture-v1', version: '1.0.0' },
    {
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
    },
  );
  for (const [name, run] of Object.entries(fixtureTools)) {
    const annotations = { readOnlyHint: true, ...(name === 'stream' && { streamingHint: true }) };
    server.registerTool(
      name,
      { inputSchema: fixtureInput, annotations },
      withPartialResults(
        async (args, extra) => {
          return run(args, {
            emitPartial: extra.emitPartial,
            signal: extra.signal,
            notify: (method, params) => extra.sendNotification({ method, params } as ServerNotification),
            meta: extra._meta ?? {},
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
    withPartialResults(async (extra: Extra & EmitsPartials) => {
      await extra.emitPartial(chunk(typeof extra.requestId));
      return text('no input');
    }),
  );
  server.experimental.tasks.registerToolTask(
    'as_task',
    { execution: { taskSupport: 'optional' } },
    {
      async createTask(extra) {
        const task = await extra.taskStore.createTask({ ttl: 60_000 });
        const emitter = createPartialEmitter(extra, { taskId: task.taskId });
        await emitter.emit(chunk('from the task'));
        await emitter.end();
        await extra.taskStore.storeTaskResult(task.taskId, 'completed', text('task over'));
        return { task };
      },
      getTask: async (extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (extra) =>
        (await extra.taskStore.getTaskResult(extra.taskId)) as ReturnType<typeof text>,
    },
  );
  return server;
}

if (process.argv[2] === 'http') {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (req, res) => {
    let transport = sessions.get(String(req.headers['mcp-session-id']));
    if (!transport) {
      const created = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, created),
      });
      await createFixtureServer().connect(created);
      transport = created;
    }
    await transport.handleRequest(req, res);
  });
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
  });
} else {
  await createFixtureServer().connect(new StdioServerTransport());
}
