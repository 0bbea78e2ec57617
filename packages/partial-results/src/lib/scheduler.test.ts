import { describe, expect, it } from 'vitest';
import { createManualScheduler } from '../testing/index.ts';
import { systemScheduler, type Scheduler } from './scheduler.ts';

const inOrder = (scheduler: Scheduler, settle: () => Promise<void> | void) => async () => {
  const ran: string[] = [];
  const cancelTimer = scheduler.delay(1, () => ran.push('cancelled timer'));
  const cancelTask = scheduler.macrotask(() => ran.push('cancelled task'));
  scheduler.macrotask(() => {
    ran.push('task');
    scheduler.delay(2, () => ran.push('timer'));
  });
  cancelTimer();
  cancelTask();
  cancelTask();
  expect(ran).toEqual([]);
  await settle();
  expect(ran).toEqual(['task', 'timer']);
};

describe('schedulers', () => {
  it(
    'the real one runs tasks and timers, and forgets what was cancelled',
    inOrder(systemScheduler, () => new Promise((resolve) => void setTimeout(resolve, 50))),
  );

  const manual = createManualScheduler();
  it(
    'so does the one turned by hand',
    inOrder(manual, () => manual.advance(10)),
  );

  it('the hand-turned one keeps the order of time and of arrival', () => {
    const scheduler = createManualScheduler();
    const ran: number[] = [];
    scheduler.delay(20, () => ran.push(3));
    scheduler.delay(10, () => {
      ran.push(1);
      scheduler.delay(10, () => ran.push(4));
      scheduler.macrotask(() => ran.push(2));
    });
    scheduler.advance(20);
    expect(ran).toEqual([1, 2, 3, 4]);
    expect(scheduler.now()).toBe(20);
    expect(scheduler.pending).toBe(0);
  });
});
