/* A good client on the TypeScript SDK: what a host does with `callTool` and `createReorder`. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { PartialToolResult } from '@mcp-apps-bridge/partial-results';
import { callTool } from '@mcp-apps-bridge/partial-results/client';
import { createReorder, estimateSize, systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { ClientEvent, ClientPlan, PlannedCall } from '../lib/client/protocol.ts';

export async function runSdkClient(plan: ClientPlan, print: (event: ClientEvent) => void): Promise<void> {
  const client = new Client(
    { name: 'sdk-client', version: '1.0.0' },
    { versionNegotiation: { mode: plan.era === 'modern' ? 'auto' : 'legacy' } },
  );
  await client.connect(
    plan.url === undefined
      ? new StdioClientTransport({ command: plan.command![0]!, args: plan.command!.slice(1) })
      : new StreamableHTTPClientTransport(new URL(plan.url)),
  );
  try {
    for (const step of plan.steps) await Promise.all(step.map((planned) => runCall(client, planned, print)));
  } finally {
    await client.close();
  }
}

async function runCall(
  client: Client,
  { call, tool, arguments: args }: PlannedCall,
  print: (event: ClientEvent) => void,
): Promise<void> {
  const reorder = createReorder<PartialToolResult>({
    deliver(chunk, seq) {
      print({
        event: 'applied',
        call,
        seq,
        content: chunk.content,
        structuredContent: chunk.structuredContent,
      });
    },
    onEvent(event) {
      if (event.type === 'gap') print({ event: 'gap', call, first: event.first, last: event.last });
    },
    scheduler: systemScheduler,
  });
  try {
    const result = await callTool(
      client,
      { name: tool, arguments: args },
      { onpartialresult: (chunk) => reorder.push(chunk.seq, chunk, estimateSize(chunk)) },
    );
    reorder.flush();
    print({ event: 'final', call, result });
    print({
      event: 'state',
      call,
      state: { content: result.content, structured: result.structuredContent ?? null },
    });
  } catch (error) {
    print({ event: 'error', call, message: error instanceof Error ? error.message : String(error) });
  } finally {
    reorder.close();
  }
}
