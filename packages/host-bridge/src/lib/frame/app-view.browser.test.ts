import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openProxy, scriptedView, settle, strangerLog, until } from '../../testing/proxy-frame.ts';
import { createViewServer, sdkView, type ViewServer } from '../../testing/view-server.ts';
import { createToolOutput } from '../stream/output.ts';
import type { ToolOutput } from '../stream/output-types.ts';
import { createAppView } from './app-view.ts';
import type { AppView, AppViewEvent, AppViewOptions } from './app-view-types.ts';

const { other, sandbox } = inject('sandboxServers');
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

interface Shown {
  view: AppView;
  server: ViewServer;
  events: AppViewEvent[];
  statuses(): string[];
  ready(): Promise<unknown>;
}

async function show(
  html: string,
  options: Partial<AppViewOptions> = {},
  content: object = {},
): Promise<Shown> {
  const server = await createViewServer(html, content);
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
  return {
    view,
    server,
    events,
    statuses: () => events.flatMap((event) => (event.type === 'view_status' ? [event.status] : [])),
    ready: async () => until(() => view.status === 'ready'),
  };
}

/** A view that speaks the protocol by hand, so that each message it hears can be told apart. */
const manualView = (script: string): string =>
  scriptedView(`
    const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
    const heard = [];
    hear((data) => heard.push(data.method ?? 'answer ' + data.id));
    const answer = (id) => new Promise((resolve) => hear((data) => { if (data.id === id && !data.method) resolve(data); }));
    const initialize = async (id = 'init') => {
      send({ id, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: 'm', version: '1' }, appCapabilities: {} } });
      return answer(id);
    };
    const initialized = () => send({ method: 'ui/notifications/initialized' });
    let next = 0;
    const report = (event, data = null) => send({ id: 'r' + next++, method: 'tools/call', params: { name: 'report', arguments: { event, data } } });
    ${script}`);

function streamed(): ToolOutput {
  const output = createToolOutput({ modes: { content: 'append' } });
  output.input({ topic: 'Q2' });
  for (const [seq, text] of ['one ', 'two '].entries()) {
    output.push({ partialResultToken: 't', seq, content: [{ type: 'text', text }] });
  }
  return output;
}

describe.each([1, 2] as const)('a view built with ext-apps %i.x', (version) => {
  test('shakes hands, and gets input, chunks and result in that order', async () => {
    const partial =
      version === 2
        ? `app.setNotificationHandler('ui/notifications/tool-output-partial', { params: anything }, note('chunk'));`
        : `app.fallbackNotificationHandler = async (n) => note('chunk')(n.params);`;
    const output = streamed();
    const { server, view, ready, statuses } = await show(
      sdkView(
        version,
        `const seen = [];
         const anything = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
         const note = (name) => (params) => {
           seen.push([name, params.arguments ?? params.content ?? null]);
           if (name === 'result') report('seen', seen);
         };
         app.ontoolinput = note('input');
         app.ontoolresult = note('result');
         ${partial}`,
        `report('host', { context: app.getHostContext(), capabilities: app.getHostCapabilities(), info: app.getHostVersion() });`,
      ),
      { call: output, hostContext: { theme: 'dark', locale: 'ar-EG' } },
    );
    await ready();
    const { context, capabilities, info } = (await server.report('host')) as Record<
      string,
      Record<string, unknown>
    >;
    expect(context).toMatchObject({
      theme: 'dark',
      locale: 'ar-EG',
      displayMode: 'inline',
      toolInfo: { tool: { name: 'show' } },
      containerDimensions: { width: container.clientWidth, maxHeight: 4000 },
    });
    expect(capabilities).toMatchObject({
      experimental: { 'io.github.mcp-apps-bridge/tool-output-partial': { version: 1 } },
      serverTools: {},
    });
    expect(capabilities).not.toHaveProperty('openLinks');
    expect(info).toMatchObject({ name: '@mcp-apps-bridge/host-bridge' });
    await until(() => (view.counters?.forwarded ?? 0) > 0);
    output.finish({ content: [{ type: 'text', text: 'one two three' }] });
    const seen = (await server.report('seen')) as [string, unknown][];
    expect(seen[0]).toEqual(['input', { topic: 'Q2' }]);
    expect(seen.slice(1, -1).map(([name]) => name)).toEqual(
      Array.from({ length: seen.length - 2 }, () => 'chunk'),
    );
    expect(
      seen
        .slice(1, -1)
        .flatMap(([, blocks]) => (blocks as { text: string }[]).map(({ text }) => text))
        .join(''),
    ).toBe('one two ');
    expect(seen.at(-1)).toEqual(['result', [{ type: 'text', text: 'one two three' }]]);
    expect(statuses()).toEqual(['loading', 'connecting', 'ready']);
  });

  test('is asked to finish before it goes, and its frame goes with it', async () => {
    const { server, view, ready, events } = await show(
      sdkView(version, `app.onteardown = async () => { await report('bye'); return {}; };`),
    );
    await ready();
    await view.close();
    expect(server.reports).toEqual([['bye', null]]);
    expect(events).toContainEqual({ type: 'teardown', outcome: 'acknowledged' });
    expect([view.status, container.childElementCount]).toEqual(['closed', 0]);
  });

  test('without a teardown handler counts as ready to go', async () => {
    const { view, ready, events } = await show(sdkView(version, ''));
    await ready();
    await view.close();
    expect(events).toContainEqual({ type: 'teardown', outcome: 'no_handler' });
  });

  test('hears of changes of the host context', async () => {
    const { server, view, ready } = await show(
      sdkView(version, `app.onhostcontextchanged = (changes) => report('changed', changes);`),
    );
    await ready();
    view.setHostContext({ theme: 'dark' });
    expect(await server.report('changed')).toEqual({ theme: 'dark' });
    expect(view.element?.style.colorScheme).toBe('dark');
  });
});

