import { STREAM_EXTENSION, TOOL_OUTPUT_ACK_METHOD } from '@mcp-apps-bridge/partial-results';
import { ANSWER_METHOD, ASK_METHOD } from '../shared/config.ts';

/** A message the recorder heard; `answer` is the id of a request of its own. */
export interface Heard {
  method?: string;
  answer?: string;
  params?: Record<string, unknown>;
}

/**
 * A view without any SDK that writes down all it hears. Asked to, it initializes, says so, or leaves.
 * @param options.auto shakes hands by itself. @param options.acks negotiates acks and sends them.
 */
export function recorderHtml(options: { auto: boolean; acks?: boolean }): string {
  const { auto, acks = false } = options;
  const names = {
    ext: STREAM_EXTENSION,
    ack: TOOL_OUTPUT_ACK_METHOD,
    ask: ASK_METHOD,
    answer: ANSWER_METHOD,
  };
  return `<!doctype html><html><body><script>
    const { auto, acks, names } = ${JSON.stringify({ auto, acks, names })};
    const heard = [];
    const waiting = new Map();
    const asked = new Set();
    let requests = 0;
    const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
    const acts = {
      log: () => heard,
      initialize() {
        const id = 'init-' + requests++;
        const appCapabilities = acks ? { experimental: { [names.ext]: { version: 1 } } } : {};
        const params = { protocolVersion: '2026-01-26', appInfo: { name: 'recorder', version: '1' }, appCapabilities };
        return new Promise((resolve) => {
          waiting.set(id, () => resolve(id));
          send({ id, method: 'ui/initialize', params });
        });
      },
      initialized: () => send({ method: 'ui/notifications/initialized' }),
      leave: ({ url }) => void location.assign(url),
    };
    addEventListener('message', async ({ source, data }) => {
      if (source !== parent || data?.jsonrpc !== '2.0') return;
      const { id, method, params } = data;
      if (method === names.ask) {
        if (asked.has(params.id)) return;
        asked.add(params.id);
        const value = await acts[params.what](params);
        return send({ method: names.answer, params: { id: params.id, value } });
      }
      heard.push(method === undefined ? { answer: id } : { method, params });
      waiting.get(method === undefined ? id : undefined)?.();
      if (acks && method === 'ui/notifications/tool-output-partial') {
        const { partialResultToken, seq, _meta } = params;
        const epoch = Object.entries(_meta).find(([key]) => key.endsWith('/epoch'))?.[1] ?? 0;
        send({ method: names.ack, params: { partialResultToken, epoch, seq } });
      }
      if (method === 'ui/resource-teardown') send({ id, result: {} });
    });
    if (auto) acts.initialize().then(acts.initialized);
  </script></body></html>`;
}

const PARTIAL = 'ui/notifications/tool-output-partial';

/** The chunks among what was heard, in order. */
export const chunksOf = (heard: readonly Heard[]): Record<string, unknown>[] =>
  heard.flatMap(({ method, params }) => (method === PARTIAL && params ? [params] : []));

/** The text those chunks carry. */
export const textOf = (heard: readonly Heard[]): string =>
  chunksOf(heard)
    .flatMap(({ content }) => (content as { text?: string }[] | undefined) ?? [])
    .map(({ text }) => text ?? '')
    .join('');

/** Methods of the call among what was heard, neighbours of one kind joined. */
export function shapeOf(heard: readonly Heard[]): string[] {
  const methods = heard.flatMap(({ method }) =>
    method?.startsWith('ui/notifications/tool-') ? [method.slice('ui/notifications/'.length)] : [],
  );
  return methods.filter((method, i) => method !== methods[i - 1]);
}
