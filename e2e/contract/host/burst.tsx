import { createToolOutput, type AppView } from '@mcp-apps-bridge/host-bridge';
import { McpAppView } from '@mcp-apps-bridge/host-bridge/react';
import { StrictMode, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { AppLog, AppState } from '../shared/config.ts';
import { until } from './check.ts';
import { appHtml, askView, setting, TOOL } from './rig.ts';
import { chunkOf, cut } from './stream.ts';

export interface BurstReport {
  chunks: number;
  /** Renders of the host's component, both of StrictMode's counted. */
  hostRenders: number;
  /** Times the app's view was told of a change. */
  appRenders: number;
  gaps: number;
  data: unknown;
  status: string;
}

declare global {
  interface Window {
    __burst(chunks: number): Promise<BurstReport>;
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('this server is not there');
};
const client = { callTool: refuse, readResource: refuse, listTools: refuse } as never;

/** Messages that build one surface and then count in its data. */
function messagesFor(chars: number): { text: string; last: number } {
  const version = 'v0.9';
  const surfaceId = 's';
  const catalogId = 'https://a2ui.org/specification/v0_9/basic_catalog.json';
  const root = { id: 'root', component: 'Text', text: { path: '/count' } };
  const lines = [
    { version, createSurface: { surfaceId, catalogId } },
    { version, updateComponents: { surfaceId, components: [root] } },
  ].map((message) => JSON.stringify(message));
  let last = 0;
  while (lines.join('\n').length < chars) {
    const batch = Array.from({ length: 50 }, () => ({
      version,
      updateDataModel: { surfaceId, path: '/count', value: `n ${++last}` },
    }));
    lines.push(...batch.map((message) => JSON.stringify(message)));
  }
  return { text: `${lines.join('\n')}\n`, last };
}

/** 2,000 chunks in a second or so, into a host that keeps what it hears in React state (case 31). */
window.__burst = async (chunks) => {
  const { urls } = await setting();
  const html = await appHtml({});
  const viewRef: { current: AppView | null } = { current: null };
  let hostRenders = 0;
  const output = createToolOutput();

  function Host(): ReactElement {
    const [events, setEvents] = useState(0);
    const [status, setStatus] = useState('');
    hostRenders++;
    return (
      <section data-events={events} data-status={status}>
        <McpAppView
          client={client}
          tool={{ ...TOOL }}
          sandbox={{ url: urls.sandbox }}
          resource={{ uri: 'ui://contract/app', html }}
          call={output}
          limits={{ handshakeMs: 60_000, teardownMs: 300 }}
          viewRef={viewRef}
          onStatus={setStatus}
          onEvent={() => setEvents((count) => count + 1)}
        />
      </section>
    );
  }

  createRoot(document.getElementById('views')!).render(
    <StrictMode>
      <Host />
    </StrictMode>,
  );
  await until('the view to be ready', () => viewRef.current?.status === 'ready');
  const { text, last } = messagesFor(chunks * 40);
  const pieces = cut(text, chunks, 3);
  for (const [seq, piece] of pieces.entries()) {
    output.push(chunkOf(seq, piece));
    if (seq % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
  }
  const view = viewRef.current!;
  const ask = async (what: string): Promise<unknown> => askView(view, urls.sandbox, what);
  await until('all to be taken', () => view.counters?.queued === 0 && view.counters.inFlight === 0);
  const state = (await ask('state')) as AppState;
  const { renders } = (await ask('log')) as AppLog;
  const [surface] = state.model as { data: unknown }[];
  return {
    chunks: pieces.length,
    hostRenders,
    appRenders: renders,
    gaps: output.counters.gaps + (state.counters['gaps'] ?? 0),
    data: [surface?.data, `n ${last}`],
    status: state.status,
  };
};
