/*
 * SDK v2 server whose calls become tasks: `server-tasks.ts http` or `server-tasks.ts stdio`. With REDIS_URL the
 * tasks live there, else in the process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient } from '@redis/client';
import { z } from 'zod';
import { createRedisTaskStore } from '../lib/tasks/redis-store.ts';
import { createTasks, type Tasks } from '../lib/tasks/tasks.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
  content: [{ type: 'text', text: value }],
});

async function createTaskService(): Promise<Tasks> {
  const url = process.env['REDIS_URL'];
  if (url === undefined) return createTasks({ pollIntervalMs: 25 });
  const client = await createClient({ url }).connect();
  const store = createRedisTaskStore({ command: (args) => client.sendCommand(args) });
  return createTasks({ store, pollIntervalMs: 25 });
}

const tasks = await createTaskService();

function createTaskServer(): McpServer {
  const server = new McpServer({ name: 'fixture-tasks', version: '1.0.0' });
  tasks.serve(server);
  const inputSchema = z.object({
    early: z.number().default(0),
    count: z.number().default(0),
    delayMs: z.number().default(0),
    fail: z.boolean().default(false),
  });
  /* `early` chunks in the request, `count` more in the task; the result names them all. */
  server.registerTool('count', { inputSchema }, async ({ early, count, delayMs, fail }, ctx) => {
    const call = tasks.open(ctx);
    for (let i = 0; i < early; i++) await call.emitPartial(text(String(i)));
    return (await call.becomeTask(async ({ emitPartial, signal }) => {
      for (let i = early; i < early + count; i++) {
        if (signal.aborted) throw new Error('stopped');
        await wait(delayMs);
        await emitPartial(text(String(i)));
      }
      if (fail) throw Object.assign(new Error('no such site'), { code: -32050 });
      return text(Array.from({ length: early + count }, (_, i) => i).join(' '));
    })) as ReturnType<typeof text>;
  });
  return server;
}

if (process.argv[2] === 'http') {
  const handle = toNodeHandler(createMcpHandler(createTaskServer));
  const http = createServer((req, res) => {
    handle(req as Parameters<typeof handle>[0], res).catch(() => res.destroy());
  });
  http.listen(0, '127.0.0.1', () => {
    const { port } = http.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
  });
} else {
  serveStdio(createTaskServer);
}
