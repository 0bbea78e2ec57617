import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { until } from '../../testing/proxy-frame.ts';
import { createViewServer, sdkView, type ViewServer } from '../../testing/view-server.ts';
import { createAppView } from './app-view.ts';
import type { AppView, SandboxSettings } from './app-view-types.ts';

/* An app with an origin of its own, and what an app does not get without one (H24). */

const { sandbox } = inject('sandboxServers');
const dedicated = (name: string, path = '/dedicated'): string =>
  `http://${name}.localhost:${new URL(sandbox).port}${path}`;
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

const probe = `
  const attempt2 = (run) => { try { return run(); } catch (error) { return error.name; } };
  report('facts', {
    origin: self.origin,
    camera: document.featurePolicy?.allowsFeature('camera'),
    host: attempt2(() => parent.parent.document.title),
    granted: app.getHostCapabilities().sandbox.permissions,
  });`;

function show(server: ViewServer, settings: Partial<SandboxSettings>): AppView {
  const view = createAppView({
    client: server.client,
    tool: server.tool,
    sandbox: { url: `${sandbox}/proxy`, permissions: ['camera', 'clipboardWrite'], ...settings },
    container,
    limits: { teardownMs: 300 },
  });
  cleanups.push(view.close);
  return view;
}

async function serve(): Promise<ViewServer> {
  const permissions = { camera: {}, clipboardWrite: {} };
  const csp = { resourceDomains: [sandbox] };
  const server = await createViewServer(sdkView(2, '', probe), { _meta: { ui: { permissions, csp } } });
  cleanups.push(server.close);
  return server;
}

test('on an origin of its own an app has an origin and its permissions, and still no way to the host', async () => {
  const server = await serve();
  show(server, { dedicatedUrl: () => dedicated('app1') });
  expect(await server.report('facts')).toEqual({
    origin: new URL(dedicated('app1')).origin,
    camera: true,
    host: 'SecurityError',
    granted: { camera: {}, clipboardWrite: {} },
  });
});

test('on the shared origin it has neither, and is not told that it has', async () => {
  const server = await serve();
  show(server, {});
  expect(await server.report('facts')).toEqual({
    origin: 'null',
    camera: false,
    host: 'SecurityError',
    granted: { clipboardWrite: {} },
  });
});

test('an origin that does not say it is dedicated is none', async () => {
  const view = show(await serve(), { dedicatedUrl: () => dedicated('app2', '/proxy') });
  await until(() => view.status === 'failed');
  expect(view.error).toMatchObject({ code: 'sandbox_misconfigured' });
});
