/** Codes with which clients say that the connection, not the tool, is the trouble. */
const INTERRUPTIONS: ReadonlySet<unknown> = new Set([
  // this project's client
  'timeout',
  'idle_timeout',
  'connection_closed',
  // SDK v2
  'CONNECTION_CLOSED',
  'NOT_CONNECTED',
  'REQUEST_TIMEOUT',
  'SEND_FAILED',
]);

const INTERRUPTED = 'The connection to the server was lost before the result arrived.';
const FAILED = 'The tool call failed.';

/**
 * What a call that threw means, and what its view may read: a JSON-RPC error's own message, since
 * the view belongs to the same server, but nothing of other errors, which can name internals of the
 * host (field cases 84, 85).
 */
export function describeFailure(error: unknown): { status: 'failed' | 'interrupted'; text: string } {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  if (INTERRUPTIONS.has(code)) return { status: 'interrupted', text: INTERRUPTED };
  // The message of a task that failed is that of its JSON-RPC error.
  if (code === 'task_failed' && typeof message === 'string')
    return { status: 'failed', text: message.trim() || FAILED };
  if (typeof code !== 'number' || typeof message !== 'string') return { status: 'failed', text: FAILED };
  // SDK v1 numbers its own time-out and a closed connection like errors of a server.
  if (code === -32_000 && /connection closed/i.test(message))
    return { status: 'interrupted', text: INTERRUPTED };
  if (code === -32_001 && /timed out/i.test(message)) return { status: 'interrupted', text: INTERRUPTED };
  return { status: 'failed', text: message.trim() || FAILED };
}
