import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Results } from '../contract/host/check.ts';
import { finished } from './finished.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page(read: (nth: number) => Partial<Results> | undefined | Promise<never>) {
  let nth = 0;
  return {
    goto: async () => undefined,
    results: async () => (await read(nth++)) as Results | undefined,
    close: async () => undefined,
  };
}
const check = { name: 'one', ok: true, detail: '' };
const found = (count: number): Partial<Results> => ({ checks: Array.from({ length: count }, () => check) });

async function outcome(browser: ReturnType<typeof page>): Promise<unknown> {
  const waiting = finished(browser).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000_000);
  return Promise.race([waiting, Promise.resolve('still waiting')]);
}

test('a page that goes on finding something is waited for', async () => {
  const done = { done: true, ...found(400) };
  expect(await outcome(page((nth) => (nth < 400 ? found(nth) : done)))).toBe(done);
});

test('a page that finds nothing new any more has hung', async () => {
  expect(await outcome(page((nth) => (nth === 0 ? undefined : found(3))))).toMatchObject({
    message: 'the page hangs after 3 checks',
  });
});

test('so has a browser that does not answer', async () => {
  const never = new Promise<never>(() => undefined);
  expect(await outcome(page((nth) => (nth < 5 ? found(nth) : never)))).toMatchObject({
    message: 'the browser answers nothing after 4 checks',
  });
});
