import { afterEach, describe, expect, inject, test } from 'vitest';
import {
  mountView,
  openProxy,
  scriptedView,
  settle,
  strangerLog,
  until,
  type ProxyFrame,
} from '../../testing/proxy-frame.ts';

const { other, sandbox } = inject('sandboxServers');
const open: ProxyFrame[] = [];
let keys = 0;
const newKey = (): string => `proxy-${Date.now()}-${keys++}`;

afterEach(() => {
  for (const proxy of open.splice(0)) proxy.remove();
});

async function show(
  script: string,
  options: { path?: string; csp?: object; extra?: object } = {},
): Promise<ProxyFrame> {
  const proxy = openProxy(options.path ?? '/proxy', options.csp);
  open.push(proxy);
  await mountView(proxy, scriptedView(script), { csp: options.csp, ...options.extra });
  return proxy;
}

describe('relay', () => {
  test('carries requests, answers and notifications both ways, but for sandbox messages', async () => {
    const proxy = await show(`
      hear((data) => tell('test/echo', { data }));
      tell('ui/notifications/sandbox-view-lost', { reason: 'forged' });
      parent.postMessage('noise', '*');
      parent.postMessage({ jsonrpc: '1.0', method: 'test/old' }, '*');
      parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'test/request' }, '*');
    `);
    expect(await proxy.first('test/request')).toEqual({ jsonrpc: '2.0', id: 1, method: 'test/request' });
    const answer = { jsonrpc: '2.0', id: 1, result: { nested: [1, 'é', null] } };
    proxy.post('noise');
    proxy.post({
      jsonrpc: '2.0',
      method: 'ui/notifications/sandbox-resource-ready',
      params: { html: 'second' },
    });
    proxy.post(answer);
    expect((await proxy.first('test/echo')).params).toEqual({ data: answer });
    await settle();
    expect(
      proxy.received.map(({ method }) => method).filter((method) => !method?.endsWith('proxy-ready')),
    ).toEqual(['test/request', 'test/echo']);
  });

  test('keeps the order of a long run of messages', async () => {
    const proxy = await show(`const seen = [];
      hear(({ params }) => { seen.push(params.n); if (params.n === 999) tell('test/seen', { seen }); });
      tell('test/ready');`);
    await proxy.first('test/ready');
    for (let n = 0; n < 1000; n++) proxy.post({ jsonrpc: '2.0', method: 'test/n', params: { n } });
    expect((await proxy.first('test/seen')).params?.['seen']).toEqual(
      Array.from({ length: 1000 }, (_, n) => n),
    );
  });

  test('shows messages as coming from the parent', async () => {
    const proxy =
      await show(`hear((data, event) => tell('test/event', { origin: event.origin, type: event.type }));
      tell('test/ready');`);
    await proxy.first('test/ready');
    proxy.post({ jsonrpc: '2.0', method: 'test/x' });
    expect((await proxy.first('test/event')).params).toEqual({ origin: sandbox, type: 'message' });
  });

  test('announces itself until it is answered, so that a host that listens late misses nothing (case 62)', async () => {
    const proxy = openProxy('/proxy');
    open.push(proxy);
    const ready = await until(() => {
      const all = proxy.received.filter(({ method }) => method === 'ui/notifications/sandbox-proxy-ready');
      return all.length >= 3 && all;
    });
    expect(new Set(ready.map(({ params }) => params?.['instance'])).size).toBe(1);
    await mountView(proxy, scriptedView(`tell('test/ready')`));
    await proxy.first('test/ready');
  });
});

