import { startServer } from '../../scripts/lib/server-process.mjs';
import { allCalls, lastCall } from '../support/calls.ts';
import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { createGate } from '../support/gate.ts';
import { rawToolCall } from '../support/raw-mcp.ts';

const PROMPT = 'Write a revenue report for Q3';

test('prose grows while it is written', async ({ page, urls, interfere }) => {
  const gates = [createGate(), createGate(), createGate()];
  const holdAt = [10, 60, 120];
  await interfere('report', {
    async event(message, nth) {
      const gate = gates[holdAt.indexOf(nth)];
      if (gate) await gate.wait();
      return [message];
    },
  });
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  const text = async (): Promise<string> => (await chat.app.locator('article').innerText()).trim();
  const lengths: number[] = [];
  for (const gate of gates) {
    const before = lengths.at(-1) ?? 0;
    await expect.poll(async () => (await text()).length).toBeGreaterThan(before);
    await expect(chat.app.getByRole('heading', { name: 'Margin' })).toHaveCount(0);
    await chat.expectStatus('streaming');
    lengths.push(await stillText(text));
    gate.open();
  }

  await chat.expectStatus('complete');
  await expect(chat.app.getByRole('heading', { name: 'Margin' })).toBeVisible();
  expect((await text()).length).toBeGreaterThan(lengths.at(-1) ?? 0);
});

test('cancel stops the work of the server and is shown (case 84)', async ({ page, urls, interfere }) => {
  // Slow enough that the report cannot be finished before somebody cancels it.
  const slow = await startServer('report', 'demo/src/report/main.ts', {
    env: { DEMO_REPORT_PORT: '0', DEMO_HOST_ORIGIN: urls.host, DEMO_DEBUG: '1', DEMO_PACE_MS: '1500' },
    onUnexpectedEnd: (name, code) => {
      throw new Error(`the ${name} server ended with ${code}`);
    },
  });
  const mcp = slow.urls['url'] ?? '';
  try {
    await interfere('report', {}, mcp);
    const chat = await openChat(page, urls.host, { prompt: PROMPT });
    await expect(chat.app.getByRole('heading').first()).toBeVisible();
    expect((await lastCall(mcp, 'write_report')).state).toBe('running');

    await page.getByRole('button', { name: 'Cancel' }).click();

    await chat.expectStatus('cancelled');
    await expect(chat.app.getByRole('alert')).toContainText('Cancelled');
    await expect.poll(async () => (await lastCall(mcp, 'write_report')).state).toBe('aborted');
    const stopped = await lastCall(mcp, 'write_report');

    // Three words of another report later it has still not moved.
    let words = 0;
    const other = rawToolCall(mcp, { name: 'write_report', capabilities: { partialResults: {} }, token: 1 });
    for await (const message of other) if (message.method && ++words === 3) break;
    const calls = await allCalls(mcp, 'write_report');
    expect(calls.find(({ id }) => id === stopped.id)).toEqual(stopped);
    expect(calls.at(-1)?.steps).toBeGreaterThanOrEqual(3);
  } finally {
    slow.stop();
    await slow.ended;
  }
});

/** Length of the text once two reads agree: what is held back at the gate is not on its way any more. */
async function stillText(read: () => Promise<string>): Promise<number> {
  let value = await read();
  await expect
    .poll(async () => {
      const before = value;
      value = await read();
      return value === before;
    })
    .toBe(true);
  return value.length;
}
