import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import { asking, plainFrame, type Link } from '../link.ts';
import type { OpenOptions } from './types.ts';

/** An AppBridge on the transport it comes with, and once its view is there. */
export async function openBridge(
  options: OpenOptions & { view: string; capabilities?: object },
): Promise<{ bridge: AppBridge; element: HTMLIFrameElement }> {
  const bridge = new AppBridge(null, { name: 'bench', version: '1.0.0' }, options.capabilities ?? {});
  const element = await plainFrame(options.frames, options.view, options.config, options.container);
  const initialized = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  const target = element.contentWindow!;
  const transport = new PostMessageTransport(target, target);
  await bridge.connect(transport);
  await initialized;
  return { bridge, element };
}

/** ext-apps as it is: partial input is the one stream it knows. */
export async function openExt(options: OpenOptions): Promise<Link> {
  const { bridge, element } = await openBridge({ ...options, view: 'ext' });
  let seq = 0;
  return {
    ...asking(() => element),
    element,
    send(text) {
      void bridge.sendToolInputPartial({ arguments: { seq: seq++, content: [{ type: 'text', text }] } });
    },
    async close() {
      await bridge.close();
      options.container.remove();
    },
  };
}
