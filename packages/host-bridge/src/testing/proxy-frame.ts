import { inject } from 'vitest';
import './provided.ts';

export type Message = {
  jsonrpc?: string;
  method?: string;
  params?: Record<string, unknown>;
  id?: number;
  result?: unknown;
};

/** Waits for a condition without knowing how long it takes; the test's own time-out ends it. */
export async function until<T>(
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Lets whatever is under way arrive: several hops through every frame of the page. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** What a third origin noted for a key, as `path data`. */
export async function strangerLog(key: string): Promise<string[]> {
  const response = await fetch(`${inject('sandboxServers').other}/log?key=${key}`);
  return ((await response.json()) as string[]).map((line) => line.slice(key.length + 1).trim());
}

/** The proxy page in a frame, driven by hand. */
export interface ProxyFrame {
  element: HTMLIFrameElement;
  received: Message[];
  post(message: unknown): void;
  /** The first message of a method, as soon as it is there. */
  first(method: string): Promise<Message>;
  remove(): void;
}

export function openProxy(path: string, csp?: object, host: string | null = self.origin): ProxyFrame {
  const url = new URL(path, inject('sandboxServers').sandbox);
  if (host !== null) url.searchParams.set('host', host);
  if (csp) url.searchParams.set('csp', JSON.stringify(csp));
  const element = document.createElement('iframe');
  const received: Message[] = [];
  const listener = (event: MessageEvent): void => {
    if (event.source === element.contentWindow && event.origin === url.origin)
      received.push(event.data as Message);
  };
  addEventListener('message', listener);
  element.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  element.src = url.href;
  document.body.append(element);
  return {
    element,
    received,
    post: (message) => element.contentWindow?.postMessage(message, url.origin),
    first: async (method) => until(() => received.find((message) => message.method === method)),
    remove() {
      removeEventListener('message', listener);
      element.remove();
    },
  };
}

/** Hands a view to a proxy, as a host does. */
export async function mountView(proxy: ProxyFrame, html: string, extra: object = {}): Promise<void> {
  await proxy.first('ui/notifications/sandbox-proxy-ready');
  proxy.post({
    jsonrpc: '2.0',
    method: 'ui/notifications/sandbox-resource-ready',
    params: { html, ...extra },
  });
}

/** A view whose script can `tell(method, params)` and, with `hear(fn)`, see what reaches it as a view would. */
export function scriptedView(script: string): string {
  return `<!doctype html><html lang="fr"><body><script>
    const tell = (method, params = {}) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
    const hear = (fn) => addEventListener('message', (event) => { if (event.source === parent) fn(event.data, event); });
    const attempt = async (run) => { try { return String(await run()); } catch (error) { return error.name; } };
    (async () => { ${script} })();
  </script></body></html>`;
}
