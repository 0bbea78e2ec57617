import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { mutantPlugins } from './scripts/lib/mutant-plugin.mjs';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  test: {
    projects: [
      {
        plugins: mutantPlugins(),
        test: {
          name: 'unit',
          globalSetup: ['packages/partial-results/src/testing/fixture-servers.ts'],
          include: [
            '{packages/*,demo,conformance}/src/**/*.test.{ts,tsx}',
            'packages/host-bridge/corpus/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/lib/*.test.ts',
            'e2e/{chain,engines}/**/*.test.ts',
          ],
          exclude: ['**/*.browser.test.{ts,tsx}', '**/dist/**', '**/node_modules/**'],
          testTimeout: 30_000,
        },
      },
      {
        plugins: mutantPlugins(),
        test: {
          name: 'browser',
          globalSetup: ['packages/host-bridge/src/testing/sandbox-server.ts'],
          include: [
            '{packages/*,demo}/src/**/*.browser.test.{ts,tsx}',
            'packages/host-bridge/corpus/*.browser.test.ts',
            'e2e/soak/**/*.browser.test.ts',
          ],
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath, args } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
