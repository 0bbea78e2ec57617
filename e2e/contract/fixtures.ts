import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Results } from './host/check.ts';
import { startContract } from './server.ts';

export { expect };

interface WorkerFixtures {
  /** Origin of the contract pages. */
  contract: string;
}

export const test = base.extend<object, WorkerFixtures>({
  contract: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, provide) => {
      const server = await startContract();
      await provide(server.host);
      server.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Opens the page that checks itself and waits for what it found. */
export async function runContract(page: Page, host: string, query: string): Promise<Results> {
  await page.goto(`${host}/?${query}`);
  await page.waitForFunction('window.__results?.done', null, { timeout: 0 });
  return page.evaluate('window.__results');
}

/** Failed checks in words, so that a report says which. */
export const failuresOf = ({ checks }: Results): string[] =>
  checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
