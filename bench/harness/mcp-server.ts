/*
 * The MCP server of the benchmark: over HTTP as a handler, over stdio as a process of its own
 * (`node --import tsx bench/harness/mcp-server.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { createWallClock, stamped } from '../pages/shared/stamp.ts';

const pace = { perSecond: z.number(), seconds: z.number(), chars: z.number() };
type Pace = z.infer<z.ZodObject<typeof pace>>;
const count = { count: z.number(), chars: z.number() };

/** Calls that wait for {@link release}. */
const ended = new Set<() => void>();

/** Lets the results go: one supersedes what is still queued, so a stream measured to its last chunk comes first. */
export function release(): void {
  for (const go of ended) go();
  ended.clear();
}

const released = async (): Promise<void> => new Promise((resolve) => ended.add(resolve));

const wall = createWallClock();
const done = { content: [{ type: 'text' as const, text: 'done' }] };
const textBlocks = (text: string): { type: 'text'; text: string }[] => [{ type: 'text', text }];

/** Calls `emit` with stamped texts at an even rate; what a timer missed is made up at once, as a busy tool does. */
export async function paced(
  { perSecond, seconds, chars }: Pace,
  emit: (text: string) => void,
): Promise<void> {
  const start = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000) + 1);
    for (; sent < due; sent++) emit(stamped(wall(), chars));
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, 1_000 / perSecond - 1)));
  }
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const modes = { content: 'append' } as const;
  /* A stock server has no emitter: it sends the notification by hand, whoever asks. */
  server.registerTool('paced_plain', { inputSchema: z.object(pace) }, async (args, { mcpReq }) => {
    let seq = 0;
    await paced(args, (text) => {
      const params = { partialResultToken: 'plain', seq: seq++, content: textBlocks(text) };
      void mcpReq.notify({ method: PARTIAL_RESULT_METHOD, params });
    });
    await released();
    return done;
  });
  server.registerTool(
    'paced',
    { inputSchema: z.object(pace) },
    withPartialResults(
      async (args: Pace, { emitPartial }) => {
        await paced(args, (text) => void emitPartial({ content: textBlocks(text) }));
        await released();
        return done;
      },
      { modes },
    ),
  );
  /* One chunk a notification, under the token of the call: what the client makes of it is what is measured. */
  server.registerTool('flood', { inputSchema: z.object(count) }, async (args, { mcpReq }) => {
    const token = mcpReq._meta?.['partialResultToken'] ?? 'plain';
    const content = textBlocks('x'.repeat(args.chars));
    for (let seq = 0; seq < args.count; seq++) {
      await mcpReq.notify({
        method: PARTIAL_RESULT_METHOD,
        params: { partialResultToken: token, seq, content },
      });
    }
    return done;
  });
  return server;
}

export function createMcpEndpoint(): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = toNodeHandler(createMcpHandler(createServer));
  return (request, response) => void handle(request as Parameters<typeof handle>[0], response);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serveStdio(createServer);
