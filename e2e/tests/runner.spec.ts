import { lastCall } from '../support/calls.ts';
import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';

test('log lines appear while the child process still runs', async ({ page, urls, interfere }) => {
  /** What passed on the wire, in order. */
  const order: string[] = [];
  await interfere('runner', {
    event(message) {
      const { method, result } = JSON.parse(message) as {
        method?: string;
        result?: { structuredContent?: unknown };
      };
      if (method) order.push(method);
      else if (result?.structuredContent) order.push('result');
      return [message];
    },
  });
  const chat = await openChat(page, urls.host, { prompt: 'Run the partial-results tests' });
  const log = chat.app.getByRole('log');

  // The first line is the server's own; this one the child has written.
  await expect(log).toContainText('RUN');
  const seen = await lastCall(urls.mcp.runner, 'run_checks');
  expect(seen.state).toBe('running');

  await chat.expectStatus('complete');
  await expect(log).toContainText('Tests');
  const finished = await lastCall(urls.mcp.runner, 'run_checks');
  expect(finished).toMatchObject({ id: seen.id, state: 'finished' });
  expect(finished.steps).toBeGreaterThan(seen.steps);

  const partial = 'notifications/tools/partial_result';
  const call = order.slice(0, order.indexOf('result'));
  expect(call.filter((method) => method === partial).length).toBeGreaterThan(3);
  expect(order.slice(order.indexOf('result'))).not.toContain(partial);
});
