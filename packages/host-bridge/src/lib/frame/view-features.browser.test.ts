import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { until } from '../../testing/proxy-frame.ts';
import { createViewServer, sdkView, type ViewServer } from '../../testing/view-server.ts';
import { createAppView } from './app-view.ts';
import type { AppView, AppViewEvent, AppViewOptions } from './app-view-types.ts';
import type { HostHandlers, ViewDownload, ViewSampling } from './host-handlers.ts';

/* What an app built with ext-apps may ask of its host, and its host of it: downloads, the model, its own tools. */

const { sandbox } = inject('sandboxServers');
const cleanups: (() => unknown)[] = [];
let container: HTMLElement;

beforeEach(() => {
  container = document.createElement('div');
  document.body.append(container);
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  container.remove();
});

async function show(
  before: string,
  after: string,
  handlers: HostHandlers = {},
  options: Partial<AppViewOptions> = {},
  app?: string,
): Promise<{ view: AppView; server: ViewServer; events: AppViewEvent[] }> {
  const server = await createViewServer(sdkView(2, before, after, app));
  const events: AppViewEvent[] = [];
  const view = createAppView({
    client: server.client,
    tool: server.tool,
    sandbox: { url: `${sandbox}/proxy` },
    container,
    limits: { teardownMs: 300 },
    handlers,
    onEvent: (event) => events.push(event),
    ...options,
  });
  cleanups.push(server.close, view.close);
  await until(() => view.status === 'ready');
  return { view, server, events };
}

const download = `
  const answer = await app.downloadFile({ contents: [{ type: 'resource', resource: { uri: 'file:///../x/r\\u202Eport.csv', mimeType: 'text/csv', text: 'a,b' } }] });
  report('answer', answer);`;

describe('a download', () => {
  test('is saved by the host page under a clean name, after consent (H21)', async () => {
    const clicked: HTMLAnchorElement[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this);
    });
    const offered: ViewDownload[] = [];
    const { server, events } = await show('', download, {
      async downloadFile(file) {
        offered.push(file);
        return true;
      },
    });
    expect(await server.report('answer')).toEqual({});
    expect(offered).toMatchObject([{ name: 'rport.csv', mimeType: 'text/csv' }]);
    expect(clicked.map((link) => link.download)).toEqual(['rport.csv']);
    expect(await (await fetch(clicked[0]!.href)).text()).toBe('a,b');
    expect(events).toContainEqual({
      type: 'request_granted',
      method: 'ui/download-file',
      detail: 'rport.csv',
    });
  });

  test.each<[string, HostHandlers, string]>([
    ['no hook', {}, 'not_offered'],
    ['a hook that says no', { downloadFile: () => false }, 'declined'],
  ])('is refused with %s', async (_, handlers, reason) => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click');
    const { server, events } = await show('', download, handlers);
    expect(await server.report('answer')).toMatchObject({ isError: true });
    expect(events).toContainEqual(expect.objectContaining({ type: 'request_refused', reason }));
    expect(click).not.toHaveBeenCalled();
  });
});

describe('the model', () => {
  const sample = `
    try {
      report('answer', await app.createSamplingMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 1e6 }));
    } catch (error) {
      report('answer', String(error.message));
    }`;

  test('answers an app within limits, when the host lets it (H21)', async () => {
    const asked: ViewSampling[] = [];
    const { server } = await show('', sample, {
      async sample(request) {
        asked.push(request);
        return {
          role: 'assistant',
          content: { type: 'text', text: 'hello' },
          model: 'm',
          stopReason: 'endTurn',
        };
      },
    });
    expect(await server.report('answer')).toMatchObject({ content: { text: 'hello' } });
    expect(asked).toMatchObject([{ maxTokens: 4_096, messages: [{ role: 'user' }] }]);
  });

  test('is not there for an app whose host offers none', async () => {
    const { server } = await show('', sample);
    expect(await server.report('answer')).toEqual(expect.any(String));
  });
});

describe('tools of the app (H22)', () => {
  const tools = `
    app.onlisttools = async () => ({ tools: [
      { name: 'move', title: 'Move', inputSchema: { type: 'object' } },
      { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    ] });
    app.oncalltool = async ({ name, arguments: args }) => ({ content: [{ type: 'text', text: name + ' ' + JSON.stringify(args) }] });`;

  test('are listed with their owner, called with consent, and end with the view', async () => {
    const asked: unknown[] = [];
    const { view } = await show(
      tools,
      '',
      {
        async allowViewTool(call) {
          asked.push(call);
          return true;
        },
      },
      {},
      '{ tools: {} }, { autoResize: false }',
    );
    expect(await view.listTools()).toMatchObject([
      { name: 'move', qualifiedName: 'view__show__move', readOnly: false },
      { name: 'look', readOnly: true },
    ]);
    const moved = await view.callTool('move', { to: 'e4' });
    expect(moved.content).toEqual([{ type: 'text', text: 'move {"to":"e4"}' }]);
    await view.callTool('look');
    expect(asked).toEqual([{ name: 'move', title: 'Move', arguments: { to: 'e4' } }]);
    await view.close();
    await expect(view.callTool('look')).rejects.toMatchObject({ code: 'closed' });
  });

  test('are none of an app that exposes none', async () => {
    const { view } = await show('', '');
    expect(await view.listTools()).toEqual([]);
  });
});

describe('an app that asks to be closed (H19)', () => {
  const ask = `app.requestTeardown(); report('asked');`;

  test.each<[string, HostHandlers]>([
    ['no hook', {}],
    ['a hook that says no', { requestTeardown: () => false }],
  ])('stays, with %s', async (_, handlers) => {
    const { view, server, events } = await show('', ask, handlers);
    await server.report('asked');
    await until(() => events.some(({ type }) => type === 'request_refused'));
    expect(view.status).toBe('ready');
    expect(view.element?.isConnected).toBe(true);
  });

  test('is closed when the host agrees', async () => {
    let agree = (): void => {};
    const asked = new Promise<boolean>((resolve) => (agree = () => resolve(true)));
    const { view } = await show('', ask, { requestTeardown: async () => asked });
    agree();
    await until(() => view.status === 'closed');
  });
});
