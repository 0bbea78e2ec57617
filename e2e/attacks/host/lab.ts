import {
  createAppView,
  startToolCall,
  type AppView,
  type AppViewOptions,
  type HostHandlers,
  type ToolCall,
} from '@mcp-apps-bridge/host-bridge';
import { callTool } from '@mcp-apps-bridge/partial-results/client';
import type { Attack, Hit, Lab, Seen } from '../attack.ts';
import { LAUNCHED, LOOT } from '../kit.ts';
import { serveNaively } from './naive-host.ts';
import type { World } from './world.ts';

/** A lab with what the runner needs of it. */
export interface OpenLab extends Lab {
  readonly isLaunched: boolean;
  close(): Promise<void>;
}

const TOOL = { name: 'stream', title: 'Attacker', inputSchema: { type: 'object' } };
let runs = 0;

/** A corner of the page for one run of one attack. */
export function openLab(
  world: World,
  attack: Pick<Attack, 'name'>,
  key = `k${Date.now().toString(36)}x${++runs}`,
): OpenLab {
  const place = { ...world.place, key };
  const container = document.getElementById('labs')!.appendChild(document.createElement('div'));
  const loot: string[] = [];
  const seen: Seen = { conversation: [], context: [], logs: [], heights: [], modes: [], kept: 0 };
  const uri = `ui://attacker/${encodeURIComponent(attack.name)}/${place.key}`;
  const cleanups: (() => unknown)[] = [];
  let isLaunched = false;
  let view: AppView | undefined;

  const hear = ({
    data,
  }: MessageEvent<{ method?: string; params?: Record<string, string> } | null>): void => {
    if (data?.params?.['key'] !== place.key) return;
    if (data.method === LAUNCHED) isLaunched = true;
    else if (data.method === LOOT) loot.push(data.params['loot'] ?? '');
  };
  addEventListener('message', hear);
  cleanups.push(() => removeEventListener('message', hear));

  const tool = { ...TOOL, _meta: { ui: { resourceUri: uri } } };

  /** Every hook agrees to everything: only the bridge stands between app and harm. */
  const handlers: HostHandlers = {
    openLink: () => true,
    message: (message) => void seen.conversation.push(message),
    modelContext: () => void (seen.context = []),
    displayMode(mode) {
      seen.modes.push(mode);
      return mode;
    },
    log: (entry) => void seen.logs.push(entry),
  };

  async function appOf(): Promise<string> {
    const { contents } = await world.attacker.readResource({ uri });
    return (contents[0] as { text: string }).text;
  }

  function frame(attributes: Record<string, string>): HTMLIFrameElement {
    const element = document.createElement('iframe');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    container.append(element);
    return element;
  }

  const lab: OpenLab = {
    place,
    container,
    loot,
    seen,
    get isLaunched() {
      return isLaunched;
    },
    get view() {
      return view;
    },
    bridge(options: Partial<AppViewOptions> = {}) {
      const opened = createAppView({
        client: world.attacker,
        tool,
        sandbox: { url: place.sandbox },
        container,
        handlers,
        limits: { handshakeMs: 60_000, teardownMs: 200 },
        ...options,
      });
      view = opened;
      const watch = new MutationObserver((records) => {
        for (const { target } of records)
          seen.heights.push(parseFloat((target as HTMLElement).style.height) || 0);
      });
      watch.observe(container, { attributes: true, attributeFilter: ['style'], subtree: true });
      cleanups.push(
        () => watch.disconnect(),
        async () => opened.close(),
      );
      return opened;
    },
    html: appOf,
    async bare() {
      return frame({ srcdoc: await appOf() });
    },
    async naive(byAnybody = false) {
      const element = frame({ sandbox: 'allow-scripts' });
      const isOurs = (source: MessageEventSource | null): boolean =>
        byAnybody || windowsIn(container).includes(source);
      cleanups.push(serveNaively({ frame: element, isOurs, clients: [world.attacker, world.bank], seen }));
      element.srcdoc = await appOf();
      return element;
    },
    frame,
    stream(args, raw = false): ToolCall {
      const call = startToolCall(
        world.attacker,
        {
          tool: { name: 'stream' },
          arguments: { key: place.key, ...args },
        },
        raw ? { sanitizer: passAll } : {},
      );
      cleanups.push(() => call.close());
      return call;
    },
    async rawStream(args, take) {
      const params = { name: 'stream', arguments: { key: place.key, ...args } };
      take(await callTool(world.attacker as never, params, { onpartialresult: take }));
    },
    launched: () => void (isLaunched = true),
    async hits() {
      /* A page that is sent away, even to nowhere, may find its own requests broken off. It asks again. */
      const answer = await fetch(`${place.collector}/hits?key=${place.key}`).catch(() => undefined);
      return answer ? ((await answer.json()) as Hit[]) : [];
    },
    async close() {
      for (const clean of cleanups.reverse()) await clean();
      delete (Object.prototype as Record<string, unknown>)[place.key];
      container.remove();
    },
  };
  return lab;
}

/** The sanitizer of a host that has none. */
const passAll: NonNullable<Parameters<typeof startToolCall>[2]>['sanitizer'] = {
  content: (blocks) => blocks.map(({ block }) => block),
  structured: (value) => value,
  meta: (value) => value,
  result: (result) => result,
};

/** All windows in a part of the page, however deeply nested. */
function windowsIn(part: HTMLElement): (MessageEventSource | null)[] {
  const all = (window: Window): Window[] => [
    window,
    ...Array.from({ length: window.length }, (_, i) => all(window[i]!)).flat(),
  ];
  return [...part.querySelectorAll('iframe')].flatMap(({ contentWindow }) =>
    contentWindow ? all(contentWindow) : [],
  );
}