describe('handshake', () => {
  test('nothing but answers reaches a view before it says initialized; then all that was due, in order', async () => {
    const output = streamed();
    const { server, view } = await show(
      manualView(`
        await initialize();
        await new Promise((resolve) => setTimeout(resolve, 100));
        const before = [...heard];
        initialized();
        await new Promise((resolve) => hear((data) => data.method === 'ui/notifications/tool-result' && resolve()));
        report('heard', { before, after: heard.slice(before.length) });`),
      { call: output },
    );
    await until(() => view.status === 'connecting');
    view.setHostContext({ theme: 'dark' });
    output.finish({ content: [] });
    const { before, after } = (await server.report('heard')) as Record<string, string[]>;
    expect(before).toEqual(['answer init']);
    expect(after?.filter((method) => method.includes('tool-'))).toEqual([
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
    ]);
  });

  test('a second instance in the same document gets the stream from its beginning', async () => {
    const { server, statuses } = await show(
      manualView(`
        const epochs = [];
        hear(({ method, params }) => {
          if (method === 'ui/notifications/tool-output-partial') epochs.push([params.seq, params.partialResultToken]);
        });
        await initialize('first'); initialized();
        await new Promise((resolve) => setInterval(() => epochs.length > 0 && resolve(), 10));
        const first = epochs.splice(0);
        await initialize('second'); initialized();
        await new Promise((resolve) => setInterval(() => epochs.length > 0 && resolve(), 10));
        report('epochs', { first, second: epochs });`),
      { call: streamed() },
    );
    const { first, second } = (await server.report('epochs')) as Record<string, [number, string][]>;
    expect([first?.[0]?.[0], second?.[0]?.[0]]).toEqual([0, 0]);
    expect(statuses()).toEqual(['loading', 'connecting', 'ready', 'connecting', 'ready']);
  });

  test('a frame that is moved in the document shakes hands again and gets the stream again', async () => {
    const output = streamed();
    const { server, view, ready } = await show(
      sdkView(
        2,
        `app.ontoolinput = (input) => report('input', input); app.ontoolresult = (result) => report('result', result);`,
      ),
      { call: output },
    );
    await ready();
    await server.report('input');
    const elsewhere = document.createElement('section');
    container.append(elsewhere);
    elsewhere.append(view.element!);
    await until(() => server.reports.filter(([event]) => event === 'input').length === 2);
    output.finish({ content: [{ type: 'text', text: 'end' }] });
    expect(await server.report('result')).toMatchObject({ content: [{ type: 'text', text: 'end' }] });
  });

  test('a view that left its document is lost, hears nothing, and can be loaded again', async () => {
    const key = `lost-${Date.now()}`;
    const output = streamed();
    const { server, view, ready } = await show(
      sdkView(
        2,
        `app.ontoolresult = (result) => report('result', result);
        app.onhostcontextchanged = () => { location.href = '${other}/page?key=${key}'; };`,
      ),
      { call: output },
      { _meta: { ui: { csp: { resourceDomains: [sandbox], frameDomains: [other] } } } },
    );
    await ready();
    view.setHostContext({ theme: 'dark' });
    await until(() => view.status === 'lost');
    expect(view.error).toMatchObject({ code: 'view_lost' });
    expect(view.element).toBeUndefined();
    output.push({ partialResultToken: 't', seq: 2, content: [{ type: 'text', text: 'secret' }] });
    output.finish({ content: [{ type: 'text', text: 'secret' }] });
    await settle();
    expect((await strangerLog(key)).filter((line) => line.startsWith('/heard'))).toEqual([]);
    view.reload();
    await ready();
    expect(await server.report('result')).toMatchObject({ content: [{ text: 'secret' }] });
  });
});

