import { expect, it } from 'vitest';
import { systemScheduler } from './scheduler.ts';

it('macrotasks in a browser run in order, after messages already queued, and can be cancelled', async () => {
  const ran: string[] = [];
  const { port1, port2 } = new MessageChannel();
  const queued = new Promise<void>((resolve) => {
    port1.onmessage = () => {
      ran.push('message');
      resolve();
    };
  });
  port2.postMessage(null);
  const cancel = systemScheduler.macrotask(() => ran.push('cancelled'));
  const done = new Promise<void>((resolve) => {
    systemScheduler.macrotask(() => {
      ran.push('task');
      resolve();
    });
  });
  cancel();
  await Promise.all([queued, done]);
  expect(ran).toContain('task');
  expect(ran).toContain('message');
  expect(ran).not.toContain('cancelled');
  port1.close();
});
