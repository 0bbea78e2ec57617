import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './debian.mjs';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const PLACES = [
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of a Chromium or Chrome: `CHROMIUM_PATH`, one on the `PATH`, one in a usual place, or the one
 * Playwright installed.
 * @returns {Promise<string | undefined>}
 */
export async function findChromium() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return isExecutable(named) ? named : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
  return candidates.find(isExecutable) ?? playwrightChromium();
}

/**
 * Finds a browser or installs one: the distribution's package where this process may, Playwright's
 * own build elsewhere.
 * @param {(line: string) => void} log
 * @returns {Promise<string | undefined>} undefined when no way worked
 */
export async function ensureChromium(log) {
  const found = await findChromium();
  if (found) return found;
  if (await installPackages(['chromium'], log)) {
    const installed = await findChromium();
    if (installed) return installed;
  }
  log('installing Chromium with Playwright');
  const { code, output } = await run('npx', ['playwright', 'install', 'chromium']);
  if (code !== 0) log(output.trimEnd());
  return findChromium();
}

/**
 * How Playwright starts the browser that was found.
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function launchOptions() {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error('no Chromium found; install one or set CHROMIUM_PATH');
  // Chromium refuses to run its own sandbox as root, which is what containers run as.
  return { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Playwright is a dependency, so it may not be there yet. */
async function playwrightChromium() {
  try {
    const { chromium } = await import('playwright');
    const path = chromium.executablePath();
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
