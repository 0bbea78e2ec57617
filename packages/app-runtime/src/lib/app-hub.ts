import {
  isPlainObject,
  STREAM_EXTENSION,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
} from '@mcp-apps-bridge/partial-results';
import { divert, addressOf } from './divert.ts';
import type { AckParams } from './types.ts';

/**
 * The part of ext-apps' `App` used here; 2.x and 1.7 are assignable to it. Loosely typed, since the
 * two generations declare these members in ways no single signature covers.
 */
export interface AppLike {
  setNotificationHandler: unknown;
  addEventListener: unknown;
  notification: unknown;
  readonly transport?: unknown;
  getHostCapabilities(): { experimental?: unknown } | undefined;
}

/** One stream of an `App`, as its messages arrive. */
export interface StreamRoute {
  receive(params: unknown): void;
  probe(params: unknown): void;
}

/** An `App` takes one handler a method; this is it, for the stream it shows and for its own calls. */
export interface AppHub {
  /** For every token that is not one of the app's own. @throws when there is one already. */
  main(route: StreamRoute): void;
  /** For the token of a call the app makes. @returns to be called at its end; what is late still finds it. */
  own(token: string, route: StreamRoute): () => void;
}

/** Ended calls that still take what comes late, oldest forgotten first. */
const MAX_ENDED = 64;

const METHODS: ReadonlyMap<unknown, keyof StreamRoute> = new Map([
  [TOOL_OUTPUT_PARTIAL_METHOD, 'receive'],
  [TOOL_OUTPUT_PROBE_METHOD, 'probe'],
]);

const hubs = new WeakMap<object, AppHub>();

/** @throws what `App` throws when a handler for tool-output-partial is already set by others. */
export function hubOf(app: AppLike): AppHub {
  const known = hubs.get(app);
  if (known) return known;
  const hub = createHub(app);
  hubs.set(app, hub);
  return hub;
}

function createHub(app: AppLike): AppHub {
  const own = new Map<unknown, StreamRoute>();
  const ended = new Map<unknown, StreamRoute>();
  let main: StreamRoute | undefined;

  function take(method: unknown, params: unknown): boolean {
    const how = METHODS.get(method);
    if (!how) return false;
    const token = isPlainObject(params) ? params['partialResultToken'] : undefined;
    (own.get(token) ?? ended.get(token) ?? main)?.[how](params);
    return true;
  }

  for (const method of METHODS.keys()) onNotification(app, method, (params) => take(method, params));
  divert(app, take);
  return {
    main(route) {
      if (main) throw new Error('attachToApp: already registered');
      main = route;
    },
    own(token, route) {
      own.set(token, route);
      return () => {
        own.delete(token);
        ended.set(token, route);
        if (ended.size > MAX_ENDED) ended.delete(ended.keys().next().value);
      };
    },
  };
}

/** Acks and opt-ins go only to a host that negotiated them: to any other they are unknown. */
export function negotiated(app: AppLike): boolean {
  const experimental = app.getHostCapabilities()?.experimental as Record<string, unknown> | undefined;
  return isPlainObject(experimental?.[STREAM_EXTENSION]);
}

export function sendAck(app: AppLike, params: AckParams): void {
  if (!negotiated(app)) return;
  const message = { jsonrpc: '2.0', method: TOOL_OUTPUT_ACK_METHOD, params };
  const address = addressOf(app);
  if (address) return parent.postMessage(message, address);
  const notify = app.notification as (message: object) => Promise<void>;
  const sent = (async () => notify.call(app, message))();
  // A host that went away takes no acks, and there is nobody else to tell.
  sent.catch(() => undefined);
}

/**
 * Both generations want a schema and neither needs one here: the runtime checks what it gets, at a
 * thirtieth of the cost. The stand-ins satisfy Standard Schema (2.x) and the shape 1.x reads of zod's.
 */
function onNotification(app: AppLike, method: unknown, run: (params: unknown) => void): void {
  const register = app.setNotificationHandler as (...args: unknown[]) => void;
  const validate = (value: unknown): object => ({ value });
  const params = { '~standard': { version: 1, vendor: 'mcp-apps-bridge', validate } };
  try {
    register.call(app, method, { params }, run);
  } catch (problem) {
    const shape = { method: { value: method, _def: { value: method } } };
    const schema = { shape, safeParse: (data: unknown) => ({ success: true, data }) };
    try {
      register.call(app, schema, (message: { params?: unknown }) => run(message.params));
    } catch {
      throw problem;
    }
  }
}
