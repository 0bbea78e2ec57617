import { asking, getUrls, plainFrame, type Link } from '../link.ts';
import type { OpenOptions } from './types.ts';

/** postMessage and nothing else: what every rival is measured against. */
export async function openRaw({ frames, config, container }: OpenOptions): Promise<Link> {
  const { views } = await getUrls();
  const view = config.draws === undefined ? 'raw' : 'paint';
  const element = await plainFrame(frames, view, config, container);
  let seq = 0;
  return {
    ...asking(() => element),
    element,
    send(text) {
      const params = { seq: seq++, content: [{ type: 'text', text }] };
      element.contentWindow?.postMessage({ jsonrpc: '2.0', method: 'bench/chunk', params }, views);
    },
    async close() {
      container.remove();
    },
  };
}
