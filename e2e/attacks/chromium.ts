import puppeteer from 'puppeteer-core';
import type { Results } from '../contract/host/check.ts';
import type { Engine } from '../engines/engine.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Chromium as the other engines are driven, for the table. The suite itself runs it by Playwright. */
export const chromium: Engine = {
  name: 'chromium',
  packages: ['chromium'],
  needs: [executablePath],
  async open() {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await puppeteer.launch({ browser: 'chrome', executablePath, headless: true, args });
    const page = await browser.newPage();
    /* A tab behind another one paints nothing. */
    await page.bringToFront();
    await page.setViewport({ width: 1280, height: 900 });
    return {
      async goto(url) {
        await page.goto(url);
      },
      results: async () => (await page.evaluate('window.__results')) as Results | undefined,
      close: async () => browser.close(),
    };
  },
};
