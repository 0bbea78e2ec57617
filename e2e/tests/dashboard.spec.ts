import type { Page } from '@playwright/test';
import { openChat } from '../support/chat.ts';
import { lastCall } from '../support/calls.ts';
import { expect, test } from '../support/fixtures.ts';
import { createGate } from '../support/gate.ts';

const PROMPT = 'Build me a Q2 revenue dashboard';

test('shows its layout before its data, and its data before the final', async ({ page, urls, interfere }) => {
  const data = createGate();
  const final = createGate();
  await interfere('report', {
    async event(message) {
      if (message.includes('"result"')) await final.wait();
      else if (/Reading row [1-9]/.test(message)) await data.wait();
      return [message];
    },
  });
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  const heading = chat.app.getByRole('heading', { name: 'Revenue by week' });
  const insight = chat.app.getByText('was the strongest');

  await expect(heading).toBeVisible();
  await chat.expectStatus('streaming');
  expect(await chat.content()).not.toContain('$');

  data.open();
  await expect(insight).toBeVisible();
  await expect(chat.app.getByRole('rowheader', { name: 'Total' })).toBeVisible();
  await chat.expectStatus('streaming');
  const streamed = await chat.content();

  final.open();
  await chat.expectStatus('complete');
  // The final changes nothing that was on screen: it only confirms it.
  await expect.poll(() => chat.content()).toBe(streamed);
  expect(await chat.figure('received')).toBeGreaterThan(3);
  expect(await chat.figure('rejected')).toBe(0);
  expect(await chat.figure('gaps')).toBe(0);
});

test('ends in the same state with partials switched off, and from a server that knows none (S17, S18)', async ({
  page,
  urls,
  interfere,
}) => {
  const end = async (options: { partials?: 'off' }): Promise<{ content: string; received: number }> => {
    const chat = await openChat(page, urls.host, { prompt: PROMPT, ...options });
    await chat.expectStatus('complete');
    await expect(chat.app.getByText('was the strongest')).toBeVisible();
    return { content: await settled(() => chat.content()), received: await chat.figure('received') };
  };

  const streamed = await end({});
  const off = await end({ partials: 'off' });
  await interfere('report', { request: withoutOptIn });
  const stock = await end({});

  expect(streamed.received).toBeGreaterThan(3);
  expect(off).toEqual({ content: streamed.content, received: 0 });
  expect(stock).toEqual({ content: streamed.content, received: 0 });
});

test('a choice on the dashboard goes to the server and updates the surface', async ({ page, urls }) => {
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  await chat.expectStatus('complete');
  await expect(chat.app.getByRole('heading', { name: 'Revenue by region' })).toBeVisible();
  const before = await chat.content();

  await chat.app.getByRole('button', { name: 'Europe' }).click();

  await expect(chat.app.getByRole('heading', { name: 'Revenue by product' })).toBeVisible();
  await expect(chat.app.getByText('Q2 2025 revenue · Europe')).toBeVisible();
  expect(await chat.content()).not.toBe(before);
  // The first call has not run again: an action updates what is there.
  expect((await lastCall(urls.mcp.report, 'generate_dashboard')).state).toBe('finished');
});

test('follows the theme of the host in mid-stream without starting over (case 94)', async ({
  page,
  urls,
  interfere,
}) => {
  const rest = createGate();
  await interfere('report', {
    async event(message, nth) {
      if (nth >= 3) await rest.wait();
      return [message];
    },
  });
  await page.emulateMedia({ colorScheme: 'light' });
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  const body = chat.app.locator('body');
  await expect(chat.app.getByRole('heading').first()).toBeVisible();
  await body.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  const ink = (): Promise<string> => body.evaluate((element) => getComputedStyle(element).color);
  const light = await ink();

  await page.getByRole('button', { name: /theme|dark/i }).click();
  await expect.poll(ink).not.toBe(light);
  // A frame whose scheme is not that of the page in it is painted opaque: its corner shows.
  const box = await page.locator('iframe').boundingBox();
  const header = await page.locator('.card header').boundingBox();
  const alike = async (): Promise<boolean> =>
    (await pixel(page, box!.x + 2, box!.y + 2)) === (await pixel(page, header!.x + 4, header!.y + 20));
  await expect.poll(alike).toBe(true);

  rest.open();
  await chat.expectStatus('complete');
  expect(await body.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  expect(await chat.figure('gaps')).toBe(0);
});

test('keeps its place on a narrow screen when the call ends', async ({ page, urls, interfere }) => {
  const final = createGate();
  await interfere('report', {
    async event(message) {
      if (message.includes('"result"')) await final.wait();
      return [message];
    },
  });
  await page.setViewportSize({ width: 375, height: 740 });
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  await expect(chat.app.getByRole('heading').first()).toBeVisible();
  const place = async (): Promise<number> => {
    const [card, frame] = await Promise.all(
      ['.card', 'iframe'].map((one) => page.locator(one).boundingBox()),
    );
    return frame!.y - card!.y;
  };
  const streaming = await place();
  final.open();
  await chat.expectStatus('complete');
  expect(await place()).toBe(streaming);
});

test('keeps its place when the call is cancelled, and says that it is incomplete', async ({
  page,
  urls,
  interfere,
}) => {
  const final = createGate();
  await interfere('report', {
    async event(message) {
      if (message.includes('"result"')) await final.wait();
      return [message];
    },
  });
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  const heading = chat.app.getByRole('heading').first();
  await expect(chat.app.getByText('was the strongest')).toBeVisible();
  const streaming = await heading.boundingBox();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await chat.expectStatus('cancelled');
  await expect(chat.app.getByRole('alert')).toContainText('What is shown is incomplete.');
  expect(await heading.boundingBox()).toEqual(streaming);
  final.open();
});

/** What a server of today makes of the call: it looks at neither key. */
function withoutOptIn<T extends { params?: Record<string, unknown> }>(message: T): T {
  const { partialResultToken: _, ...meta } = (message.params?.['_meta'] ?? {}) as Record<string, unknown>;
  const capabilities = meta['io.modelcontextprotocol/clientCapabilities'] as
    | Record<string, unknown>
    | undefined;
  if (!capabilities || !('partialResults' in capabilities)) return message;
  const { partialResults: __, ...rest } = capabilities;
  return {
    ...message,
    params: { ...message.params, _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': rest } },
  };
}

/** One point of the page as a picture: equal for equal colours. */
async function pixel(page: Page, x: number, y: number): Promise<string> {
  return (await page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString('base64');
}

/** The value once two reads in a row agree: numbers on the dashboard count up to their value. */
async function settled(read: () => Promise<string>): Promise<string> {
  let value = await read();
  await expect
    .poll(async () => {
      const before = value;
      value = await read();
      return value === before;
    })
    .toBe(true);
  return value;
}
