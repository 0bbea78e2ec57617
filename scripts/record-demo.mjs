#!/usr/bin/env node
/*
 * Makes the animated picture of the README: starts the demo, asks for the dashboard, takes pictures
 * of the page while it grows and writes those that differ as docs/streaming-dashboard.gif.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { launchOptions } from './lib/chromium.mjs';
import { encodeGif } from './lib/gif.mjs';
import { startDemo } from './lib/start-demo.mjs';

const OUTPUT = fileURLToPath(new URL('../docs/streaming-dashboard.gif', import.meta.url));
const PROMPT = 'Build me a Q2 revenue dashboard';
const SIZE = { width: 1000, height: 1240 };
const MAX_BYTES = 2_000_000;

const demo = await startDemo();
const browser = await chromium.launch(await launchOptions());
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.goto(`${demo.urls.host}/?prompt=${encodeURIComponent(PROMPT)}`);
  const gif = encodeGif(await record(page));
  if (gif.length > MAX_BYTES)
    throw new Error(`${gif.length} bytes, more than the ${MAX_BYTES} a README should load`);
  mkdirSync(dirname(OUTPUT), { recursive: true });
  writeFileSync(OUTPUT, gif);
  console.log(`${OUTPUT}: ${gif.length} bytes`);
} finally {
  await browser.close();
  await demo.stop();
}

/**
 * Pictures until the call is complete, and one after it.
 * @param {import('playwright').Page} page
 */
async function record(page) {
  const done = page.locator('[role="status"][data-status="complete"]');
  /** @type {{ png: Buffer, at: number }[]} */
  const shots = [];
  for (let complete = false; !complete;) {
    complete = await done.isVisible();
    shots.push({ png: await page.screenshot({ animations: 'disabled' }), at: Date.now() });
  }
  await page.waitForTimeout(500);
  shots.push({ png: await page.screenshot({ animations: 'disabled' }), at: Date.now() });
  return shots;
}
