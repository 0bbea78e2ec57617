import {
  CLIENT_CAPABILITIES_KEY,
  isPlainObject,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
} from '@mcp-apps-bridge/partial-results';
import { envelope, type Message, partialParams } from '../wire/message.ts';
import type { Exchange, Frame, Peer } from '../wire/peer.ts';

export interface ToolCall {
  name: string;
  arguments: Message;
}

/** What a call says of partials. Without a token it has none; `null` is not a token either. */
export interface OptIn {
  capability?: 'bare' | 'extension';
  token?: unknown;
  progressToken?: string;
  asTask?: boolean;
}

/** One call that was made, with what it asked for. */
export interface Made {
  exchange: Exchange;
  token: unknown;
  optedIn: boolean;
  /** Became a task: its token outlives the response. */
  task?: string;
}

const OPTED_IN: Message = { [PARTIAL_RESULTS_CAPABILITY]: {} };
const TASKS = { 'io.modelcontextprotocol/tasks': {} };
const TASK_TTL_MS = 60_000;

export function startCall(peer: Peer, tool: ToolCall, optIn: OptIn): Made {
  const extensions = {
    ...(optIn.capability === 'extension' && OPTED_IN),
    ...(optIn.asTask && peer.era === 'modern' && TASKS),
  };
  const capabilities: Message = {
    ...(optIn.capability === 'bare' && OPTED_IN),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
  const meta: Message = {
    ...(peer.era === 'modern' && envelope(capabilities)),
    ...(Object.keys(capabilities).length > 0 && { [CLIENT_CAPABILITIES_KEY]: capabilities }),
    ...('token' in optIn && { [PARTIAL_RESULT_TOKEN_KEY]: optIn.token }),
    ...(optIn.progressToken !== undefined && { progressToken: optIn.progressToken }),
  };
  const exchange = peer.request('tools/call', {
    name: tool.name,
    arguments: tool.arguments,
    ...(optIn.asTask && peer.era === 'legacy' && { task: { ttl: TASK_TTL_MS } }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  });
  const optedIn = optIn.capability === 'bare' && optIn.token !== undefined;
  return { exchange, token: optIn.token, optedIn };
}

/** The partials of a call, by its token, wherever and whenever they came. */
export function partialsOf(peer: Peer, call: Made): Frame[] {
  return peer.frames.filter((frame) => partialParams(frame.message)?.['partialResultToken'] === call.token);
}

/** The result of a call, `undefined` when it failed or never came. */
export function resultOf(call: Made): Message | undefined {
  const result = call.exchange.response?.['result'];
  return isPlainObject(result) ? result : undefined;
}

/** What of a result a client shows; `_meta` and the era's own fields may differ from call to call. */
export function essence(result: Message): Message {
  const { content, structuredContent, isError } = result;
  return {
    content: content ?? [],
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
  };
}
