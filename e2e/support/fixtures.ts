import { expect, test as base } from '@playwright/test';
import type { DemoUrls } from '../../scripts/lib/start-demo.mjs';
import { startFaultProxy } from './fault-proxy.ts';
import type { Faults } from './fault-proxy.ts';
import { URLS_VARIABLE } from './global-setup.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /**
   * Puts a proxy with these faults between the page and one MCP server.
   * @param target another server to stand in for it
   */
  interfere(server: 'report' | 'runner', faults: Faults, target?: string): Promise<void>;
  /** Errors in the console of any frame, and uncaught exceptions; a test that leaves one fails. */
  consoleErrors: string[];
}

interface WorkerFixtures {
  urls: DemoUrls;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  urls: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, provide) => {
      await provide(JSON.parse(process.env[URLS_VARIABLE] ?? '') as DemoUrls);
    },
    { scope: 'worker' },
  ],

  consoleErrors: [
    async ({ page }, provide) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await provide(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],

  interfere: async ({ page, urls }, provide) => {
    const closers: (() => Promise<void>)[] = [];
    await provide(async (server, faults, target = urls.mcp[server]) => {
      const proxy = await startFaultProxy(target, faults);
      closers.push(proxy.close);
      // To the page it is the same server at the same address.
      await page.route(`${urls.mcp[server]}**`, (route) => route.continue({ url: proxy.url }));
    });
    await Promise.all(closers.map((close) => close()));
  },
});
