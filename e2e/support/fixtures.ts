import { test as base } from '@playwright/test';
import type { DemoUrls } from '../../scripts/lib/start-demo.mjs';
import { URLS_VARIABLE } from './global-setup.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /** Lines of the console that are errors, and uncaught exceptions, of every frame. Empty at the end of a test. */
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
});
