import { lastCall } from '../support/calls.ts';
import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { createGate } from '../support/gate.ts';

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

test('cancel stops the work of the server and is shown (case 84)', async ({ page, urls }) => {
  const chat = await openChat(page, urls.host, { prompt: PROMPT });
  await chat.expectStatus('complete');
  const whole = await lastCall(urls.mcp.report, 'write_report');

  const again = await openChat(page, urls.host, { prompt: PROMPT });
  await expect(again.app.getByRole('heading').first()).toBeVisible();
  await again.page.getByRole('button', { name: 'Cancel' }).click();

  await again.expectStatus('cancelled');
  await expect(again.app.getByRole('alert')).toContainText('Cancelled');
  await expect.poll(async () => (await lastCall(urls.mcp.report, 'write_report')).state).toBe('aborted');
  const stopped = await lastCall(urls.mcp.report, 'write_report');
  expect(stopped.id).toBeGreaterThan(whole.id);
  expect(stopped.steps).toBeLessThan(whole.steps);

  // A whole other call later it has still not moved.
  const third = await openChat(page, urls.host, { prompt: 'Build me a Q2 revenue dashboard' });
  await third.expectStatus('complete');
  expect(await lastCall(urls.mcp.report, 'write_report')).toEqual(stopped);
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
