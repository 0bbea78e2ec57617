import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test as base } from '@playwright/test';
import type { App } from './apps.ts';
import { openShown, type Shown } from './shown.ts';

export { expect };

interface Fixtures {
  /** Errors and warnings in the console of any frame, policy violations among them, and uncaught exceptions. */
  complaints: string[];
  /** Opens the host page with an app in a tab of its own and waits until its view is there. */
  show(app: App): Promise<Shown>;
}

interface WorkerFixtures {
  /** Origin of the host page. */
  host: string;
}

/** Where every app's link leads when nobody edits it; no test leaves the machine. */
const LINKED = 'https://modelcontextprotocol.io/';

export const test = base.extend<Fixtures, WorkerFixtures>({
  host: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, provide) => {
      const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
      const child = spawn(process.execPath, ['--import', 'tsx', script], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      child.stderr.on('data', (data) => (output += String(data)));
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const host = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (line.startsWith('{')) resolve((JSON.parse(line) as { host: string }).host);
        });
        void ended.then((code) => reject(new Error(`the servers ended with ${code}: ${output}`)));
      });
      await provide(host);
      child.kill('SIGTERM');
      await ended;
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  complaints: [
    async ({ context }, provide) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await provide(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],

  show: async ({ context, host }, provide) => {
    await context.route(`${LINKED}**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>The linked page</title>' }),
    );
    await provide(async (app) => openShown(await context.newPage(), host, app));
  },
});
