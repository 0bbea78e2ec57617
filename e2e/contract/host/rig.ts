import {
  createAppView,
  type AppView,
  type AppViewEvent,
  type AppViewOptions,
  type ToolOutput,
} from '@mcp-apps-bridge/host-bridge';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import {
  ANSWER_METHOD,
  ASK_METHOD,
  CONFIG_PLACE,
  type AppConfig,
  type AppLog,
  type AppState,
} from '../shared/config.ts';
import { until } from './check.ts';

/** Addresses of the servers behind the page. */
export interface Urls {
  host: string;
  /** The proxy page, on another host name. */
  sandbox: string;
  /** A third origin, where views may navigate to. */
  stranger: string;
}

let known: Promise<{ urls: Urls; appHtml: string }> | undefined;

/** What every rig needs, fetched once. */
export async function setting(): Promise<{ urls: Urls; appHtml: string }> {
  known ??= (async () => ({
    urls: (await (await fetch('/urls.json')).json()) as Urls,
    appHtml: await (await fetch('/app.html')).text(),
  }))();
  return known;
}

/** The contract app with its configuration written in. */
export async function appHtml(config: Partial<AppConfig>): Promise<string> {
  const html = (await setting()).appHtml;
  const [before, after, more] = html.split(CONFIG_PLACE);
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error('the app has not one place for its configuration');
  const written = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `${before}<script type="application/json" id="config">${written}</script>${after}`;
}

/** A view on the page, as an embedder would show it, and a way to ask the app in it. */
export interface Rig {
  view: AppView;
  container: HTMLElement;
  events: AppViewEvent[];
  ready(): Promise<void>;
  /** @param wanted false once it is not to be asked again, though no answer came. */
  ask(what: string, more?: Record<string, unknown>, wanted?: () => boolean): Promise<unknown>;
  state(): Promise<AppState>;
  log(): Promise<AppLog>;
  close(): Promise<void>;
}

export const TOOL = {
  name: 'show',
  title: 'Contract',
  inputSchema: { type: 'object' },
  _meta: { ui: { resourceUri: 'ui://contract/app' } },
};

let lastQuestion = 0;

/** Asks the app in a view, again until answered: it may not be there yet, or be about to go. */
export async function askView(
  view: AppView,
  sandbox: string,
  what: string,
  more: Record<string, unknown> = {},
  reachable: () => boolean = () => true,
): Promise<unknown> {
  const params = { ...more, id: `q${++lastQuestion}`, what };
  let answer: { value: unknown } | undefined;
  const hear = ({ data, origin }: MessageEvent<unknown>): void => {
    if (origin !== sandbox || !isPlainObject(data) || data['method'] !== ANSWER_METHOD) return;
    const { id, value } = data['params'] as Record<string, unknown>;
    if (id === params.id) answer = { value };
  };
  addEventListener('message', hear);
  let asked = -Infinity;
  try {
    const given = await until(`an answer to ${what}`, () => {
      const frame = view.element?.contentWindow;
      if (frame && reachable() && performance.now() - asked > 1_000) {
        asked = performance.now();
        frame.postMessage({ jsonrpc: '2.0', method: ASK_METHOD, params }, sandbox);
      }
      return answer;
    });
    return given.value;
  } finally {
    removeEventListener('message', hear);
  }
}

/**
 * Opens a view. The bridge's own client is not needed: the resource is given, and the app calls no tool.
 * @param html a whole document.
 */
export async function openRig(
  html: string,
  call?: ToolOutput,
  options: Partial<AppViewOptions> = {},
): Promise<Rig> {
  const { urls } = await setting();
  const container = document.getElementById('views')!.appendChild(document.createElement('div'));
  const events: AppViewEvent[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('this server is not there');
  };
  const view = createAppView({
    client: { callTool: refuse, readResource: refuse, listTools: refuse },
    tool: TOOL,
    sandbox: { url: urls.sandbox },
    container,
    resource: { uri: 'ui://contract/app', html },
    limits: { handshakeMs: 60_000, teardownMs: 300 },
    ...options,
    ...(call && { call }),
    onEvent(event) {
      events.push(event);
      options.onEvent?.(event);
    },
  });

  /* Until the proxy has spoken, the frame holds another document. */
  let spoke: unknown;
  const frame = (): Window | null | undefined => view.element?.contentWindow;
  const listen = ({ source }: MessageEvent<unknown>): void => {
    if (source !== null && source === frame()) spoke = source;
  };
  addEventListener('message', listen);

  const ask: Rig['ask'] = async (what, more = {}, wanted = () => true) =>
    askView(view, urls.sandbox, what, more, () => wanted() && frame() === spoke);

  return {
    view,
    container,
    events,
    async ready() {
      await until('the view to be ready', () => {
        if (view.status === 'failed' || view.status === 'lost') throw view.error ?? new Error(view.status);
        return view.status === 'ready';
      });
    },
    ask,
    state: async () => (await ask('state')) as AppState,
    log: async () => (await ask('log')) as AppLog,
    async close() {
      removeEventListener('message', listen);
      await view.close();
      container.remove();
    },
  };
}

/** Everything sent was taken and nothing waits: what the app shows now is what it shows before the end. */
export async function atRest(rig: Rig, output: ToolOutput): Promise<AppLog> {
  let seen: unknown;
  /** A document that has not shaken hands has nothing under way either, and waits for a replay. */
  const handshakes = (): number =>
    rig.view.status === 'ready' ? rig.events.filter(({ type }) => type === 'view_status').length : -1;
  const read = async (): Promise<AppLog | false> => {
    const { counters } = rig.view;
    const before = handshakes();
    seen = { output: output.counters, feed: counters, events: rig.events.map(({ type }) => type) };
    if (before < 0 || !counters || output.counters.held > 0 || counters.queued > 0 || counters.inFlight > 0)
      return false;
    const log = await rig.log();
    seen = { underWay: log.underWay, feed: rig.view.counters };
    const still = rig.view.counters;
    return (
      handshakes() === before &&
      log.underWay === 0 &&
      still?.inFlight === 0 &&
      still.forwarded === counters.forwarded &&
      log
    );
  };
  return until('the stream to be at rest', read).catch((cause: unknown) => {
    throw new Error(`never at rest: ${JSON.stringify(seen)}`, { cause });
  });
}

/** Waits for the app to have shown the end. */
export async function ended(rig: Rig): Promise<AppState> {
  return until('the app to show the end', async () => {
    const state = await rig.state();
    return ['complete', 'failed', 'cancelled'].includes(state.status) && state;
  });
}
