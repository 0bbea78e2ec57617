import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from '@playwright/test';
import { tick, type Shown } from './shown.ts';

/*
 * What of server-debug is no button: fields, lists and boxes that change what a button does, and headings that fold
 * a part of the page. By id; the test fails for one that is not here.
 */

type Use = (shown: Shown) => Promise<void>;

const lastOf = async (shown: Shown, type: string): Promise<Record<string, unknown>> => {
  const line = shown.app.locator('.log-entry').last();
  await expect(line.locator('.log-type')).toHaveText(`${type}:`);
  return JSON.parse((await line.locator('.log-payload-full').textContent()) ?? '') as Record<string, unknown>;
};

/** What varies from call to call. */
const stable = (result: Record<string, unknown>): unknown =>
  JSON.parse(
    JSON.stringify(result, (key, value: unknown) =>
      ['timestamp', 'counter', 'processedAt'].includes(key) ? typeof value : value,
    ),
  );

const clients = new WeakMap<Shown, Promise<Client>>();

/** Past the bridge. Its servers keep no sessions, so there is nothing to close. */
async function clientOf(shown: Shown): Promise<Client> {
  const known = clients.get(shown);
  if (known) return known;
  const client = new Client({ name: 'past-the-bridge', version: '1.0.0' });
  const connected = shown
    .server()
    .then((url) => client.connect(new StreamableHTTPClientTransport(new URL(url))))
    .then(() => client);
  clients.set(shown, connected);
  return connected;
}

/** Calls the tool as configured, and once more past the bridge: the view has to get what the server gives. */
async function callsAlike(shown: Shown): Promise<Record<string, unknown>> {
  const calls = shown.host('calls').locator('[data-tool="debug-tool"]');
  const before = await calls.count();
  await shown.press('Clear');
  await shown.press('Call debug-tool');
  await expect(calls).toHaveCount(before + 1);
  const args = await calls.last().innerText();
  const result = await lastOf(shown, 'server-tool-result');
  const direct = await (
    await clientOf(shown)
  ).callTool({
    name: 'debug-tool',
    arguments: JSON.parse(args.slice('debug-tool '.length)) as Record<string, unknown>,
  });
  expect(stable(result)).toEqual(stable(direct));
  return result;
}

const boxes =
  (id: string, seen: (result: Record<string, unknown>) => void, usually = false): Use =>
  async (shown) => {
    await tick(shown, id, !usually);
    seen(await callsAlike(shown));
    await tick(shown, id, usually);
  };

const fold =
  (heading: string): Use =>
  async (shown) => {
    const head = shown.app.locator(`[data-toggle="${heading}"]`);
    await shown.settle();
    const open = await shown.height();
    await head.dispatchEvent('click');
    await expect.poll(() => shown.height()).toBeLessThan(open);
    await head.dispatchEvent('click');
    await expect.poll(() => shown.height()).toBe(open);
  };

export const SETTINGS: Readonly<Record<string, Use>> = {
  'log-filter': async (shown) => {
    await shown.app.locator('#log-filter').selectOption('ontoolresult');
    await expect(shown.app.locator('.log-entry .log-type')).toHaveText(['ontoolresult:']);
    await shown.app.locator('#log-filter').selectOption('all');
  },
  'host-info-content': fold('host-info-content'),
  'callback-status-content': fold('callback-status-content'),
  'actions-content': fold('actions-content'),
  'message-text': async (shown) => {
    await shown.app.locator('#message-text').fill('<b>Grüße</b> 日本語 😀');
    await shown.press('Send Text');
    await expect(shown.latest('messages')).toHaveText('user: <b>Grüße</b> 日本語 😀');
  },
  'log-data': async (shown) => {
    await shown.app.locator('#log-data').fill('another line');
    await shown.press('warning');
    await expect(shown.latest('logs')).toHaveText('warning: "another line"');
  },
  'context-text': async (shown) => {
    await shown.app.locator('#context-text').fill('two rows are selected');
    await shown.press('Update (Text)');
    await expect(shown.host('context')).toHaveText('two rows are selected');
  },
  'link-url': async (shown) => {
    await shown.app.locator('#link-url').fill('javascript:alert(1)');
    await shown.press('Open Link');
    await expect(shown.latest('refused')).toHaveText('ui/open-link: unsafe_link');
    expect(await lastOf(shown, 'open-link-result')).toEqual({ isError: true });
    await expect(shown.host('links').locator('li')).toHaveCount(0);
  },
  'auto-resize-toggle': async (shown) => {
    const head = shown.app.locator('[data-toggle="host-info-content"]');
    await tick(shown, 'auto-resize-toggle', false);
    await shown.settle();
    const reports = await shown.reports();
    await head.dispatchEvent('click');
    await shown.settle();
    expect(await shown.reports()).toBe(reports);
    await tick(shown, 'auto-resize-toggle', true);
    await expect.poll(async () => (await shown.height()) - (await shown.contentHeight())).toBe(0);
    expect(await shown.reports()).toBeGreaterThan(reports);
    await head.dispatchEvent('click');
  },
  'tool-content-type': async (shown) => {
    const types = shown.app.locator('#tool-content-type option');
    for (const type of await types.allInnerTexts()) {
      await shown.app.locator('#tool-content-type').selectOption(type);
      expect((await callsAlike(shown))['content']).not.toEqual([]);
    }
    expect(await types.count()).toBe(6);
    await shown.app.locator('#tool-content-type').selectOption('text');
  },
  'tool-multiple-blocks': boxes('tool-multiple-blocks', ({ content }) => expect(content).toHaveLength(3)),
  'tool-structured-content': boxes(
    'tool-structured-content',
    ({ structuredContent }) => expect(structuredContent).toBeUndefined(),
    true,
  ),
  'tool-include-meta': boxes('tool-include-meta', ({ _meta }) =>
    expect(_meta).toMatchObject({ debugInfo: { serverVersion: '1.0.0' } }),
  ),
  'tool-simulate-error': boxes('tool-simulate-error', ({ isError }) => expect(isError).toBe(true)),
  'tool-delay-ms': async (shown) => {
    await shown.app.locator('#tool-delay-ms').fill('1500');
    // Nothing waits for the slow call: one made right after it is answered first.
    await shown.app.locator('body').evaluate((body) => {
      for (const id of ['call-debug-tool-btn', 'call-debug-refresh-btn'])
        body.querySelector<HTMLElement>(`#${id}`)!.click();
    });
    const results = shown.app.locator('.log-entry:has(.log-type:text("server-tool-result:"))');
    await expect(results.nth(-1)).toContainText('"delayMs": 1500');
    await expect(results.nth(-2)).toContainText('Server timestamp');
    await shown.app.locator('#tool-delay-ms').fill('0');
  },
};
