import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import type { App } from './apps.ts';

/** Everything a view can bring about on the host page, counted or as it stands. */
export interface Tally {
  messages: number;
  context: string;
  links: number;
  calls: number;
  logs: number;
  mode: string;
  refused: number;
  /** Events of the bridge that say that something is not as it should be. */
  trouble: string[];
}

/** An app on the host page. */
export interface Shown {
  page: Page;
  /** The app's own document, two frames down. */
  app: FrameLocator;
  /** The frame the host sizes. */
  frame: Locator;
  /** A place on the host page. */
  host(id: string): Locator;
  /** The newest line of a list on the host page. */
  latest(id: string): Locator;
  /** Presses a button, by keyboard: a click can miss what is in a frame that was resized a moment ago. */
  press(name: string): Promise<void>;
  tally(): Promise<Tally>;
  /** The MCP endpoint behind the page. */
  server(): Promise<string>;
  /** Waits until the app reports no further size. A view that never stops makes this fail. */
  settle(): Promise<void>;
  /** Sizes the app reported so far. */
  reports(): Promise<number>;
  height(): Promise<number>;
  /** The height the app's content has by itself, whatever its frame has. */
  contentHeight(): Promise<number>;
  /** How wide the host lets the view be. */
  widen(width: number): Promise<void>;
}

/** How many looks in a row must find the same; longer together than the sizer's own waits. */
const LOOKS = 4;
const LOOK_MS = 200;

export async function openShown(page: Page, host: string, { package: name }: App): Promise<Shown> {
  await page.goto(`${host}/?app=${encodeURIComponent(name)}`);
  const place = (id: string): Locator => page.locator(`#${id}`);
  const frame = page.locator('#view > iframe');
  const reports = async (): Promise<number> =>
    Number((await place('heights').getAttribute('data-reports')) ?? '0');

  await expect(place('status')).toHaveText('ready');
  const app = frame.contentFrame().frameLocator('iframe');
  return {
    page,
    app,
    frame,
    host: place,
    latest: (id) => place(id).locator('li').last(),
    press: async (button) => app.getByRole('button', { name: button, exact: true }).press('Enter'),
    tally: () => page.evaluate(tally),
    async server() {
      const urls = (await (await page.request.get(`${host}/urls.json`)).json()) as {
        servers: Record<string, { url: string }>;
      };
      return urls.servers[name]!.url;
    },
    async settle() {
      let last = -1;
      let looks = 0;
      await expect
        .poll(
          async () => {
            const now = await reports();
            looks = now === last ? looks + 1 : 0;
            last = now;
            return looks;
          },
          { intervals: [LOOK_MS], message: 'looks without a further size report' },
        )
        .toBeGreaterThanOrEqual(LOOKS);
    },
    reports,
    height: async () => (await frame.boundingBox())?.height ?? 0,
    contentHeight: async () => app.locator('html').evaluate(contentHeight),
    async widen(width) {
      await page.evaluate((px) => document.body.style.setProperty('--view-width', px), `${width}px`);
      await expect.poll(async () => (await frame.boundingBox())?.width).toBe(width);
    },
  };
}

/** Runs in the host page. */
function tally(): Tally {
  const lines = (id: string): number => document.querySelectorAll(`#${id} > li`).length;
  return {
    messages: lines('messages'),
    context: document.getElementById('context')!.innerHTML,
    links: lines('links'),
    // server-debug sends every event of its own log to its server, too.
    calls: document.querySelectorAll('#calls > li:not([data-tool="debug-log"])').length,
    logs: lines('logs'),
    mode: document.getElementById('mode')!.innerText,
    refused: lines('refused'),
    trouble: [...document.querySelectorAll('#trouble > li')].map((line) => line.textContent),
  };
}

/** Runs in the app. */
function contentHeight(html: HTMLElement): number {
  const { height } = html.style;
  html.style.height = 'max-content';
  const natural = Math.ceil(html.getBoundingClientRect().height);
  html.style.height = height;
  return natural;
}

/** By keyboard, as buttons are pressed. */
export async function tick(shown: Shown, id: string, wanted: boolean): Promise<void> {
  const box = shown.app.locator(`#${id}`);
  if ((await box.isChecked()) !== wanted) await box.press('Space');
  await expect(box).toBeChecked({ checked: wanted });
}
