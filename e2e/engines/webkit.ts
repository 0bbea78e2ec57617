import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { Builder, Capabilities } from 'selenium-webdriver';
import type { Results } from '../contract/host/check.ts';
import type { Engine } from './engine.ts';

const binary = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

/** WebKitGTK's MiniBrowser by its own WebDriver, on a screen that exists in memory only. */
export const webkit: Engine = {
  name: 'webkit',
  packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
  needs: [binary, '/usr/bin/WebKitWebDriver', '/usr/bin/xvfb-run'],
  async open() {
    const port = await freePort();
    // A group of its own: the screen, the driver and the browser end together.
    const child = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
      stdio: 'ignore',
      detached: true,
    });
    const stop = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    process.once('exit', stop);
    await answering(port);
    const options = { binary, args: ['--automation'] };
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': options,
    });
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(capabilities)
      .build();
    return {
      goto: async (url) => driver.get(url),
      results: async () => driver.executeScript<Results | undefined>('return window.__results'),
      async close() {
        await driver.quit().catch(() => undefined);
        stop();
      },
    };
  },
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver does not answer');
}
