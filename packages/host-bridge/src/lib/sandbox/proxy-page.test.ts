import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { renderProxyPage } from './proxy-page.ts';

const source = fileURLToPath(new URL('proxy-page.ts', import.meta.url));
const config = { hostOrigins: ['https://chat.example'], headers: true, dedicated: false };

type Render = typeof renderProxyPage;

/** As a consumer's bundler leaves it. */
async function renderMinified(): Promise<string> {
  const lib = { entry: source, formats: ['es' as const] };
  const built = await build({
    logLevel: 'silent',
    configFile: false,
    build: { write: false, minify: true, lib },
  });
  const output = Array.isArray(built) ? built[0] : built;
  if (!output || !('output' in output)) throw new Error('nothing was built');
  const url = `data:text/javascript,${encodeURIComponent(output.output[0].code)}`;
  return ((await import(/* @vite-ignore */ url)) as { renderProxyPage: Render }).renderProxyPage(config);
}

/** As tsx runs it: esbuild with names kept. */
async function renderWithKeptNames(): Promise<string> {
  const code = `import { renderProxyPage } from ${JSON.stringify(source)};
    process.stdout.write(renderProxyPage(${JSON.stringify(config)}));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    code,
  ]);
  return stdout;
}

/** Browser globals as far as the scripts use them; any other name throws a ReferenceError. */
function fakeWindow() {
  const listeners: ((event: object) => void)[] = [];
  const posted: { message: Record<string, unknown>; origin: string; ports: unknown[] }[] = [];
  const frames: Record<string, unknown>[] = [];
  const parent = {
    postMessage: (message: Record<string, unknown>, origin: string, ports: unknown[] = []) =>
      posted.push({ message, origin, ports }),
  };
  const element = (): object => ({ setAttribute: () => {}, addEventListener: () => {}, contentWindow: {} });
  const globals: Record<string, unknown> = {
    parent,
    crypto,
    URLSearchParams,
    MessageChannel: class {
      port1 = { close: () => {} };
      port2 = {};
    },
    setTimeout: () => 0,
    clearTimeout: () => {},
    location: { search: '', origin: 'https://sandbox.example' },
    document: {
      title: 'App',
      createElement: element,
      body: { append: (frame: Record<string, unknown>) => frames.push(frame) },
    },
    addEventListener: (_type: string, listener: (event: object) => void) => listeners.push(listener),
  };
  globals['window'] = globals;
  return { context: createContext(globals), listeners, posted, frames, parent };
}

const scriptsOf = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');

describe.each<[string, () => string | Promise<string>]>([
  ['as written', () => renderProxyPage(config)],
  ['minified by a bundler', renderMinified],
  ['compiled with kept names', renderWithKeptNames],
])('the page %s', (_name, render) => {
  test('needs nothing but itself: it announces, mounts, and its shim offers a port', async () => {
    const page = await render();
    expect(page).not.toMatch(/\b(?:src|href)=/);
    const proxy = fakeWindow();
    runInContext(scriptsOf(page)[0] ?? '', proxy.context);
    expect(proxy.posted[0]).toMatchObject({
      message: { method: 'ui/notifications/sandbox-proxy-ready' },
      origin: 'https://chat.example',
    });

    const params = { html: '<p>hi', csp: { connectDomains: ['https://api.example', 'x;y'] } };
    const data = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params };
    for (const listener of proxy.listeners)
      listener({ source: proxy.parent, origin: 'https://chat.example', data });
    const srcdoc = String(proxy.frames[0]?.['srcdoc']);
    expect(srcdoc).toContain("connect-src https://api.example; frame-src 'none'");

    const view = fakeWindow();
    runInContext(scriptsOf(srcdoc)[0] ?? '', view.context);
    expect(view.posted).toMatchObject([
      { message: { nonce: expect.any(String) }, origin: 'https://sandbox.example', ports: [{}] },
    ]);
  });
});

test('keeping names does wrap the nested functions, or the case above would prove nothing', async () => {
  expect(await renderWithKeptNames()).toMatch(/\/\* @__PURE__ \*\/ __name\(|__name\(\(/);
});
