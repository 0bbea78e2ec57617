import { expect } from '@playwright/test';
import type { FrameLocator, Locator, Page } from '@playwright/test';

/** The demo's figures; see its strip under a call. */
export type Figure = 'received' | 'merged' | 'applied' | 'gaps' | 'bytes' | 'rejected';

/** One page of the demo's chat, driven as a user does. */
export interface Chat {
  page: Page;
  /** The last call of the transcript. */
  call: Locator;
  /** The document of its app. */
  app: FrameLocator;
  expectStatus(status: 'streaming' | 'complete' | 'cancelled' | 'failed'): Promise<void>;
  figure(name: Figure): Promise<number>;
  /** What the app shows, as assistive technology reads it; shadow roots included. */
  content(): Promise<string>;
}

/** Opens the host page and, where a prompt is given, lets it run at once. */
export async function openChat(
  page: Page,
  host: string,
  options: { prompt?: string; partials?: 'off' } = {},
): Promise<Chat> {
  const query = new URLSearchParams({ ...options });
  await page.goto(`${host}/?${query}`);
  const call = page.locator('section[aria-busy]').last();
  const app = call.frameLocator('iframe').frameLocator('iframe');
  return {
    page,
    call,
    app,
    expectStatus: (status) => expect(call.getByRole('status')).toHaveAttribute('data-status', status),
    figure: async (name) => Number(await call.locator(`[data-figure="${name}"]`).getAttribute('data-value')),
    content: () => app.locator('body').ariaSnapshot(),
  };
}
