import { parseSse } from './sse.ts';

/*
 * A tools/call as bytes on a socket, with no code of this project and no SDK: what the server does
 * on the wire is judged by the wire alone.
 */

const PROTOCOL = '2026-07-28';

export interface JsonRpcMessage {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface RawCall {
  id?: number;
  name: string;
  arguments?: Record<string, unknown>;
  /** `_meta["io.modelcontextprotocol/clientCapabilities"]` of this very call. */
  capabilities?: Record<string, unknown>;
  token?: string | number;
  signal?: AbortSignal;
}

/** Posts one modern JSON-RPC request and yields what comes back, message by message as it arrives. */
export async function* rawRequest(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { id = 1, capabilities = {}, meta = {}, signal }: RequestOptions = {},
): AsyncGenerator<JsonRpcMessage> {
  const name = typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {};
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': PROTOCOL,
      'Mcp-Method': method,
      ...name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': PROTOCOL,
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          ...meta,
        },
      },
    }),
    ...(signal && { signal }),
  });
  if (!response.body) throw new Error(`${method}: ${response.status} without a body`);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    for await (const { data } of parseSse(response.body)) {
      if (data !== '') yield JSON.parse(data) as JsonRpcMessage;
    }
  } else {
    yield (await response.json()) as JsonRpcMessage;
  }
}

interface RequestOptions {
  id?: number;
  capabilities?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  signal?: AbortSignal;
}

/** A `tools/call`; `token` goes into `_meta.partialResultToken`. */
export function rawToolCall(url: string, call: RawCall): AsyncGenerator<JsonRpcMessage> {
  return rawRequest(
    url,
    'tools/call',
    { name: call.name, arguments: call.arguments ?? {} },
    {
      id: call.id ?? 1,
      capabilities: call.capabilities ?? {},
      meta: call.token === undefined ? {} : { partialResultToken: call.token },
      ...(call.signal && { signal: call.signal }),
    },
  );
}

/** Everything a call sends, in order of arrival. */
export async function collect(messages: AsyncIterable<JsonRpcMessage>): Promise<JsonRpcMessage[]> {
  const all: JsonRpcMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

/** The params of the partial results among `messages`. */
export function partials(messages: readonly JsonRpcMessage[]): Record<string, unknown>[] {
  return messages
    .filter((message) => message.method === 'notifications/tools/partial_result')
    .map((message) => message.params ?? {});
}
