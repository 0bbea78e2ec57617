import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { launchOptions } from '../../scripts/lib/chromium.mjs';
import { profileTargets, type Profile } from './profile.ts';
import type { Servers } from './serve.ts';

/** A host page that takes jobs. */
export interface OpenPage {
  run<T>(job: string, options?: unknown): Promise<T>;
  close(): Promise<void>;
}

/** A page with a debugger, for what only that can tell or do. */
export interface DebuggedPage extends OpenPage {
  /** Seconds the main thread of the host page's process has been busy since it began. */
  busySeconds(): Promise<number>;
  /** Puts another tab in front. The page is then hidden as for a user. */
  hide(): Promise<void>;
  show(): Promise<void>;
  /** Runs a job and tells where each process spent its time. The frames it uses must be there already. */
  profile(job: string, options?: unknown): Promise<Profile[]>;
}

const COMMON = ['--enable-precise-memory-info', '--js-flags=--expose-gc', '--no-first-run', '--mute-audio'];

let pages = 0;

/**
 * A browser that nobody debugs: an attached debugger is told of each console message, which is what made the
 * bundled transport of ext-apps look half as fast as it is.
 */
export async function openPage(servers: Servers): Promise<OpenPage> {
  const { executablePath, args } = await launchOptions();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const id = `p${++pages}`;
  const child = spawn(
    executablePath,
    [
      ...args,
      ...COMMON,
      '--headless=new',
      '--disable-gpu',
      '--window-size=1280,900',
      `--user-data-dir=${folder}`,
      `${servers.host}/?page=${id}`,
    ],
    { stdio: 'ignore', detached: true },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  process.once('exit', stop);
  return {
    run: async <T>(job: string, options: unknown = {}) => (await servers.ask(id, job, options)) as T,
    async close() {
      stop();
      process.off('exit', stop);
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

export async function openDebuggedPage(servers: Servers): Promise<DebuggedPage> {
  const { executablePath, args } = await launchOptions();
  const browser = await puppeteer.launch({
    executablePath,
    headless: true,
    args: [...args, ...COMMON],
    defaultViewport: { width: 1_280, height: 900 },
    /* Else no tab would ever be hidden. */
    ignoreDefaultArgs: [
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
    ],
    protocolTimeout: 280_000,
  });
  const [page] = await browser.pages();
  if (!page) throw new Error('the browser has no tab');
  const id = `p${++pages}`;
  await page.goto(`${servers.host}/?page=${id}`);
  return {
    run: async <T>(job: string, options: unknown = {}) => (await servers.ask(id, job, options)) as T,
    async busySeconds() {
      const { TaskDuration } = await page.metrics();
      return TaskDuration ?? NaN;
    },
    async hide() {
      const front = await browser.newPage();
      await front.bringToFront();
      await page.waitForFunction('document.visibilityState === "hidden"', { polling: 200 });
    },
    show: () => page.bringToFront(),
    profile: async (job, options = {}) =>
      profileTargets(browser, async () => void (await servers.ask(id, job, options))),
    close: () => browser.close(),
  };
}
