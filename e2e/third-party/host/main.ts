import {
  createAppView,
  startToolCall,
  uiClientCapabilities,
  type AppViewEvent,
  type HostHandlers,
} from '@mcp-apps-bridge/host-bridge';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { list, mark, showContent, showContext, write } from './show.ts';

/*
 * A whole host in one page: it calls the tool of the app named in the address, shows its view with every hook in
 * place, and writes what each hook was asked for where a person, and the test, can read it.
 */

interface Urls {
  sandbox: string;
  servers: Record<string, { url: string; tool: string }>;
}

const urls = (await (await fetch('/urls.json')).json()) as Urls;
const server = urls.servers[new URLSearchParams(location.search).get('app') ?? ''];
if (!server) throw new Error(`?app= one of ${Object.keys(urls.servers).join(', ')}`);

const client = new Client(
  { name: 'third-party-host', version: '1.0.0' },
  { capabilities: { ...uiClientCapabilities } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
const { tools } = await client.listTools();
const tool = tools.find(({ name }) => name === server.tool);
if (!tool) throw new Error(`no tool ${server.tool}`);

const container = document.getElementById('view')!;

const handlers: HostHandlers = {
  openLink(url) {
    list('links', url);
    return true;
  },
  message({ role, content }) {
    showContent(list('messages', `${role}: `), content);
  },
  modelContext(context) {
    showContext(write('context', ''), context);
  },
  displayMode(mode) {
    container.className = mode;
    write('mode', mode);
    return mode;
  },
  allowToolCall({ name, arguments: args }) {
    list('calls', `${name} ${JSON.stringify(args)}`).dataset['tool'] = name;
    return true;
  },
  log({ level, data }) {
    list('logs', `${level}: ${JSON.stringify(data)}`);
  },
};

/** Course of events that has a place of its own on the page, or none because nothing is wrong. */
const ordinary = new Set(['request_granted', 'view_log', 'view_call', 'view_open']);

function onEvent(event: AppViewEvent): void {
  if (event.type === 'view_status') write('status', event.status);
  else if (event.type === 'teardown') write('teardown', event.outcome);
  else if (event.type === 'request_refused') list('refused', `${event.method}: ${event.reason}`);
  else if (event.type === 'csp_applied') mark('view', 'policy', event.policy);
  else if (!ordinary.has(event.type)) list('trouble', JSON.stringify(event));
}

/* Every height the host gave the frame, and how many reports led there. */
let reports = 0;
addEventListener('message', ({ origin, data }: MessageEvent<{ method?: string } | null>) => {
  if (origin === urls.sandbox && data?.method === 'ui/notifications/size-changed')
    mark('heights', 'reports', String(++reports));
});
new MutationObserver((records) => {
  for (const { target } of records) {
    const { height } = (target as HTMLElement).style;
    const last = document.getElementById('heights')!.lastElementChild?.textContent;
    if (target instanceof HTMLIFrameElement && height !== last) list('heights', height);
  }
}).observe(container, { attributes: true, attributeFilter: ['style'], subtree: true });

const call = startToolCall(client, { tool, arguments: {} });
void call.done.then((outcome) => {
  if (outcome.status === 'complete') showContent(write('result', ''), outcome.result.content ?? []);
  else list('trouble', JSON.stringify(outcome));
});
const view = createAppView({
  client,
  tool,
  tools,
  sandbox: { url: urls.sandbox, permissions: ['clipboardWrite'] },
  container,
  call,
  hostInfo: { name: 'third-party-host', version: '1.0.0' },
  hostContext: {
    theme: 'light',
    locale: 'en-GB',
    timeZone: 'UTC',
    availableDisplayModes: ['inline', 'fullscreen', 'pip'],
  },
  handlers,
  onEvent,
});
document.getElementById('close')!.addEventListener('click', () => void view.close());
/* What the model would be told with the user's next message (H20). */
document.getElementById('turn')!.addEventListener('click', () => {
  showContext(list('turns', ''), view.takeModelContext() ?? {});
});
