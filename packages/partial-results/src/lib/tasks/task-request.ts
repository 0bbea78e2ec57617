import { isPlainObject } from '../guards.ts';
import { withCapability } from '../opt-in.ts';

/*
 * SDK v2 refuses to send a `tasks/*` request to a modern peer, whose core protocol has none. So it is given one
 * under a name of ours, with the SDK's envelope, time-out and answer, and the name is put right on the way out.
 */

const PREFIX = 'io.github.mcp-apps-bridge/send:';

export function wrapTaskMethod(method: string): string {
  return PREFIX + method;
}

export function isTaskRequest(message: Record<string, unknown>): boolean {
  const { method } = message;
  return typeof method === 'string' && method.startsWith(PREFIX);
}

/** Also opts the request in, so that its answer may carry chunks (S1). */
export function unwrapTaskRequest(message: Record<string, unknown>): Record<string, unknown> {
  const params = isPlainObject(message['params']) ? message['params'] : {};
  const meta = isPlainObject(params['_meta']) ? params['_meta'] : {};
  const method = String(message['method']).slice(PREFIX.length);
  return { ...message, method, params: { ...params, _meta: withCapability(meta) } };
}
