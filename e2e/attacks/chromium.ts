import { chromium as playwright } from '@playwright/test';
import type { Results } from '../contract/host/check.ts';
import type { Engine } from '../engines/engine.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Chromium for the table, as the suite runs it: a page stays visible behind the windows it opens. */
export const chromium: Engine = {
  name: 'chromium',
  packages: ['chromium'],
  needs: [executablePath],
  async open() {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await playwright.launch({ executablePath, args });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    return {
      async goto(url) {
        await page.goto(url);
      },
      results: async () => page.evaluate<Results | undefined>('window.__results'),
      close: async () => browser.close(),
    };
  },
};
