import { createAppRuntime, type AppRuntime, type Snapshot } from '@mcp-apps-bridge/app-runtime';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { ANSWER_METHOD, ASK_METHOD, type AppConfig, type AppState } from '../shared/config.ts';
import type { Door } from './door.ts';
import { createShow, type Show } from './show.ts';

/** Answers the page that shows this app, past the bridge. */
export function answerQuestions(parts: {
  runtime: AppRuntime<unknown>;
  show: Show;
  door: Door;
  config: AppConfig;
}): void {
  const { runtime, show, door, config } = parts;

  const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
    async state() {
      runtime.flush();
      return describe(show, runtime.snapshot());
    },
    log: () => ({ ...door.log, renders: show.renders }),
    /** What one chunk with all these messages would show: the reference for a stream that brought them in many. */
    async fold({ text }) {
      const other = createShow(document.body, { ...config, ignorePartials: false });
      const fresh = createAppRuntime({ consumer: other.consumer, onChange: (now) => other.update(now) });
      if (text !== '') {
        const resource = { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text };
        fresh.receive({ partialResultToken: 'fold', seq: 0, content: [{ type: 'resource', resource }] });
      }
      fresh.flush();
      const state = await describe(other, fresh.snapshot());
      fresh.close();
      other.close();
      return state;
    },
    leave({ url }) {
      if (typeof url === 'string') location.assign(url);
      else location.reload();
    },
  };

  const asked = new Set<unknown>();
  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent || !isPlainObject(data) || data['method'] !== ASK_METHOD) return;
    const params = data['params'] as Record<string, unknown>;
    if (asked.has(params['id'])) return;
    asked.add(params['id']);
    void (async () => {
      const value = await answers[String(params['what'])]?.(params);
      parent.postMessage({ jsonrpc: '2.0', method: ANSWER_METHOD, params: { id: params['id'], value } }, '*');
    })();
  });
}

async function describe(show: Show, { state, status, counters }: Snapshot<unknown>): Promise<AppState> {
  const page = await settled(show.element);
  return { page, model: structuredClone(show.model(state)), status, counters: { ...counters } };
}

/** Elements draw in microtasks, level by level; twice the same means that they are done. */
async function settled(element: HTMLElement): Promise<string> {
  let last = '';
  for (let i = 0; i < 200; i++) {
    await new Promise((resolve) => setTimeout(resolve));
    const now = markup(element);
    if (now === last) return now;
    last = now;
  }
  return `never at rest: ${last}`;
}

/** All markup, shadow roots included; comments are the renderer's bookkeeping. */
function markup(node: Element | ShadowRoot): string {
  let out = '';
  for (const child of node.childNodes) {
    if (child instanceof Text) out += child.data.trim();
    if (!(child instanceof Element)) continue;
    const attributes = [...child.attributes]
      .map(({ name, value }) => ` ${name}="${tidy(name, value)}"`)
      .sort();
    out += `<${child.localName}${attributes.join('')}>`;
    if (child.shadowRoot) out += `#shadow(${markup(child.shadowRoot)})`;
    out += `${markup(child)}</>`;
  }
  return out;
}

/** Classes are a set; how a renderer got there shows in their order and in the spaces between. */
function tidy(name: string, value: string): string {
  return name === 'class' ? value.split(/\s+/).filter(Boolean).sort().join(' ') : value;
}
