import { connect, WindowMessenger } from 'penpal';
import { asking, getUrls, plainFrame, type Link } from '../link.ts';
import type { OpenOptions } from './types.ts';

/** A remote call a message, its answer not waited for. One frame only: it knows no proxy. */
export async function openPenpal({ config, container }: OpenOptions): Promise<Link> {
  const { views } = await getUrls();
  const element = await plainFrame('single', 'penpal', config, container);
  const messenger = new WindowMessenger({ remoteWindow: element.contentWindow!, allowedOrigins: [views] });
  const connection = connect<{ chunk(seq: number, text: string): void }>({ messenger });
  const remote = await connection.promise;
  let seq = 0;
  return {
    ...asking(() => element),
    element,
    send: (text) => void remote.chunk(seq++, text),
    async close() {
      connection.destroy();
      container.remove();
    },
  };
}
