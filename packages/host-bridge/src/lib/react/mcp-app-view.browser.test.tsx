import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { settle, until } from '../../testing/proxy-frame.ts';
import { createViewServer, sdkView, type ViewServer } from '../../testing/view-server.ts';
import { createToolOutput } from '../stream/output.ts';
import type { ToolOutput } from '../stream/output-types.ts';
import type { AppView, AppViewEvent } from '../frame/app-view-types.ts';
import { McpAppView, type McpAppViewProps } from './mcp-app-view.tsx';

const { sandbox } = inject('sandboxServers');
const cleanups: (() => unknown)[] = [];
let consoleErrors: unknown[][];

beforeEach(() => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
  consoleErrors = spy.mock.calls;
  cleanups.push(() => spy.mockRestore());
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/* Counts what reaches the view and tells it with the result. */
const counting = sdkView(
  2,
  `const counts = { inputs: 0, text: '', contexts: 0 };
   const anything = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
   app.ontoolinput = () => counts.inputs++;
   app.onhostcontextchanged = () => counts.contexts++;
   app.setNotificationHandler('ui/notifications/tool-output-partial', { params: anything },
     ({ content }) => { counts.text += content.map(({ text }) => text).join(''); });
   app.ontoolresult = () => report('counts', counts);
   app.onteardown = async () => { await report('bye'); return {}; };`,
);

async function setUp(html: string = counting) {
  const server: ViewServer = await createViewServer(html);
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  const events: AppViewEvent[] = [];
  const statuses: string[] = [];
  const viewRef: { current: AppView | null } = { current: null };
  cleanups.push(
    server.close,
    () => host.remove(),
    () => root.unmount(),
  );
  /* Every object is new on each render, as in most hosts. */
  const element = (props: Partial<McpAppViewProps> = {}): ReactNode => (
    <McpAppView
      client={server.client}
      tool={{ ...server.tool }}
      sandbox={{ url: `${sandbox}/proxy` }}
      handlers={{}}
      viewRef={viewRef}
      onEvent={(event) => events.push(event)}
      onStatus={(status) => statuses.push(status)}
      {...props}
    />
  );
  return {
    server,
    host,
    root,
    events,
    statuses,
    viewRef,
    element,
    ready: async () => until(() => statuses.at(-1) === 'ready'),
  };
}

function output(): ToolOutput {
  const output = createToolOutput({ modes: { content: 'append' } });
  output.input({});
  return output;
}

const push = (output: ToolOutput, seq: number): void =>
  output.push({ partialResultToken: 't', seq, content: [{ type: 'text', text: `${seq} ` }] });

test('in StrictMode there is one frame, and each chunk arrives once (case 70)', async () => {
  const { root, host, element, server, statuses, viewRef } = await setUp();
  const call = output();
  root.render(<StrictMode>{element({ call })}</StrictMode>);
  await until(() => viewRef.current?.status === 'ready');
  for (let seq = 0; seq < 10; seq++) push(call, seq);
  await until(() => (viewRef.current?.counters?.queued ?? 1) === 0);
  await settle();
  call.finish({ content: [] });
  expect(await server.report('counts')).toEqual({ inputs: 1, text: '0 1 2 3 4 5 6 7 8 9 ', contexts: 0 });
  expect(host.querySelectorAll('iframe')).toHaveLength(1);
  expect(statuses).toEqual(['loading', 'connecting', 'ready']);
  expect(consoleErrors).toEqual([]);
});

test('rendering again with equal but new objects sends nothing again and keeps the frame (case 11)', async () => {
  const { root, host, element, server, ready, viewRef } = await setUp();
  const call = output();
  const render = (): void => root.render(element({ call, hostContext: { theme: 'light' } }));
  render();
  await ready();
  const frame = host.querySelector('iframe');
  for (let seq = 0; seq < 10; seq++) {
    render();
    push(call, seq);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await until(() => (viewRef.current?.counters?.queued ?? 1) === 0);
  await settle();
  call.finish({ content: [] });
  for (let i = 0; i < 3; i++) render();
  await settle();
  expect(server.reports).toEqual([['counts', { inputs: 1, text: '0 1 2 3 4 5 6 7 8 9 ', contexts: 0 }]]);
  expect(host.querySelector('iframe')).toBe(frame);
});

test('a chunk for one of five views, on a page that renders with each, sends the other four nothing (case 37)', async () => {
  const { root, element, server } = await setUp(
    sdkView(
      2,
      `let heard = 0;
       let name;
       addEventListener('message', () => heard++);
       app.ontoolinput = (input) => { name = input.arguments.name; heard = 0; };
       app.ontoolresult = () => report('heard ' + name, heard);`,
    ),
  );
  const calls = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const call = createToolOutput({ modes: { content: 'append' } });
    call.input({ name });
    return { name, call, viewRef: { current: null as AppView | null } };
  });
  const render = (): void =>
    root.render(
      calls.map(({ name, call, viewRef }) => (
        <div key={name}>{element({ call, viewRef, hostContext: { theme: 'light' } })}</div>
      )),
    );
  render();
  await until(() => calls.every(({ viewRef }) => viewRef.current?.status === 'ready'));
  await settle();
  for (let seq = 0; seq < 20; seq++) {
    push(calls[0]!.call, seq);
    render();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await settle();
  for (const { call } of calls) call.finish({ content: [] });
  await until(() => server.reports.length === 5);
  const heard = Object.fromEntries(server.reports);
  expect(heard['heard a']).toBeGreaterThan(1);
  // The result itself and nothing else.
  expect(heard).toMatchObject({ 'heard b': 1, 'heard c': 1, 'heard d': 1, 'heard e': 1 });
});

test('a height the view asked for survives renders, and the width follows its place both ways (case 72)', async () => {
  const { root, host, element, ready } = await setUp(
    sdkView(2, '', `app.sendSizeChanged({ width: 9999, height: 900 });`),
  );
  host.style.width = '800px';
  root.render(element());
  await ready();
  const frame = host.querySelector('iframe')!;
  await until(() => frame.style.height === '900px');
  const widths: number[] = [];
  for (const width of ['400px', '1000px']) {
    host.style.width = width;
    root.render(element({ hostContext: { theme: 'dark' } }));
    await settle();
    widths.push(frame.clientWidth);
  }
  expect([frame.style.height, widths]).toEqual(['900px', [400, 1000]]);
});

test('a change of the host context, and a call that comes later, reach the same frame', async () => {
  const { root, host, element, server, ready } = await setUp();
  root.render(element({ hostContext: { theme: 'light' } }));
  await ready();
  const frame = host.querySelector('iframe');
  const call = output();
  root.render(element({ call, hostContext: { theme: 'dark' } }));
  await until(() => frame?.style.colorScheme === 'dark');
  await settle();
  call.finish({ content: [] });
  expect(await server.report('counts')).toMatchObject({ inputs: 1, contexts: 1 });
  expect(host.querySelector('iframe')).toBe(frame);
});

test('the hooks of the latest render are called', async () => {
  const { root, element, server, ready } = await setUp(
    sdkView(
      2,
      `app.onhostcontextchanged = async () => report('answer', (await app.openLink({ url: 'https://a.example' })).isError === true);`,
    ),
  );
  const asked: string[] = [];
  const openLink = (name: string) => (): 'handled' => {
    asked.push(name);
    return 'handled';
  };
  root.render(element({ handlers: { openLink: openLink('first') } }));
  await ready();
  root.render(element({ handlers: { openLink: openLink('second') }, hostContext: { theme: 'dark' } }));
  expect(await server.report('answer')).toBe(false);
  expect(asked).toEqual(['second']);
});

test('on unmount the app still gets to finish, then nothing is left', async () => {
  const { root, element, server, ready, events, statuses, viewRef } = await setUp();
  root.render(<StrictMode>{element()}</StrictMode>);
  await ready();
  root.render(null);
  await until(() => statuses.at(-1) === 'closed');
  expect(server.reports).toEqual([['bye', null]]);
  expect(events).toContainEqual({ type: 'teardown', outcome: 'acknowledged' });
  expect(viewRef.current).toBeNull();
  expect(document.querySelectorAll(`iframe[src^="${sandbox}"]`)).toHaveLength(0);
  expect(consoleErrors).toEqual([]);
});

test('mounted and unmounted again and again, half of the times before the handshake, it leaves nothing behind', async () => {
  const { root, element, statuses } = await setUp();
  for (let i = 0; i < 20; i++) {
    root.render(<StrictMode>{element()}</StrictMode>);
    if (i % 2 === 0) await until(() => statuses.at(-1) === 'connecting');
    else await new Promise((resolve) => setTimeout(resolve, 0));
    root.render(null);
    await until(() => statuses.length === 0 || statuses.at(-1) === 'closed');
    statuses.length = 0;
  }
  await settle();
  expect(document.querySelectorAll(`iframe[src^="${sandbox}"]`)).toHaveLength(0);
  expect(consoleErrors).toEqual([]);
});

test('the fallback stands in until the view is ready', async () => {
  const { root, host, element, ready } = await setUp();
  root.render(element({ fallback: <b>one moment</b> }));
  await until(() => host.textContent === 'one moment');
  expect(host.querySelector('[aria-busy="true"]')).not.toBeNull();
  await ready();
  await until(() => host.textContent === '');
  expect(host.querySelector('[aria-busy="false"][data-status="ready"]')).not.toBeNull();
});

test('a failure is shown as an alert, to the fallback, and can be tried again', async () => {
  const { root, host, element, statuses } = await setUp();
  const broken = { sandbox: { url: `${sandbox}/nothing` }, limits: { handshakeMs: 200 } };
  root.render(element(broken));
  await until(() => host.querySelector('[role=alert]')?.textContent?.includes('did not answer'));
  root.render(
    element({ ...broken, fallback: ({ error, reload }) => <button onClick={reload}>{error?.code}</button> }),
  );
  const button = await until(() => host.querySelector('button') ?? undefined);
  expect(button.textContent).toBe('handshake_timeout');
  statuses.length = 0;
  button.click();
  await until(() => statuses.includes('failed'));
  expect(statuses).toEqual(['loading', 'connecting', 'failed']);
});

test('an option that cannot work is a failure on the screen, not an exception in the page', async () => {
  const { root, host, element } = await setUp();
  root.render(element({ sandbox: { url: `${self.origin}/sandbox` } }));
  await until(() => host.querySelector('[role=alert]')?.textContent?.includes('another host name'));
  expect(consoleErrors).toEqual([]);
});
