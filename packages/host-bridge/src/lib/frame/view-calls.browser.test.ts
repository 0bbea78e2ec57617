import { afterEach, expect, inject, test } from 'vitest';
import { until } from '../../testing/proxy-frame.ts';
import { createViewServer, sdkView } from '../../testing/view-server.ts';
import { createToolOutput } from '../stream/output.ts';
import { createAppView } from './app-view.ts';
import type { AppViewEvent } from './app-view-types.ts';

const { sandbox } = inject('sandboxServers');
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test.each([1, 2] as const)(
  'an app on ext-apps %i.x streams a call of its own beside the one it shows, through both frames',
  async (version) => {
    const container = document.createElement('div');
    document.body.append(container);
    const html = sdkView(
      version,
      `const runtime = await import('${sandbox}/app-runtime.js');
      const shown = runtime.attachToApp(app, { consumer: runtime.textConsumer() });`,
      `const call = runtime.callToolStreaming(app, { name: 'write', arguments: { text: 'one two three' } }, {
        consumer: runtime.textConsumer(),
        onChange({ status, state, counters }) { report('write ' + status + ' ' + state.text, counters); },
      });
      shown.subscribe(({ status, state }) => report('shown ' + status + ' ' + state.text));
      await report('result', (await call.result).content);
      await report('foreign', shown.snapshot().counters.foreign);`,
      `{ experimental: { 'io.github.mcp-apps-bridge/tool-output-partial': { version: 1 } } }, { autoResize: false }`,
    );
    const server = await createViewServer(html);
    const events: AppViewEvent[] = [];
    const output = createToolOutput({ modes: { content: 'append' } });
    const view = createAppView({
      client: server.client,
      tool: server.tool,
      sandbox: { url: `${sandbox}/proxy` },
      container,
      call: output,
      onEvent: (event) => events.push(event),
    });
    cleanups.push(() => container.remove(), server.close, view.close);

    // Both streams are on while the other is, and neither ends before it is told to.
    await server.report('write streaming one two three ');
    output.push({ partialResultToken: 't', seq: 0, content: [{ type: 'text', text: 'main' }] });
    await server.report('shown streaming main');
    server.finishWriting();
    expect(await server.report('result')).toEqual([{ type: 'text', text: 'all of it' }]);
    expect(await server.report('write complete all of it')).toMatchObject({
      rejected: 0,
      late: 0,
      gaps: 0,
      foreign: 0,
    });
    expect(await server.report('foreign')).toBe(0);
    output.finish({ content: [{ type: 'text', text: 'main end' }] });
    await server.report('shown complete main end');
    await until(() => view.counters?.view?.applied === 1);
    const ofCall = events.flatMap((event) => (event.type === 'view_call' ? [event.event.type] : []));
    expect(ofCall).toContain('view_open');
    expect(ofCall).not.toContain('view_suspended');
  },
);
