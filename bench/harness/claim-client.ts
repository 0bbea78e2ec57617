/* The client of the claim scenario, as a process of its own: its CPU time is what is measured. */
import { PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { callTool } from '@mcp-apps-bridge/partial-results/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';

export interface Order {
  how: string;
  count: number;
  chars: number;
}

export interface Spent {
  cpuMs: number;
  received: number;
}

const [target = ''] = process.argv.slice(2);
/* As an application would write it for the proposal's message. */
const schema = z.looseObject({
  partialResultToken: z.union([z.string(), z.number().int()]),
  seq: z.number().int().nonnegative(),
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
});

const client = new Client({ name: 'claim', version: '1.0.0' });
let received = 0;
client.setNotificationHandler(PARTIAL_RESULT_METHOD, { params: schema }, () => void received++);
const args = ['--import', import.meta.resolve('tsx'), target];
await client.connect(
  target.startsWith('http')
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: process.execPath, args }),
);

async function run({ how, count, chars }: Order): Promise<Spent> {
  received = 0;
  const params = { name: 'flood', arguments: { count, chars } };
  const before = process.cpuUsage();
  if (how === 'ours') await callTool(client, params, { onpartialresult: () => void received++ });
  else await client.callTool(params);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, received };
}

process.on('message', (order: Order) => void run(order).then((spent) => process.send?.(spent)));
process.on('disconnect', () => void client.close().finally(() => process.exit(0)));
process.send?.('ready');