describe('failure is a status with a code', () => {
  const fails: [
    name: string,
    code: string,
    options: Partial<AppViewOptions>,
    html?: string,
    content?: object,
  ][] = [
    [
      'a sandbox that is not there',
      'handshake_timeout',
      { sandbox: { url: `${sandbox}/nothing` }, limits: { handshakeMs: 300 } },
    ],
    [
      'a page that is no sandbox',
      'handshake_timeout',
      { sandbox: { url: `${other}/page` }, limits: { handshakeMs: 300 } },
    ],
    [
      'a sandbox that redirects to another origin',
      'sandbox_misconfigured',
      { sandbox: { url: `${sandbox}/redirect` } },
    ],
    ['a sandbox for another host', 'sandbox_refused', { sandbox: { url: `${sandbox}/strict` } }],
    [
      'an app that breaks before its handshake',
      'handshake_timeout',
      { limits: { handshakeMs: 300 } },
      '<script>throw new Error()</script>',
    ],
    ['another mime type', 'ui_mime_unsupported', {}, '', { mimeType: 'text/html' }],
    [
      'a resource that is not there',
      'ui_read_failed',
      { tool: { name: 'x', _meta: { ui: { resourceUri: 'ui://test/none' } } } },
    ],
  ];
  test.each(fails)('%s: %s', async (_name, code, options, html = '<p>', content = {}) => {
    const { view, events } = await show(html, options, content);
    await until(() => view.status === 'failed');
    expect(view.error).toMatchObject({ code });
    expect(events.filter((event) => event.type === 'view_status' && event.status === 'failed')).toHaveLength(
      1,
    );
    expect(container.childElementCount).toBe(0);
  });

  test.each<[string, Partial<AppViewOptions>, string]>([
    ['a sandbox on the page itself', { sandbox: { url: `${self.origin}/sandbox` } }, 'sandbox_misconfigured'],
    ['a tool without a view', { tool: { name: 'x' } }, 'ui_not_declared'],
    [
      'a view that is not ui://',
      { tool: { name: 'x', _meta: { ui: { resourceUri: 'https://x' } } } },
      'ui_uri_invalid',
    ],
    ['a misspelt limit', { limits: { handshakems: 1 } as object }, 'invalid_option'],
  ])('%s throws at once', async (_name, options, code) => {
    await expect(show('<p>', options)).rejects.toMatchObject({ code });
    expect(container.childElementCount).toBe(0);
  });
});

