import { PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { Client } from '@modelcontextprotocol/client';

/** A server as the client's transport sees it, without a wire: what is measured begins where a message is read. */
export interface ServerInPage {
  client: Client;
  /** One chunk for the call in flight. */
  emit(content: readonly object[] | undefined, structuredContent?: unknown): void;
}

interface Request {
  id?: unknown;
  method?: string;
  params?: { protocolVersion?: string; _meta?: Record<string, unknown> };
}

export async function connectInPage(): Promise<ServerInPage> {
  let token: unknown;
  let seq = 0;
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {},
    async close() {
      transport.onclose?.();
    },
    async send({ id, method, params }: Request) {
      const reply = (result: object): void => transport.onmessage?.({ jsonrpc: '2.0', id, result } as never);
      if (method === 'initialize') {
        const serverInfo = { name: 'in-page', version: '1.0.0' };
        reply({ protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo });
      } else if (method === 'tools/list')
        reply({ tools: [{ name: 'stream', inputSchema: { type: 'object' } }] });
      else if (method === 'tools/call') {
        token = params?._meta?.['partialResultToken'];
        seq = 0;
      }
    },
  };
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(transport as unknown as Parameters<Client['connect']>[0]);
  return {
    client,
    emit(content, structuredContent) {
      if (token === undefined) throw new Error('no call is in flight');
      const params = {
        partialResultToken: token,
        seq: seq++,
        ...(content && { content }),
        ...(structuredContent !== undefined && { structuredContent }),
      };
      transport.onmessage?.({ jsonrpc: '2.0', method: PARTIAL_RESULT_METHOD, params } as never);
    },
  };
}
