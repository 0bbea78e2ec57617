import { startToolCall, createAppView } from '@mcp-apps-bridge/host-bridge';
import { PARTIAL_RESULT_METHOD } from '@mcp-apps-bridge/partial-results';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Timeline } from '../../shared/protocol.ts';
import { asking, getUrls, place, plainFrame, viewHtml, type Link } from '../link.ts';
import { openBridge } from '../rivals/ext.ts';

interface Trial {
  rival: 'raw' | 'sdk' | 'ours' | 'ext';
  perSecond: number;
  seconds: number;
  chars: number;
  where: 'visible' | 'offscreen' | 'hidden';
}

type Asking = Pick<Link, 'ask'>;
type Answer = Timeline & { applies: number };

/** Streams over real HTTP into a new view and tells how long each chunk took: to be applied, and to be shown. */
export async function latency(trial: Trial): Promise<Answer> {
  const container = place(
    trial.where === 'offscreen' ? { position: 'absolute', top: '500vh', width: '400px' } : {},
  );
  const rivals = { raw: streamRaw, sdk: streamSdk, ours: streamOurs, ext: streamExt };
  const { link, done, close, counters } = await rivals[trial.rival](trial, container);
  const expected = Math.round(trial.perSecond * trial.seconds);
  // Nothing is asked while the stream lasts, and the call does not end before all of it is there.
  await pause(trial.seconds * 1_000);
  for (let i = 0; i < 300 && (await link.ask<number>('counted')) < expected * trial.chars; i++)
    await pause(100);
  // The last ones are shown with the next frame.
  await pause(100);
  const seen = await link.ask<Answer>('timeline');
  await fetch('/release');
  await done;
  await close();
  container.remove();
  if (seen.delivered.length < expected) {
    const known = JSON.stringify(counters?.());
    throw new Error(`${trial.rival}: ${seen.delivered.length} of ${expected} chunks came; ${known}`);
  }
  return seen;
}

const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Streamed {
  link: Asking;
  /** The stream's source came to its end. */
  done: Promise<unknown>;
  /** What the bridge says of the stream, for the report of a failure. */
  counters?(): unknown;
  close(): Promise<void>;
}

const config = { paint: true };
const argumentsOf = ({ perSecond, seconds, chars }: Trial): Record<string, number> => ({
  perSecond,
  seconds,
  chars,
});

async function connectClient(): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location.href)));
  return client;
}

/** Server-sent events read by hand, each posted on. */
async function streamRaw(trial: Trial, container: HTMLElement): Promise<Streamed> {
  const { views } = await getUrls();
  const element = await plainFrame('double', 'raw', config, container);
  const link = asking(() => element);
  await link.ask('timeline');
  const query = new URLSearchParams(Object.entries(argumentsOf(trial)).map(([k, v]) => [k, String(v)]));
  const post = (params: unknown): void =>
    element.contentWindow?.postMessage({ jsonrpc: '2.0', method: 'bench/chunk', params }, views);
  return { link, done: readEvents(`/raw?${query}`, post), close: async () => undefined };
}

async function readEvents(url: string, take: (data: unknown) => void): Promise<void> {
  const response = await fetch(url);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const events = (rest + value).split('\n\n');
    rest = events.pop()!;
    for (const event of events) take(JSON.parse(event.slice('data: '.length)));
  }
}

async function streamOurs(trial: Trial, container: HTMLElement): Promise<Streamed> {
  const client = await connectClient();
  const tool = {
    name: 'paced',
    inputSchema: { type: 'object' },
    _meta: {
      ui: { resourceUri: 'ui://bench/app' },
      'io.github.mcp-apps-bridge/merge': { content: 'append' },
    },
  };
  const view = createAppView({
    client,
    tool,
    sandbox: { url: (await getUrls()).views },
    container,
    resource: { uri: 'ui://bench/app', html: await viewHtml('ours', config) },
    autoHeight: false,
  });
  while (view.status !== 'ready') await new Promise((resolve) => setTimeout(resolve, 5));
  view.element!.style.height = '400px';
  const link = asking(() => view.element);
  await link.ask('timeline');
  const call = startToolCall(client, { tool, arguments: argumentsOf(trial) });
  view.show(call);
  const done = call.done.then(({ status }) => {
    if (status !== 'complete') throw new Error(`the call ended ${status}`);
  });
  return {
    link,
    done,
    counters: () => [call.counters, view.counters],
    async close() {
      await view.close();
      call.close();
      await client.close();
    },
  };
}

/** Lets everything through, as an application does that checks by itself. */
const LOOSE = {
  '~standard': { version: 1, vendor: 'bench', validate: (value: unknown): object => ({ value }) },
} as never;

/** Server and client of the SDK and its notification handler, passed on by plain postMessage: none of our code. */
async function streamSdk(trial: Trial, container: HTMLElement): Promise<Streamed> {
  const client = await connectClient();
  const { views } = await getUrls();
  const element = await plainFrame('double', 'raw', config, container);
  const link = asking(() => element);
  await link.ask('timeline');
  client.setNotificationHandler(PARTIAL_RESULT_METHOD, { params: LOOSE }, (params) => {
    element.contentWindow?.postMessage({ jsonrpc: '2.0', method: 'bench/chunk', params }, views);
  });
  const done = client.callTool({ name: 'paced_plain', arguments: argumentsOf(trial) });
  return { link, done, close: () => client.close() };
}

/** A stock client and its handler, passed on as partial input. */
async function streamExt(trial: Trial, container: HTMLElement): Promise<Streamed> {
  const client = await connectClient();
  const { bridge, element } = await openBridge({ frames: 'double', view: 'ext', config, container });
  const link = asking(() => element);
  await link.ask('timeline');
  client.setNotificationHandler(PARTIAL_RESULT_METHOD, { params: LOOSE }, (params) => {
    void bridge.sendToolInputPartial({ arguments: params });
  });
  const done = client.callTool({ name: 'paced_plain', arguments: argumentsOf(trial) });
  return {
    link,
    done,
    async close() {
      await bridge.close();
      await client.close();
    },
  };
}
