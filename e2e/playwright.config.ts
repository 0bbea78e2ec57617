import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/global-setup.ts',
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  // One worker: the tests share one demo, and the runner's tests start real child processes.
  workers: 1,
  // Generous: a slow machine is no failure, and no test asserts how long anything took.
  timeout: 150_000,
  expect: { timeout: 60_000 },
  // Ends before the script that runs it would end it, so that there is a report to read.
  globalTimeout: 1_440_000,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    viewport: { width: 1280, height: 900 },
  },
});
