import puppeteer, { type Browser } from 'puppeteer-core';

/**
 * A Chromium in which a tab behind another one is hidden, its timers throttled and its frames not painted, as
 * for a user. Playwright keeps every page visible by an override of its own that a test cannot take back.
 */
export async function launchWithRealTabs(): Promise<Browser> {
  return puppeteer.launch({
    browser: 'chrome',
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ignoreDefaultArgs: [
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
    ],
    protocolTimeout: 280_000,
  });
}
