import {
  CLIENT_CAPABILITIES_KEY,
  isPlainObject,
  PARTIAL_RESULT_METHOD,
} from '@mcp-apps-bridge/partial-results';

/** Any JSON object off the wire; nothing about it is taken for granted. */
export type Message = Record<string, unknown>;

/** `modern`: 2026-07-28, no handshake. `legacy`: 2025-11-25, `initialize` and sessions. */
export type Era = 'modern' | 'legacy';

export const PROTOCOL_VERSIONS: Readonly<Record<Era, string>> = {
  modern: '2026-07-28',
  legacy: '2025-11-25',
};
export const CLIENT_INFO = { name: 'mcp-partial-conformance', version: '0.1.0' };

/** The keys a modern request must carry in its `_meta`. */
export function envelope(capabilities: Message = {}): Message {
  return {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSIONS.modern,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    [CLIENT_CAPABILITIES_KEY]: capabilities,
  };
}

/** The `params` of a partial-result notification, `undefined` for any other message. */
export function partialParams(message: Message): Message | undefined {
  if (message['method'] !== PARTIAL_RESULT_METHOD) return undefined;
  return isPlainObject(message['params']) ? message['params'] : {};
}

export function isResponse(message: Message): boolean {
  return message['id'] !== undefined && message['method'] === undefined;
}

/** Parses one JSON text that should be a message or a batch of them; anything else yields none. */
export function parseMessages(text: string): Message[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(isPlainObject);
}
