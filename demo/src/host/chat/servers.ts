import { PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { listToolsWithHints } from '@mcp-apps-bridge/partial-results/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Tool } from '@modelcontextprotocol/client';
import type { DemoConfig } from '../config.ts';

export interface Server {
  name: string;
  client: Client;
  /** Streams to one origin share the few connections a browser opens to it. */
  origin: string;
  tools: Tool[];
  /** Messages so far that are no message, or of a method nobody here knows. */
  refused(): number;
}

const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/**
 * Connects to a server of either generation and tells it that views can be shown (H2). The hints that the
 * SDK strips from the tool list are kept (S16).
 */
async function connect(name: string, url: string, mode: 'auto' | 'legacy'): Promise<Server> {
  const client = new Client(
    { name: 'streaming-mcp-apps-demo', version: '1.0.0' },
    {
      capabilities: { extensions: { [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } } },
      versionNegotiation: { mode },
    },
  );
  let refused = 0;
  client.onerror = (error) => {
    if (isUnreadable(error)) refused++;
  };
  client.fallbackNotificationHandler = ({ method }) => {
    // A partial result that nobody claimed is counted where it is claimed.
    if (method !== PARTIAL_RESULT_METHOD) refused++;
    return Promise.resolve();
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    name,
    client,
    origin: new URL(url).origin,
    tools: await listToolsWithHints(client),
    refused: () => refused,
  };
}

/** Told apart from a connection that broke or was cancelled, which is no message at all. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || error.name === 'ZodError' || error.name === '$ZodError';
}

export function connectServers(config: DemoConfig): Promise<Server[]> {
  // The runner is known to speak in sessions: asking it first would leave an error in the console.
  return Promise.all([
    connect('report', config.mcp.report, 'auto'),
    connect('runner', config.mcp.runner, 'legacy'),
  ]);
}

/** Tools the model may choose from; a tool whose visibility leaves the model out is never offered (H8). */
export function modelTools(servers: readonly Server[]): { server: Server; tool: Tool }[] {
  return servers.flatMap((server) => server.tools.filter(isForModel).map((tool) => ({ server, tool })));
}

function isForModel(tool: Tool): boolean {
  const ui = tool._meta?.['ui'] as { visibility?: unknown } | undefined;
  return !Array.isArray(ui?.visibility) || ui.visibility.includes('model');
}
