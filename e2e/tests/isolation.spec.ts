import type { Frame, Page } from '@playwright/test';
import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';

/** What the expression gives in a frame, or the name of what it throws. */
function attempt(frame: Frame, expression: string): Promise<unknown> {
  return frame.evaluate(`(async () => {
    try { return await (${expression}); } catch (error) { return error.name; }
  })()`);
}

async function appFrame(page: Page, host: string): Promise<Frame> {
  const chat = await openChat(page, host, { prompt: 'Build me a Q2 revenue dashboard' });
  await expect(chat.app.getByRole('heading').first()).toBeVisible();
  const handle = await chat.app.locator('body').elementHandle();
  const frame = await handle?.ownerFrame();
  if (!frame) throw new Error('the app has no frame');
  return frame;
}

test('the app reads neither the DOM, nor the cookies, nor the storage of the host (H9)', async ({
  page,
  urls,
}) => {
  await page.goto(urls.host);
  await page.evaluate(() => {
    document.cookie = 'secret=1';
    localStorage.setItem('secret', '1');
  });
  const frame = await appFrame(page, urls.host);

  expect(await attempt(frame, 'self.origin')).toBe('null');
  for (const reach of ['top.document', 'parent.document', 'frameElement.ownerDocument', 'top.localStorage']) {
    expect(await attempt(frame, reach), reach).toMatch(/SecurityError|TypeError/);
  }
  for (const own of [
    'document.cookie',
    'localStorage.length',
    'sessionStorage.length',
    'indexedDB.open("x")',
  ]) {
    expect(await attempt(frame, own), own).toBe('SecurityError');
  }
  expect(await page.evaluate(() => [document.cookie, localStorage.getItem('secret')])).toEqual([
    'secret=1',
    '1',
  ]);
});

test('the app reaches no network, no other frame by name, and cannot leave its frame (H4, H5)', async ({
  page,
  urls,
  consoleErrors,
}) => {
  const frame = await appFrame(page, urls.host);

  expect(await attempt(frame, `fetch(${JSON.stringify(urls.host)})`)).toBe('TypeError');
  expect(await attempt(frame, `fetch(${JSON.stringify(urls.mcp.report)}, { method: 'POST' })`)).toBe(
    'TypeError',
  );
  expect(await attempt(frame, 'String(open("about:blank"))')).toBe('null');
  expect(await attempt(frame, 'top.location = "about:blank"')).toBe('SecurityError');
  // What the browser says about each refusal is what was asked for here, and nothing else was said.
  const refusals = consoleErrors.splice(0);
  expect(
    refusals.filter((line) => !/Content Security Policy|sandboxed|Blocked opening|navigate/i.test(line)),
  ).toEqual([]);
  expect(page.url()).toContain(urls.host);
});