describe('isolation', () => {
  test('the view has an opaque origin and reaches neither DOM, cookies nor storage of the frames above', async () => {
    document.cookie = 'hostSecret=1';
    localStorage.setItem('hostSecret', '1');
    const proxy = await show(`tell('test/report', {
      origin: self.origin,
      parent: await attempt(() => parent.document.title),
      top: await attempt(() => parent.parent.document.title),
      frame: await attempt(() => frameElement === null),
      cookie: await attempt(() => document.cookie),
      local: await attempt(() => localStorage.length),
      session: await attempt(() => sessionStorage.length),
      database: await attempt(() => new Promise((done, fail) => {
        const request = indexedDB.open('x'); request.onerror = () => fail(request.error); request.onsuccess = done;
      })),
      navigation: await attempt(() => { parent.parent.location = 'about:blank'; }),
    })`);
    expect((await proxy.first('test/report')).params).toEqual({
      origin: 'null',
      parent: 'SecurityError',
      top: 'SecurityError',
      frame: 'true',
      cookie: 'SecurityError',
      local: 'SecurityError',
      session: 'SecurityError',
      database: 'SecurityError',
      navigation: 'SecurityError',
    });
    expect(document.cookie).toContain('hostSecret');
  });

  test('what the host passes as sandbox cannot give the view an origin, the top or a popup', async () => {
    const sandboxTokens =
      'allow-scripts allow-same-origin allow-top-navigation allow-popups allow-popups-to-escape-sandbox';
    const proxy = await show(
      `tell('test/report', { origin: self.origin, popup: String(open('about:blank')),
        navigation: await attempt(() => { parent.parent.location = 'about:blank'; }) })`,
      { extra: { sandbox: sandboxTokens } },
    );
    expect((await proxy.first('test/report')).params).toEqual({
      origin: 'null',
      popup: 'null',
      navigation: 'SecurityError',
    });
  });

  test.each(['/proxy', '/static'])('%s: the network is closed but for declared origins', async (path) => {
    const key = newKey();
    const script = `tell('test/report', { fetched: await attempt(async () => (await fetch('${other}/hit?key=${key}')).text()) });
      const image = new Image(); image.src = '${other}/image?key=${key}';`;
    const closed = await show(script, { path });
    expect((await closed.first('test/report')).params).toEqual({ fetched: 'TypeError' });
    const opened = await show(script, { path, csp: { connectDomains: [other], resourceDomains: [other] } });
    expect((await opened.first('test/report')).params).toEqual({ fetched: 'noted' });
    await until(async () => (await strangerLog(key)).includes('/image'));
    expect(await strangerLog(key)).toEqual(['/hit', '/image']);
  });

  test.each(['/proxy', '/static'])('%s: eval is refused', async (path) => {
    const proxy = await show(`tell('test/report', { evaluated: await attempt(() => eval('1')) })`, { path });
    expect((await proxy.first('test/report')).params).toEqual({ evaluated: 'EvalError' });
  });

  test('a form fires submit, and cannot be posted', async () => {
    const key = newKey();
    const proxy = await show(`
      await new Promise((resolve) => addEventListener('load', resolve));
      document.body.insertAdjacentHTML('beforeend', '<form action="${other}/form" method="get"><input name="key" value="${key}"></form>');
      const form = document.querySelector('form');
      addEventListener('securitypolicyviolation', () => tell('test/blocked'));
      form.addEventListener('submit', () => tell('test/submit'));
      form.requestSubmit();
    `);
    await proxy.first('test/submit');
    /* The browser reports the block to the document or, if it is quicker to replace it by an error page, cannot. */
    const ends = new Set(['test/blocked', 'ui/notifications/sandbox-view-lost']);
    await until(() => proxy.received.some(({ method = '' }) => ends.has(method)));
    await settle();
    expect(await strangerLog(key)).toEqual([]);
  });

  test('the document is in standards mode and keeps its own attributes', async () => {
    const proxy =
      await show(`tell('test/report', { mode: document.compatMode, lang: document.documentElement.lang,
      scripts: document.scripts.length })`);
    expect((await proxy.first('test/report')).params).toEqual({ mode: 'CSS1Compat', lang: 'fr', scripts: 1 });
  });
});

