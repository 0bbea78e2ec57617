import { expect, it } from 'vitest';
import { createManualScheduler } from '../testing/index.ts';
import { createCallClock, MAX_DELAY_MS } from './call-clock.ts';

function bench(timeoutMs: number, idleTimeoutMs: number) {
  const scheduler = createManualScheduler();
  const fired: string[] = [];
  const onTimeout = (code: string): void => void fired.push(`${code} at ${scheduler.now()}`);
  return { scheduler, fired, clock: createCallClock({ timeoutMs, idleTimeoutMs, onTimeout, scheduler }) };
}

it('gives up after the total, whatever arrives', () => {
  const { scheduler, fired, clock } = bench(100, 60);
  for (let i = 0; i < 10; i++) {
    scheduler.advance(20);
    clock.alive();
  }
  expect(fired).toEqual(['timeout at 100']);
  expect(scheduler.pending).toBe(0);
});

it('gives up after silence, counted from the last sign of life', () => {
  const { scheduler, fired, clock } = bench(Infinity, 60);
  scheduler.advance(59);
  clock.alive();
  scheduler.advance(30);
  clock.alive();
  scheduler.advance(59);
  expect(fired).toEqual([]);
  scheduler.advance(1);
  expect(fired).toEqual(['idle_timeout at 149']);
  scheduler.advance(1000);
  expect(fired.length).toBe(1);
});

it('keeps one timer however much arrives', () => {
  const { scheduler, clock } = bench(Infinity, 60);
  for (let i = 0; i < 1000; i++) clock.alive();
  expect(scheduler.pending).toBe(1);
});

it('does not count silence while paused, and starts afresh after it', () => {
  const { scheduler, fired, clock } = bench(Infinity, 60);
  scheduler.advance(50);
  clock.pause();
  scheduler.advance(10_000);
  clock.resume();
  clock.resume();
  scheduler.advance(59);
  expect(fired).toEqual([]);
  scheduler.advance(1);
  expect(fired).toEqual(['idle_timeout at 10110']);
  expect(scheduler.pending).toBe(0);
});

it('lets the total run while paused', () => {
  const { scheduler, fired, clock } = bench(100, 60);
  clock.pause();
  scheduler.advance(100);
  expect(fired).toEqual(['timeout at 100']);
  clock.resume();
  expect(scheduler.pending).toBe(0);
});

it('sets no timer for a limit that no timer can hold', () => {
  expect(bench(Infinity, MAX_DELAY_MS + 1).scheduler.pending).toBe(0);
  expect(bench(MAX_DELAY_MS, MAX_DELAY_MS).scheduler.pending).toBe(2);
});

it('stops for good, twice if need be', () => {
  const { scheduler, fired, clock } = bench(100, 60);
  clock.stop();
  clock.stop();
  clock.pause();
  clock.resume();
  scheduler.advance(1000);
  expect(fired).toEqual([]);
  expect(scheduler.pending).toBe(0);
});
