import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const DEMO = /(?:announcements|dashboard|hostile|isolation|report|runner|wire)\.spec\.ts$/;

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  globalSetup: './support/global-setup.ts',
  forbidOnly: process.env['CI'] !== undefined,
  retries: 0,
  workers: 2,
  projects: [
    // One worker: these share one demo, whose log of calls some of them read.
    { name: 'demo', testMatch: DEMO, workers: 1 },
    // Pages and servers of their own; two at once would compete for the two cores of a small machine.
    { name: 'pages', testIgnore: DEMO, workers: 1 },
  ],
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
