import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { scriptedView, until } from '../../testing/proxy-frame.ts';
import { createViewServer, type ViewServer } from '../../testing/view-server.ts';
import { createToolOutput } from '../stream/output.ts';
import { createAppView } from './app-view.ts';
import type { AppView, AppViewEvent, AppViewOptions } from './app-view-types.ts';

/* An app that does something without end costs the host page a bounded amount, and says so. */

const { sandbox } = inject('sandboxServers');
const cleanups: (() => unknown)[] = [];
let container: HTMLElement;

beforeEach(() => {
  container = document.createElement('div');
  document.body.append(container);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  container.remove();
});

const speak = `
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const initialize = (id) =>
    send({ id, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'm', version: '1' }, appCapabilities: {} } });
  const begin = (id) => { initialize(id); send({ method: 'ui/notifications/initialized' }); };`;

async function show(
  script: string,
  options: Partial<AppViewOptions> = {},
): Promise<{ view: AppView; server: ViewServer; events: AppViewEvent[] }> {
  const server = await createViewServer(scriptedView(speak + script), {});
  const events: AppViewEvent[] = [];
  const view = createAppView({
    client: server.client,
    tool: server.tool,
    sandbox: { url: `${sandbox}/proxy` },
    container,
    limits: { teardownMs: 300 },
    onEvent: (event) => events.push(event),
    ...options,
  });
  cleanups.push(server.close, view.close);
  return { view, server, events };
}

test('an app that initializes without end is given up, and so is its stream', async () => {
  const call = createToolOutput({ modes: { content: 'append' } });
  for (let seq = 0; seq < 5; seq++) {
    call.push({ partialResultToken: 't', seq, content: [{ type: 'text', text: 'x' }] });
  }
  const { view, events } = await show(`for (let i = 0; i < 300; i++) begin('i' + i);`, { call });
  await until(() => view.status === 'lost');
  expect(view.error).toMatchObject({ code: 'view_lost' });
  expect(view.element).toBeUndefined();
  const opened = events.filter(({ type }) => type === 'view_open');
  expect(opened.length).toBeGreaterThan(1);
  expect(opened.length).toBeLessThanOrEqual(20);
});

test('an app that calls tools without waiting has 16 calls at once, and an error for the rest', async () => {
  const { server, events, view } = await show(`
    begin('i');
    let refused = 0;
    hear((data) => {
      if (data.error?.code === -32000) refused++;
      if (refused === 84) parent.postMessage({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'all refused' } }, '*');
    });
    for (let i = 0; i < 100; i++) send({ id: i, method: 'tools/call', params: { name: 'write', arguments: { text: 'slow' } } });`);
  await until(() => view.status === 'ready');
  await until(() => events.some((event) => event.type === 'view_log' && event.data === 'all refused'));
  expect(events.filter(({ type }) => type === 'too_many_requests')).toHaveLength(84);
  await until(() => server.calls.length === 16);
  server.finishWriting();
});

test('an app that floods the host is cut short, and heard again when it stops', async () => {
  const { server, events, view } = await show(
    `
    begin('i');
    for (let i = 0; i < 5_000; i++) send({ method: 'notifications/message', params: { level: 'info', data: i } });
    setInterval(() => send({ id: Math.random().toString(), method: 'tools/call', params: { name: 'report', arguments: { event: 'after', data: 1 } } }), 500);`,
    { traffic: { burst: 100, messagesPerSecond: 50 } },
  );
  await until(() => view.status === 'ready');
  await server.report('after');
  await until(() => events.some(({ type }) => type === 'message_flood'));
  const logged = events.filter(({ type }) => type === 'view_log').length;
  const dropped = events.reduce(
    (sum, event) => sum + (event.type === 'message_flood' ? event.dropped : 0),
    0,
  );
  expect(logged).toBeLessThan(4_000);
  expect(dropped).toBeGreaterThan(1_000);
});
