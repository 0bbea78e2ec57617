import * as Comlink from 'comlink';
import { asking, plainFrame, type Link } from '../link.ts';
import type { OpenOptions } from './types.ts';

/** A remote call a message, its answer not waited for. One frame only: it knows no proxy. */
export async function openComlink({ config, container }: OpenOptions): Promise<Link> {
  const element = await plainFrame('single', 'comlink', config, container);
  const endpoint = Comlink.windowEndpoint(element.contentWindow!);
  const remote = Comlink.wrap<{ chunk(seq: number, text: string): void }>(endpoint);
  const links = asking(() => element);
  await links.ask('counted');
  let seq = 0;
  return {
    ...links,
    element,
    send: (text) => void remote.chunk(seq++, text),
    async close() {
      remote[Comlink.releaseProxy]();
      container.remove();
    },
  };
}
