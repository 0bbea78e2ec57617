import { ASK_METHOD, CONFIG_PLACE, HTML_METHOD, TELL_METHOD, type ViewConfig } from '../shared/protocol.ts';

/** A rival's view on the page and its way to it. */
export interface Link {
  /** Sends one chunk and does not wait for anything. */
  send(text: string): void;
  /** Asks the view, past what is measured. */
  ask<T>(what: string, params?: Record<string, unknown>): Promise<T>;
  /** Has the view say when that many characters have been applied. */
  expect(chars: number): Promise<{ done: Promise<void> }>;
  readonly element: HTMLIFrameElement;
  close(): Promise<void>;
}

export interface Urls {
  host: string;
  views: string;
}

let urls: Promise<Urls> | undefined;
export async function getUrls(): Promise<Urls> {
  urls ??= (async () => (await (await fetch('/urls.json')).json()) as Urls)();
  return urls;
}

const fetched = new Map<string, Promise<string>>();

/** A view's one file, with its configuration written in. */
export async function viewHtml(view: string, config: Partial<ViewConfig>): Promise<string> {
  const known = fetched.get(view) ?? (async () => (await fetch(`/views/${view}.html`)).text())();
  fetched.set(view, known);
  const [before, after] = (await known).split(CONFIG_PLACE);
  if (before === undefined || after === undefined)
    throw new Error(`${view} has no place for its configuration`);
  const written = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `${before}<script type="application/json" id="config">${written}</script>${after}`;
}

/** Where the frames go. A container of its own, so that a rival can be put out of sight. */
export function place(style: Partial<CSSStyleDeclaration> = {}): HTMLElement {
  const container = document.getElementById('views')!.appendChild(document.createElement('div'));
  Object.assign(container.style, style);
  return container;
}

/** A frame with a view in it: directly, or behind a proxy that relays window messages. */
export async function plainFrame(
  frames: 'single' | 'double',
  view: string,
  config: Partial<ViewConfig>,
  container: HTMLElement,
): Promise<HTMLIFrameElement> {
  const { views } = await getUrls();
  const element = document.createElement('iframe');
  const hash = encodeURIComponent(JSON.stringify(config));
  element.src = frames === 'single' ? `${views}/views/${view}.html#${hash}` : `${views}/views/relay.html`;
  const loaded = new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
  container.append(element);
  await loaded;
  if (frames === 'double') {
    const params = { html: await viewHtml(view, config) };
    element.contentWindow?.postMessage({ jsonrpc: '2.0', method: HTML_METHOD, params }, views);
  }
  return element;
}

let questions = 0;

/** The asking half of a link, over any frame whose proxy relays JSON-RPC. */
export function asking(frame: () => HTMLIFrameElement | undefined): Pick<Link, 'ask' | 'expect'> {
  const hear = async (what: string, post?: (window: Window) => void): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const again = (): void => {
        const target = frame()?.contentWindow;
        if (target) post?.(target);
      };
      const timer = setInterval(again, 500);
      const late = setTimeout(() => {
        stop();
        reject(new Error(`the view never said ${what}`));
      }, 90_000);
      const take = ({
        data,
        source,
      }: MessageEvent<{ method?: string; params: Record<string, unknown> }>): void => {
        if (data.method !== TELL_METHOD || data.params['what'] !== what) return;
        if (source !== frame()?.contentWindow) return;
        stop();
        resolve(data.params['value']);
      };
      const stop = (): void => {
        clearInterval(timer);
        clearTimeout(late);
        removeEventListener('message', take);
      };
      addEventListener('message', take);
      again();
    });

  const ask = async <T>(what: string, params: Record<string, unknown> = {}): Promise<T> => {
    const id = `q${++questions}`;
    const message = { jsonrpc: '2.0', method: ASK_METHOD, params: { ...params, id, what } };
    return (await hear(`answer ${id}`, (target) => target.postMessage(message, '*'))) as T;
  };
  return {
    ask,
    async expect(chars) {
      await ask('expect', { chars });
      const done = hear('done').then(() => undefined);
      done.catch(() => undefined);
      return { done };
    },
  };
}
