import {
  createAppView,
  forwardToolOutput,
  withStreamCapability,
  startToolCall,
  type FeedLimits,
  type AppView,
  type ToolCall,
  type ViewFeed,
} from '@mcp-apps-bridge/host-bridge';
import { asking, getUrls, viewHtml, type Link } from '../link.ts';
import { openBridge } from './ext.ts';
import { connectInPage, type ServerInPage } from './server-in-page.ts';
import type { OpenOptions } from './types.ts';

/** Neither merged nor held back: what the path costs a message. */
const UNCOALESCED: FeedLimits = {
  coalesce: { batchBytes: 1, maxItems: 1e9, maxBytes: 1e12 },
  pace: { maxFrames: 1e9, highBytes: 1e15, lowBytes: 1e14 },
};
/** As shipped, but for the cap of the queue: a trial is handed in faster than any server sends. */
const COALESCED: FeedLimits = { coalesce: { maxBytes: 1e12, maxItems: 1e9 } };

export interface OurLink extends Link {
  server: ServerInPage;
  call: ToolCall;
  feed(): Pick<ViewFeed, 'counters'> | undefined;
}

export interface OurOptions extends OpenOptions {
  coalesced: boolean;
  view?: string;
  /** Instead of those of the trial. */
  limits?: FeedLimits;
  /** Modes the tool declares. */
  modes?: Record<string, string>;
}

const refuse = async (): Promise<never> => {
  throw new Error('this server is not there');
};
const TOOL = {
  name: 'stream',
  inputSchema: { type: 'object' },
  _meta: { ui: { resourceUri: 'ui://bench/app' } },
};

/** Claim → intake → … → forward, then the sandbox proxy and the runtime: the whole product. */
export async function openOurs(options: OurOptions): Promise<OurLink> {
  const { frames, config, container, coalesced, view = 'ours', modes = { content: 'append' } } = options;
  const limits = options.limits ?? (coalesced ? COALESCED : UNCOALESCED);
  const server = await connectInPage();
  const tool = { ...TOOL, _meta: { ...TOOL._meta, 'io.github.mcp-apps-bridge/merge': modes } };
  const call = startToolCall(server.client, { tool }, { idleTimeoutMs: 3_600_000 });
  const shown =
    frames === 'double'
      ? await inSandbox(call, await viewHtml(view, config), container, limits)
      : await byBridge(call, options, limits);
  const links = asking(() => shown.element);
  await links.ask(view === 'paint' ? 'report' : 'counted');
  return {
    ...links,
    ...shown,
    server,
    call,
    send: (text) => server.emit([{ type: 'text', text }]),
    async close() {
      call.close();
      await shown.end();
      container.remove();
    },
  };
}

interface Shown {
  element: HTMLIFrameElement;
  feed(): Pick<ViewFeed, 'counters'> | undefined;
  end(): Promise<void>;
}

/** Two frames: the view behind our own proxy. */
async function inSandbox(
  call: ToolCall,
  html: string,
  container: HTMLElement,
  limits: FeedLimits,
): Promise<Shown> {
  const view: AppView = createAppView({
    client: { callTool: refuse, readResource: refuse, listTools: refuse },
    tool: TOOL,
    sandbox: { url: (await getUrls()).views },
    container,
    resource: { uri: 'ui://bench/app', html },
    limits: { handshakeMs: 60_000, teardownMs: 300 },
    feed: limits,
    autoHeight: false,
    call,
  });
  while (view.status !== 'ready') {
    if (view.status === 'failed' || view.status === 'lost') throw view.error ?? new Error(view.status);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const element = view.element!;
  element.style.height = '400px';
  return {
    element,
    feed: () => (view.counters ? { counters: view.counters } : undefined),
    end: () => view.close(),
  };
}

/** One frame: the pipeline alone, under an AppBridge that a host already has. */
async function byBridge(call: ToolCall, options: OurOptions, limits: FeedLimits): Promise<Shown> {
  const view = options.view ?? 'ours';
  const { bridge, element } = await openBridge({ ...options, view, capabilities: withStreamCapability({}) });
  const feed = forwardToolOutput(bridge, call, { initialized: true, limits });
  return {
    element,
    feed: () => feed,
    async end() {
      feed.close();
      await bridge.close();
    },
  };
}