describe('strangers', () => {
  test('a sibling frame can speak to neither the view nor, as the view, to the host', async () => {
    const proxy = await show(`hear((data) => tell('test/echo', { data })); tell('test/ready')`);
    await proxy.first('test/ready');
    const sibling = document.createElement('iframe');
    sibling.srcdoc = '<p>';
    document.body.append(sibling);
    await new Promise((resolve) => sibling.addEventListener('load', resolve));
    const speak = (target: string): unknown =>
      (sibling.contentWindow as unknown as { eval(code: string): unknown }).eval(
        `${target}.postMessage({ jsonrpc: '2.0', method: 'test/forged', params: {} }, '*')`,
      );
    const index = Array.from({ length: frames.length }, (_, i) => i).find(
      (i) => frames[i] === proxy.element.contentWindow,
    );
    speak(`parent.frames[${index}]`);
    speak(`parent.frames[${index}].frames[0]`);
    speak('parent');
    await settle();
    expect(proxy.received.some(({ method }) => method === 'test/forged' || method === 'test/echo')).toBe(
      false,
    );
    proxy.post({ jsonrpc: '2.0', method: 'test/genuine' });
    expect((await proxy.first('test/echo')).params).toEqual({
      data: { jsonrpc: '2.0', method: 'test/genuine' },
    });
    sibling.remove();
  });

  test('a frame inside the view cannot speak as the view', async () => {
    const proxy = await show(`
      const forged = "{ jsonrpc: '2.0', method: 'test/forged', params: {} }";
      const nested = document.createElement('iframe');
      nested.srcdoc = '<script>parent.parent.postMessage(' + forged + ", '*'); parent.parent.parent.postMessage(" + forged + ", '*');" +
        "parent.postMessage('done', '*')<" + '/script>';
      addEventListener('message', (event) => { if (event.data === 'done') tell('test/done'); });
      document.body.append(nested);
    `);
    await proxy.first('test/done');
    await settle();
    expect(proxy.received.some(({ method }) => method === 'test/forged')).toBe(false);
  });

  test('a view that navigates its frame to a page it may load hears nothing more and is reported lost', async () => {
    const key = newKey();
    const proxy = await show(
      `hear((data) => { tell('test/echo', { data }); location.href = '${other}/page?key=${key}'; }); tell('test/ready')`,
      { csp: { frameDomains: [other] } },
    );
    await proxy.first('test/ready');
    for (let n = 0; n < 200; n++) {
      proxy.post({ jsonrpc: '2.0', method: 'test/secret', params: { n } });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await proxy.first('ui/notifications/sandbox-view-lost')).params).toEqual({ reason: 'navigated' });
    const lostAt = proxy.received.length;
    for (let n = 0; n < 20; n++) proxy.post({ jsonrpc: '2.0', method: 'test/secret', params: { n } });
    await settle();
    expect(await strangerLog(key)).toEqual(['/page']);
    expect(proxy.received.slice(lostAt)).toEqual([]);
  });

  test('the page it went to would have told, had it been posted to', async () => {
    const key = newKey();
    const frame = document.createElement('iframe');
    frame.src = `${other}/page?key=${key}`;
    document.body.append(frame);
    await new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.contentWindow?.postMessage('control', '*');
    expect(
      await until(async () => (await strangerLog(key)).find((line) => line.startsWith('/heard'))),
    ).toContain('control');
    frame.remove();
  });

  test('a view that navigates before it has loaded hears nothing either', async () => {
    const key = newKey();
    const proxy = await show(`location.href = '${other}/page?key=${key}'`, {
      csp: { frameDomains: [other] },
    });
    await until(async () => (await strangerLog(key)).includes('/page'));
    for (let n = 0; n < 50; n++) proxy.post({ jsonrpc: '2.0', method: 'test/secret', params: { n } });
    await settle();
    expect(await strangerLog(key)).toEqual(['/page']);
    await proxy.first('ui/notifications/sandbox-view-lost');
  });

  test('a view cannot navigate to a page it did not declare', async () => {
    const key = newKey();
    const proxy = await show(`location.href = '${other}/page?key=${key}'`);
    await settle();
    expect(await strangerLog(key)).toEqual([]);
    expect(proxy.received.some(({ method }) => method === 'ui/notifications/size-changed')).toBe(false);
  });

  test('a page of another origin than the host named in the proxy can frame a file, but not use it', async () => {
    const csp = { connectDomains: [other] };
    const view = (key: string): string => scriptedView(`fetch('${other}/?key=${key}')`);
    const [ours, strange] = [newKey(), newKey()];
    for (const [key, host] of [
      [ours, self.origin],
      [strange, 'http://localhost:1'],
    ] as const) {
      const proxy = openProxy('/static', undefined, host);
      open.push(proxy);
      await new Promise((resolve) => proxy.element.addEventListener('load', resolve));
      const params = { html: view(key), csp };
      proxy.post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params });
    }
    await until(async () => (await strangerLog(ours)).length > 0);
    await settle();
    expect(await strangerLog(strange)).toEqual([]);
  });

  test('a port that comes later, without the word of the first document, gets nothing', async () => {
    const proxy = await show(`
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => tell('test/stolen');
      parent.postMessage({ nonce: '' }, '*', [port2]);
      hear((data) => tell('test/echo', { data }));
      tell('test/ready');
    `);
    await proxy.first('test/ready');
    proxy.post({ jsonrpc: '2.0', method: 'test/genuine' });
    await proxy.first('test/echo');
    expect(proxy.received.some(({ method }) => method === 'test/stolen')).toBe(false);
  });

  test('a view that writes its document anew, and with it what would tell of a navigation away, is lost', async () => {
    const proxy = await show(
      `hear(() => { document.open(); document.write('<p>anew'); document.close(); }); tell('test/ready')`,
    );
    await proxy.first('test/ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
    proxy.post({ jsonrpc: '2.0', method: 'test/go' });
    expect((await proxy.first('ui/notifications/sandbox-view-lost')).params).toEqual({ reason: 'navigated' });
  });

  test('a view that reloads itself is lost', async () => {
    const proxy = await show(`hear(() => location.reload()); tell('test/ready')`);
    await proxy.first('test/ready');
    proxy.post({ jsonrpc: '2.0', method: 'test/reload' });
    await proxy.first('ui/notifications/sandbox-view-lost');
  });
});

describe('misconfiguration', () => {
  test('a host that is not served is told so', async () => {
    const proxy = openProxy('/strict');
    open.push(proxy);
    expect((await proxy.first('ui/notifications/sandbox-error')).params).toEqual({
      code: 'unknown_host',
      message: expect.stringContaining('Add its origin to hostOrigins') as string,
    });
  });

  test('a page without header says that it has none', async () => {
    const proxy = openProxy('/static');
    open.push(proxy);
    expect((await proxy.first('ui/notifications/sandbox-proxy-ready')).params).toMatchObject({
      headers: false,
    });
  });

  test('a page that names another host as its only one cannot be framed here', async () => {
    const proxy = openProxy('/proxy', undefined, 'http://localhost:1');
    open.push(proxy);
    await settle();
    expect(proxy.received).toEqual([]);
  });
});