describe('requests of the view', () => {
  test('it may call the tools that are visible to apps, and no other', async () => {
    const { server, events } = await show(
      sdkView(
        2,
        '',
        `for (const name of ['for-app', 'for-both', 'for-model', 'absent']) {
        const answer = await attempt(() => app.callServerTool({ name, arguments: { name }, _meta: { progressToken: 'mine', secret: 1 } }));
        await report(name, answer.content?.[0].text ?? answer);
      }`,
      ),
    );
    await server.report('absent');
    expect(Object.fromEntries(server.reports)).toEqual({
      'for-app': 'did for-app',
      'for-both': 'did for-both',
      'for-model': expect.stringContaining('not available to apps') as string,
      absent: expect.stringContaining('no such tool') as string,
    });
    expect(server.calls.map(({ name, args }) => [name, args])).toEqual([
      ['for-app', { name: 'for-app' }],
      ['for-both', { name: 'for-both' }],
    ]);
    expect(JSON.stringify(server.calls)).not.toMatch(/mine|secret/);
    expect(events).toContainEqual({
      type: 'request_refused',
      method: 'tools/call',
      reason: 'not_visible_to_app',
      detail: 'for-model',
    });
    expect(events).toContainEqual({
      type: 'request_refused',
      method: 'tools/call',
      reason: 'unknown_tool',
      detail: 'absent',
    });
  });

  test.each<[string, () => boolean | Promise<boolean>]>([
    ['says no', () => false],
    [
      'throws',
      () => {
        throw new Error('internal name');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('internal name'))],
  ])('a consent hook that %s keeps the tool from being called', async (_name, hook) => {
    const { server, events } = await show(
      sdkView(
        2,
        '',
        `await report('answer', await attempt(() => app.callServerTool({ name: 'for-app', arguments: {} })));`,
      ),
      { handlers: { allowToolCall: ({ name }) => name === 'report' || hook() } },
    );
    expect(await server.report('answer')).toMatch(/declined/);
    expect(server.calls).toEqual([]);
    expect(events).toContainEqual({
      type: 'request_refused',
      method: 'tools/call',
      reason: 'declined',
      detail: 'for-app',
    });
    expect(JSON.stringify(server.reports)).not.toContain('internal name');
  });

  test('it may read and list the resources of its server', async () => {
    const { server } = await show(
      sdkView(
        2,
        '',
        `await report('read', (await app.readServerResource({ uri: 'ui://test/view' })).contents[0].mimeType);
        await report('list', (await app.listServerResources()).resources.map(({ uri }) => uri));`,
      ),
    );
    expect(await server.report('read')).toBe('text/html;profile=mcp-app');
    expect(await server.report('list')).toEqual(['ui://test/view']);
  });

  test('links open after consent, and only http and https ones are asked about', async () => {
    const asked: string[] = [];
    const { server } = await show(
      sdkView(
        2,
        '',
        `const answers = [];
        for (const url of ['https://a.example/', 'javascript:alert(1)', 'https://no.example/', ' JAVASCRIPT:alert(1)', 'data:text/html,x'])
          answers.push((await app.openLink({ url })).isError === true);
        await report('answers', answers);`,
      ),
      {
        handlers: {
          openLink: (url) => {
            asked.push(url);
            return url.includes('no.example') ? false : 'handled';
          },
        },
      },
    );
    expect(await server.report('answers')).toEqual([false, true, true, true, true]);
    expect(asked).toEqual(['https://a.example/', 'https://no.example/']);
  });

  test('messages go to the hook, and model context is kept, the last one only', async () => {
    const messages: unknown[] = [];
    const { server, view } = await show(
      sdkView(
        2,
        '',
        `const content = [{ type: 'text', text: 'hi' }];
        const answer = await app.sendMessage({ role: 'user', content });
        await app.updateModelContext({ content: [{ type: 'text', text: 'old' }] });
        await app.updateModelContext({ structuredContent: { now: 1 } });
        await report('answer', answer);`,
      ),
      { handlers: { message: (message) => void messages.push(message) } },
    );
    expect(await server.report('answer')).toEqual({});
    expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
    expect(view.takeModelContext()).toEqual({ structuredContent: { now: 1 } });
    expect(view.takeModelContext()).toBeUndefined();
  });

  test('what no hook takes is refused', async () => {
    const { server } = await show(
      sdkView(
        2,
        '',
        `await report('answers', [
        (await app.sendMessage({ role: 'user', content: [] })).isError, (await app.openLink({ url: 'https://a.example' })).isError,
        (await app.requestDisplayMode({ mode: 'fullscreen' })).mode ]);`,
        `{ availableDisplayModes: ['inline', 'fullscreen'] }, { autoResize: false }`,
      ),
    );
    expect(await server.report('answers')).toEqual([true, true, 'inline']);
  });

  test('the display mode changes only to one that both sides offer', async () => {
    const { server, view } = await show(
      sdkView(
        2,
        '',
        `const modes = [];
        for (const mode of ['pip', 'fullscreen']) modes.push((await app.requestDisplayMode({ mode })).mode);
        await report('modes', [...modes, app.getHostContext().displayMode]);`,
        `{ availableDisplayModes: ['inline', 'fullscreen'] }, { autoResize: false }`,
      ),
      {
        hostContext: { availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
        handlers: { displayMode: (mode) => mode },
      },
    );
    expect(await server.report('modes')).toEqual(['inline', 'fullscreen', 'fullscreen']);
    expect(view.element?.style.height).toBe('100%');
  });

  test('the height follows the view, and nobody else', async () => {
    const { view, ready } = await show(
      sdkView(2, '', `app.sendSizeChanged({ width: 9999, height: 321.5 });`),
    );
    await ready();
    await until(() => view.element?.style.height === '322px');
    expect(view.element?.style.width).toBe('100%');
    const sibling = document.createElement('iframe');
    sibling.srcdoc = `<script>parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 77 } }, '*');
      parent.postMessage('sent', '*')</script>`;
    document.body.append(sibling);
    cleanups.push(() => sibling.remove());
    await new Promise((resolve) =>
      addEventListener('message', ({ data }) => data === 'sent' && resolve(undefined)),
    );
    await settle();
    expect(view.element?.style.height).toBe('322px');
  });

  test('a view that fills its frame settles while it takes 100 chunks (case 71)', async () => {
    const output = createToolOutput({ modes: { content: 'append' } });
    output.input({});
    const { server, view, ready } = await show(
      sdkView(2, `app.ontoolresult = () => report('done');`, '', '{}, { autoResize: true }').replace(
        '<html>',
        '<html style="height:100%"><style>body{height:100%;margin:0;border:1px solid}</style>',
      ),
      { call: output },
    );
    await ready();
    // The first report may have come with the handshake.
    const heights = [view.element!.style.height].filter((height) => height !== '');
    const observer = new MutationObserver(() => {
      const height = view.element?.style.height ?? '';
      if (height !== heights.at(-1)) heights.push(height);
    });
    observer.observe(view.element!, { attributes: true, attributeFilter: ['style'] });
    for (let seq = 0; seq < 100; seq++) {
      output.push({ partialResultToken: 't', seq, content: [{ type: 'text', text: 'x' }] });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    output.finish({ content: [] });
    await server.report('done');
    await settle();
    const settled = heights.length;
    await settle();
    observer.disconnect();
    expect(settled).toBeGreaterThan(0);
    expect(settled).toBeLessThanOrEqual(4);
    expect(heights).toHaveLength(settled);
  });

  test('a view that grows below the reader does not move the page (case 73)', async () => {
    const scroller = document.createElement('div');
    Object.assign(scroller.style, { height: '300px', overflow: 'auto' });
    const above = document.createElement('div');
    above.style.height = '2000px';
    const place = document.createElement('div');
    scroller.append(above, place);
    container.append(scroller);
    const { view, ready } = await show(
      sdkView(
        2,
        '',
        `for (let height = 200; height <= 3000; height += 100) {
          await app.sendSizeChanged({ height });
          await new Promise((resolve) => setTimeout(resolve, 20));
        }`,
      ),
      { container: place },
    );
    scroller.scrollTop = 150;
    await ready();
    const tops = new Set<number>();
    await until(() => {
      tops.add(scroller.scrollTop);
      return view.element?.style.height === '3000px';
    });
    expect([...tops, scroller.scrollTop]).toEqual([150, 150]);
  });

  test('a view that asks to be closed is closed if the host agrees', async () => {
    const { view } = await show(sdkView(2, `app.onteardown = () => ({});`, `app.requestTeardown();`), {
      handlers: { requestTeardown: () => true },
    });
    await until(() => view.status === 'closed');
    expect(container.childElementCount).toBe(0);
  });

  test('log lines reach hook and events', async () => {
    const lines: unknown[] = [];
    const { events } = await show(sdkView(2, '', `app.sendLog({ level: 'info', data: { n: 1 } });`), {
      handlers: { log: (entry) => void lines.push(entry) },
    });
    await until(() => lines.length > 0);
    expect(lines).toEqual([{ level: 'info', data: { n: 1 } }]);
    expect(events).toContainEqual({ type: 'view_log', level: 'info', data: { n: 1 } });
  });
});

describe('lifetime', () => {
  test('a view that ignores teardown is removed all the same, once', async () => {
    const { view, ready, events } = await show(manualView('await initialize(); initialized();'));
    await ready();
    const first = view.close();
    expect(view.close()).not.toBe(undefined);
    await Promise.all([first, view.close()]);
    expect(events.filter(({ type }) => type === 'teardown')).toEqual([
      { type: 'teardown', outcome: 'no_answer' },
    ]);
    expect(container.childElementCount).toBe(0);
  });

  test('closed while it loads or connects, it leaves nothing behind', async () => {
    const added: unknown[] = [];
    const add = window.addEventListener;
    const remove = window.removeEventListener;
    window.addEventListener = (...args: Parameters<typeof add>) => {
      if (args[0] === 'message') added.push(args[1]);
      add.apply(window, args);
    };
    window.removeEventListener = (...args: Parameters<typeof remove>) => {
      if (args[0] === 'message') added.splice(added.indexOf(args[1]), 1);
      remove.apply(window, args);
    };
    cleanups.push(() => Object.assign(window, { addEventListener: add, removeEventListener: remove }));
    for (let i = 0; i < 20; i++) {
      const { view, statuses } = await show(sdkView(2, ''), { call: streamed() });
      if (i % 2 === 0) await until(() => view.status === 'connecting');
      await view.close();
      expect(statuses().at(-1)).toBe('closed');
    }
    await settle();
    expect(added).toEqual([]);
    expect(container.childElementCount).toBe(0);
  });

  test('the same call shown again is not sent again; nothing is shown after close', async () => {
    const output = streamed();
    const { server, view, ready } = await show(
      sdkView(
        2,
        `let inputs = 0; app.ontoolinput = () => inputs++;
      app.ontoolresult = () => report('inputs', inputs);`,
      ),
      { call: output },
    );
    await ready();
    for (let i = 0; i < 10; i++) view.show(output);
    output.finish({ content: [] });
    expect(await server.report('inputs')).toBe(1);
    await view.close();
    expect(() => view.show(streamed())).toThrow(expect.objectContaining({ code: 'closed' }) as Error);
  });
});

describe('what the frame is given', () => {
  test('its flags, name and nothing it was not granted', async () => {
    const ui = {
      csp: { connectDomains: ['https://api.example', 'x;y', other] },
      permissions: { clipboardWrite: {}, camera: {} },
    };
    const { view, ready, events } = await show(
      manualView('await initialize(); initialized();'),
      {
        sandbox: {
          url: `${sandbox}/proxy`,
          permissions: ['clipboardWrite'],
          allowDomain: (domain) => domain !== other,
        },
      },
      { _meta: { ui } },
    );
    await ready();
    const { element } = view;
    expect(element?.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms');
    expect([element?.title, element?.referrerPolicy, element?.allow]).toEqual([
      'Test view',
      'no-referrer',
      'clipboard-write',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'csp_applied',
        external: ['https://api.example'],
        policy: expect.stringContaining('connect-src https://api.example;') as string,
        rejected: [
          expect.objectContaining({ value: 'x;y' }) as object,
          { list: 'connectDomains', value: other, reason: 'refused by the embedder' },
        ],
      }),
    );
  });

  test('a sandbox page without header works and is reported', async () => {
    const { ready, events } = await show(sdkView(2, ''), { sandbox: { url: `${sandbox}/static` } });
    await ready();
    expect(events.filter(({ type }) => type === 'sandbox_without_header')).toHaveLength(1);
  });
});

test('the proxy serves a host that runs on the SDK alone', async () => {
  const { AppBridge, PostMessageTransport } = await import('@modelcontextprotocol/ext-apps/app-bridge');
  const proxy = openProxy('/proxy');
  cleanups.push(proxy.remove);
  const window = proxy.element.contentWindow!;
  const bridge = new AppBridge(null, { name: 'stock', version: '1' }, {});
  const initialized = new Promise((resolve) => bridge.addEventListener('initialized', resolve));
  bridge.addEventListener('sandboxready', () => {
    void bridge.sendSandboxResourceReady({ html: sdkView(2, ''), csp: { resourceDomains: [sandbox] } });
  });
  await bridge.connect(new PostMessageTransport(window, window));
  cleanups.push(async () => bridge.close());
  await initialized;
  expect(bridge.getAppVersion()).toEqual({ name: 'test-view', version: '1.0.0' });
});
