import puppeteer from 'puppeteer-core';
import type { Results } from '../contract/host/check.ts';
import type { Engine } from './engine.ts';

const executablePath = '/usr/bin/firefox-esr';

/** Firefox ESR over WebDriver BiDi. */
export const firefox: Engine = {
  name: 'firefox',
  packages: ['firefox-esr'],
  needs: [executablePath],
  async open() {
    const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
    const page = await browser.newPage();
    return {
      async goto(url) {
        await page.goto(url);
      },
      results: async () => (await page.evaluate('window.__results')) as Results | undefined,
      close: async () => browser.close(),
    };
  },
};
