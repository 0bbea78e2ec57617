import { COALESCE_LIMITS, PACE_LIMITS } from '@mcp-apps-bridge/host-bridge';
import { REORDER_LIMITS } from '@mcp-apps-bridge/partial-results/stream';
import type { Page } from '@playwright/test';
import { expect, test } from '../contract/fixtures.ts';
import { launchWithRealTabs } from '../contract/tabs.ts';
import type { BurstReport } from '../contract/host/burst.tsx';
import type { FloodReport, Peaks, PressureApi } from '../contract/host/pressure.ts';

type Answer<K extends keyof PressureApi> = PressureApi[K] extends (...args: never[]) => Promise<infer R>
  ? R
  : never;

test.setTimeout(300_000);

test.beforeEach(async ({ page, contract }) => {
  await page.goto(`${contract}/pressure.html`);
});

function expectUnderCaps({ held, queued, inFlight }: Peaks): void {
  expect(held).toBeLessThanOrEqual(REORDER_LIMITS.maxItems);
  expect(queued).toBeLessThanOrEqual(COALESCE_LIMITS.maxItems);
  expect(inFlight).toBeLessThanOrEqual(PACE_LIMITS.maxFrames);
}

/** Types into the host's own input for as long as a flood lasts; each keystroke must be echoed before the next. */
async function typeMeanwhile(page: Page): Promise<number> {
  await page.waitForFunction('window.__pressure.running');
  const echo = page.locator('#echo');
  let typed = 0;
  while (await page.evaluate('window.__pressure.running')) {
    await page.locator('#message').press('a');
    typed++;
    await expect(echo).toHaveText(String(typed));
  }
  return typed;
}

test('10,000 chunks a second into a slow view: every keystroke in the host is echoed, queues stay under their caps, no false gap, the end is right (case 34)', async ({
  page,
}) => {
  const flood = page.evaluate<FloodReport>(
    'window.__pressure.flood({ chunks: 50_000, perSecond: 10_000, maxChars: 40, applyMs: 5 })',
  );
  const typed = await typeMeanwhile(page);
  const { pushed, peaks, gaps, events, before, fold, after, end, status, forwarded } = await flood;
  expect(typed).toBeGreaterThan(0);
  expectUnderCaps(peaks);
  expect(gaps).toBe(0);
  expect(events).not.toContain('final_only');
  expect(before).toEqual(fold);
  expect(status).toBe('complete');
  expect(after).toEqual(end);
  expect(forwarded).toBeLessThan(pushed / 10);
});

test('a flood of chunks of any size into a slow view: what exceeds the caps is given up and reported, the result is intact (case 34)', async ({
  page,
}) => {
  const flood = page.evaluate<FloodReport>(
    'window.__pressure.flood({ chunks: 10_000, perSecond: 10_000, maxChars: 2_000, applyMs: 20 })',
  );
  const typed = await typeMeanwhile(page);
  const { peaks, gaps, events, after, end, status } = await flood;
  expect(typed).toBeGreaterThan(0);
  expectUnderCaps(peaks);
  expect(gaps).toBe(0);
  expect(events).toContain('history_overflow');
  expect(status).toBe('complete');
  expect(after).toEqual(end);
});

test('100,000 chunks to a view that never initializes: capped, timed out, reported; the next call works (cases 36 and 63)', async ({
  page,
}) => {
  const { events, status, peaks, next } = await page.evaluate<Answer<'neverInitialized'>>(
    'window.__pressure.neverInitialized(100_000)',
  );
  expectUnderCaps(peaks);
  expect(events).toContain('history_overflow');
  expect(events).toContain('failed handshake_timeout');
  expect(events.filter((name) => name === 'send_failed')).toEqual([]);
  expect(status).toBe('failed');
  expect(next).toMatchObject({ lines: ['the next call'] });
});

test('a hidden tab takes 2,000 chunks and the result, and is right at once when shown (case 32)', async ({
  contract,
}) => {
  const browser = await launchWithRealTabs();
  try {
    const [page] = await browser.pages();
    if (!page) throw new Error('the browser has no tab');
    await page.goto(`${contract}/pressure.html`);
    const front = await browser.newPage();
    await front.bringToFront();
    await page.waitForFunction('document.visibilityState === "hidden"', { polling: 200 });
    const hidden = page.evaluate('window.__pressure.whileHidden(2_000)') as Promise<Answer<'whileHidden'>>;
    await page.waitForFunction('window.__pressure.hiddenDone', { polling: 500, timeout: 0 });
    await page.bringToFront();
    const { visibility, state, end } = await hidden;
    const shown = (await page.evaluate('window.__pressure.shown()')) as Answer<'shown'>;
    expect(visibility).toBe('hidden');
    expect(state.status).toBe('complete');
    expect(state.model).toEqual(end);
    expect(state.counters['gaps']).toBe(0);
    expect(shown.visibility).toBe('visible');
    expect(shown.state.page).toBe(state.page);
  } finally {
    await browser.close();
  }
});

test('2,000 chunks into a React host in StrictMode on a slow machine: no nested updates, few renders, the last state (cases 31 and 70)', async ({
  page,
  context,
  contract,
}) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${contract}/burst.html`);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const { chunks, hostRenders, appRenders, gaps, data, status } =
    await page.evaluate<BurstReport>('window.__burst(2_000)');
  expect(chunks).toBeGreaterThan(1_900);
  expect(errors).toEqual([]);
  expect(gaps).toBe(0);
  expect(status).toBe('streaming');
  expect(data).toEqual([{ count: (data as string[])[1] }, (data as string[])[1]]);
  expect(appRenders * 5).toBeLessThan(chunks);
  expect(hostRenders * 5).toBeLessThan(chunks);
});
