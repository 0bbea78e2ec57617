import { expect, type Page } from '@playwright/test';
import { tick, type Shown, type Tally } from './shown.ts';

/** What pressing a button must bring about, on the host page unless it says otherwise. */
export interface Effect {
  /** The only fact about the host that changes. */
  changes?: Exclude<keyof Tally, 'refused' | 'trouble'>;
  /** Puts the app or the host where the effect can be told. */
  before?(shown: Shown): Promise<void>;
  sees(shown: Shown, opened: Page | undefined): Promise<void>;
  /** A tab opens. */
  opens?: true;
}

/** By the button's text: a button an app has is in its table, or the test fails. */
export type Buttons = Readonly<Record<string, Effect>>;

const LINKED = 'https://modelcontextprotocol.io/';

const openLink: Effect = {
  changes: 'links',
  opens: true,
  async sees(shown, opened) {
    await expect(shown.latest('links')).toHaveText(LINKED);
    await expect(opened!).toHaveTitle('The linked page');
    expect(opened!.url()).toBe(LINKED);
    // The tab cannot reach back, and does not learn where it was opened from.
    expect(await opened!.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
  },
};

const timeOf = (shown: Shown): Promise<string> => shown.app.locator('code').innerText();

/** server-basic-react and server-basic-vanillajs show the same. */
export const BASIC: Buttons = {
  'Get Server Time': {
    changes: 'calls',
    async sees(shown) {
      await expect(shown.latest('calls')).toHaveText('get-time {}');
      // What the view shows is what the server answered it, later than the host's own call.
      await expect.poll(() => timeOf(shown)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await expect.poll(() => timeOf(shown)).not.toBe(await shown.host('result').innerText());
    },
  },
  'Send Message': {
    changes: 'messages',
    sees: (shown) => expect(shown.latest('messages')).toHaveText('user: This is message text.'),
  },
  'Send Log': {
    changes: 'logs',
    sees: (shown) => expect(shown.latest('logs')).toHaveText('info: "This is log text."'),
  },
  'Open Link': openLink,
};

/** The newest line of server-debug's own log: what the host answered it. */
const answered = async (shown: Shown, type: string, payload: string | RegExp): Promise<void> => {
  const line = shown.app.locator('.log-entry').last();
  await expect(line.locator('.log-type')).toHaveText(`${type}:`);
  await expect(line.locator('.log-payload-preview')).toHaveText(payload);
};

/** An image that decodes, not only an element. */
const imageIn = async (shown: Shown, id: string): Promise<void> => {
  await expect(shown.host(id).locator('img').last()).toHaveJSProperty('naturalWidth', 1);
};

const log = (level: string): Effect => ({
  changes: 'logs',
  sees: (shown) => expect(shown.latest('logs')).toHaveText(`${level}: "Debug log data"`),
});

const mode = (name: string, sees: (shown: Shown) => Promise<void>): Effect => ({
  changes: 'mode',
  async sees(shown) {
    await expect(shown.host('mode')).toHaveText(name);
    await sees(shown);
    // The view was told in its context, and got the mode that results as its answer.
    await expect(shown.app.locator('#host-context-info dt:text("Display Mode") + dd')).toHaveText(name);
    await answered(shown, 'display-mode-result', `{"mode":"${name}","result":{"mode":"${name}"}}`);
  },
});

const box = (shown: Shown): Promise<unknown> => shown.frame.boundingBox();

const resize = (width: number, height: number): Effect => ({
  // The app would go back to the size of its content with the next line in its log.
  before: (shown) => tick(shown, 'auto-resize-toggle', false),
  async sees(shown) {
    await expect.poll(() => shown.height()).toBe(height);
    await expect(shown.latest('heights')).toHaveText(`${height}px`);
    // The host fills its column: the width is the host's.
    expect(await box(shown)).toMatchObject({ width: 820 });
    await answered(shown, 'manual-resize', JSON.stringify({ width, height }));
  },
});

/** In the order of the page; what is pressed first is seen when what follows is pressed. */
export const DEBUG: Buttons = {
  Clear: {
    async before(shown) {
      await expect(shown.app.locator('.log-entry').first()).toBeVisible();
    },
    sees: (shown) => expect(shown.app.locator('.log-entry')).toHaveCount(0),
  },
  'Send Text': {
    changes: 'messages',
    async sees(shown) {
      await expect(shown.latest('messages')).toHaveText('user: Hello from debug app!');
      await answered(shown, 'send-message-result', '{}');
    },
  },
  'Send Test Image': {
    changes: 'messages',
    async sees(shown) {
      await imageIn(shown, 'messages');
      await answered(shown, 'send-message-result', '{}');
    },
  },
  debug: log('debug'),
  info: log('info'),
  warning: log('warning'),
  error: log('error'),
  'Update (Text)': {
    changes: 'context',
    sees: (shown) => expect(shown.host('context')).toHaveText('Current app state info'),
  },
  'Update (Structured)': {
    changes: 'context',
    sees: (shown) => expect(shown.host('context')).toHaveText(/^\{"debugState":\{"eventCount":\d+,.*\}\}$/),
  },
  'Update (Image)': {
    changes: 'context',
    async sees(shown) {
      await imageIn(shown, 'context');
      // Of three updates the model gets the last, and that once (H20).
      await shown.host('turn').click();
      await shown.host('turn').click();
      await expect(shown.host('turns').locator('li')).toHaveCount(2);
      await expect(shown.host('turns').locator('li').first().locator('img')).toHaveCount(1);
      await expect(shown.host('turns').locator('li')).toHaveText(['', '']);
      await expect(shown.host('turns').locator('li').last().locator('img')).toHaveCount(0);
    },
  },
  Fullscreen: mode('fullscreen', async (shown) =>
    expect.poll(() => box(shown)).toEqual({ x: 0, y: 0, ...shown.page.viewportSize() }),
  ),
  PiP: mode('pip', async (shown) => expect.poll(() => box(shown)).toMatchObject({ width: 480, height: 320 })),
  Inline: mode('inline', async (shown) => expect.poll(() => shown.height()).toBeGreaterThan(1_000)),
  'Open Link': openLink,
  '200x100': resize(200, 100),
  '400x300': resize(400, 300),
  '800x600': resize(800, 600),
  'Call debug-tool': {
    changes: 'calls',
    async before(shown) {
      await tick(shown, 'auto-resize-toggle', true);
      // Back to the size of the content.
      await expect.poll(() => shown.height()).toBeGreaterThan(1_000);
    },
    async sees(shown) {
      await expect(shown.latest('calls').and(shown.page.locator('[data-tool="debug-log"]'))).toBeVisible();
      await expect(shown.host('calls').locator('[data-tool="debug-tool"]')).toHaveText(
        /"contentType":"text"/,
      );
      await answered(shown, 'server-tool-result', /^\{.*"text":"Debug text content"/);
    },
  },
  'Call debug-refresh': {
    changes: 'calls',
    async sees(shown) {
      // A tool the model never sees (H8).
      await expect(shown.host('calls').locator('[data-tool="debug-refresh"]')).toHaveText('debug-refresh {}');
      await answered(shown, 'server-tool-result', /"text":"Server timestamp: /);
    },
  },
};
