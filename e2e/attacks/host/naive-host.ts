import type { Client } from '@modelcontextprotocol/client';
import type { Seen } from '../attack.ts';

/** What a naive host acts on. */
export interface NaiveHost {
  frame: HTMLIFrameElement;
  /** Whether a message comes from this run; a real one would not even ask. */
  isOurs(source: MessageEventSource | null): boolean;
  clients: readonly Client[];
  seen: Seen;
}

type Params = Record<string, unknown>;

/** Copies like the many merge functions that know nothing of prototypes. */
export function naiveMerge(target: Params, source: Params): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    const old = target[key];
    if (
      typeof value === 'object' &&
      value !== null &&
      (typeof old === 'object' || typeof old === 'function') &&
      old
    )
      naiveMerge(old as Params, value as Params);
    else target[key] = value;
  }
}

/** Serves an app as hosts have been seen to: no check of source, visibility, address, size or number. */
export function serveNaively({ frame, isOurs, clients, seen }: NaiveHost): () => void {
  const settings: Params = {};
  const tabs: (Window | null)[] = [];

  async function callAnywhere(params: Params): Promise<unknown> {
    for (const client of clients) {
      const answer = await client.callTool(params as never).catch(() => undefined);
      if (answer && !answer.isError) return answer;
    }
    return { isError: true, content: [] };
  }

  const acts: Record<string, (params: Params) => unknown> = {
    'ui/initialize': () => ({
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'naive', version: '1' },
      hostCapabilities: {},
      hostContext: {},
    }),
    'tools/call': callAnywhere,
    'ui/open-link': (params) => void tabs.push(open(params['url'] as string)),
    'ui/message': (params) => void seen.conversation.push(params),
    'ui/update-model-context': (params) => void seen.context.push(params),
    'ui/request-display-mode': (params) => void seen.modes.push(String(params['mode'])),
    'notifications/message': (params) => void seen.logs.push(params),
    'ui/notifications/size-changed': (params) => {
      frame.style.height = `${String(params['height'])}px`;
      seen.heights.push(Number(params['height']));
    },
  };

  async function receive({ data, source }: MessageEvent<Params | null>): Promise<void> {
    if (!isOurs(source) || typeof data !== 'object' || data === null) return;
    const params = (data['params'] ?? {}) as Params;
    naiveMerge(settings, params);
    const act = acts[String(data['method'])];
    if (typeof act !== 'function') return;
    const result = (await act(params)) ?? {};
    if (data['id'] !== undefined)
      (source as Window).postMessage({ jsonrpc: '2.0', id: data['id'], result }, '*');
  }

  const listener = (event: MessageEvent<Params | null>): void => void receive(event);
  addEventListener('message', listener);
  return () => {
    removeEventListener('message', listener);
    /* A tab left open would hide this one. */
    for (const tab of tabs) tab?.close();
  };
}
