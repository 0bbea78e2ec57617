import {
  CLIENT_CAPABILITIES_KEY,
  isPlainObject,
  isToken,
  PARTIAL_RESULT_METHOD,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
} from '@mcp-apps-bridge/partial-results';
import { CLIENT_INFO, type Message, PROTOCOL_VERSIONS } from '../wire/message.ts';

/** What a script does with one call. */
export type Script = (call: ScriptedCall, server: ScriptedServer) => Promise<void> | void;

/** A call as it came in. */
export interface SeenCall {
  id: unknown;
  meta: Message;
  token: unknown;
  hasCapability: boolean;
  optedIn: boolean;
}

export interface ScriptedCall extends SeenCall {
  name: string;
  /** Sends a chunk, good or bad; nothing when the call did not opt in. */
  partial(params: Message): void;
  /** The same under the call's own token, with a text that says whose it is. */
  chunk(seq: number, extra?: Message): void;
  finish(result: Message): void;
  fail(code: number, message: string): void;
}

/** A server that does what the script of each call says, and remembers what it was asked. */
export interface ScriptedServer {
  readonly calls: ReadonlyMap<string, ScriptedCall>;
  /** Resolves once the call named has come in. */
  arrival(name: string): Promise<ScriptedCall>;
  /** Handles one request; resolves when it is answered. `send` goes to the answer of that request. */
  handle(request: Message, send: (message: Message) => void): Promise<void>;
}

/** The one tool there is; `arguments.call` names the script. */
export const SCRIPTED_TOOL = 'scripted';

export function createScriptedServer(scripts: ReadonlyMap<string, Script>): ScriptedServer {
  const calls = new Map<string, ScriptedCall>();
  const awaited = new Map<string, Array<(call: ScriptedCall) => void>>();

  function arrival(name: string): Promise<ScriptedCall> {
    const known = calls.get(name);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => awaited.set(name, [...(awaited.get(name) ?? []), resolve]));
  }

  async function runScript(request: Message, name: string, send: (message: Message) => void): Promise<void> {
    const seen = look(request);
    const answer = (body: Message): void => send({ jsonrpc: '2.0', id: request['id'], ...body });
    const modern = isModern(seen.meta);
    const call: ScriptedCall = {
      ...seen,
      name,
      partial(params) {
        if (seen.optedIn) send({ jsonrpc: '2.0', method: PARTIAL_RESULT_METHOD, params });
      },
      chunk(seq, extra) {
        const content = [{ type: 'text', text: `${name}:${seq};` }];
        call.partial({ partialResultToken: seen.token, seq, content, ...extra });
      },
      finish: (result) => answer({ result: { ...result, ...(modern && { resultType: 'complete' }) } }),
      fail: (code, message) => answer({ error: { code, message } }),
    };
    calls.set(name, call);
    for (const resolve of awaited.get(name) ?? []) resolve(call);
    await scripts.get(name)!(call, server);
  }

  const server: ScriptedServer = {
    calls,
    arrival,
    async handle(request, send) {
      const params = isPlainObject(request['params']) ? request['params'] : {};
      const args = isPlainObject(params['arguments']) ? params['arguments'] : {};
      const name = String(args['call']);
      if (request['method'] === 'tools/call' && scripts.has(name)) return runScript(request, name, send);
      send({ jsonrpc: '2.0', id: request['id'], ...answerOf(request, params) });
    },
  };
  return server;
}

function look(request: Message): SeenCall {
  const params = request['params'] as Message;
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  const capabilities = meta[CLIENT_CAPABILITIES_KEY];
  const hasCapability =
    isPlainObject(capabilities) && isPlainObject(capabilities[PARTIAL_RESULTS_CAPABILITY]);
  const token = meta[PARTIAL_RESULT_TOKEN_KEY];
  return { id: request['id'], meta, token, hasCapability, optedIn: hasCapability && isToken(token) };
}

function isModern(meta: unknown): boolean {
  return isPlainObject(meta) && meta['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

function answerOf(request: Message, params: Message): Message {
  const cacheable = isModern(params['_meta'])
    ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    : {};
  const serverInfo = { ...CLIENT_INFO, name: 'mcp-partial-conformance-server' };
  switch (request['method']) {
    case 'server/discover':
      return {
        result: {
          supportedVersions: [PROTOCOL_VERSIONS.modern],
          capabilities: { tools: {} },
          ...cacheable,
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        },
      };
    case 'initialize':
      return {
        result: { protocolVersion: PROTOCOL_VERSIONS.legacy, capabilities: { tools: {} }, serverInfo },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return {
        result: {
          tools: [
            {
              name: SCRIPTED_TOOL,
              inputSchema: { type: 'object', properties: { call: { type: 'string' } }, required: ['call'] },
              annotations: { streamingHint: true },
            },
          ],
          ...cacheable,
        },
      };
    default:
      return { error: { code: -32601, message: `no method or script ${String(request['method'])}` } };
  }
}
