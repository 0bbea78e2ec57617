import type { Page } from '@playwright/test';
import { openChat } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { createGate } from '../support/gate.ts';

/** What a screen reader would say, frame by frame: each change of a live region, shadow roots included. */
async function listen(page: Page): Promise<() => Promise<string[][]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    const live = '[role="status"],[role="alert"],[role="log"],[aria-live="polite"],[aria-live="assertive"]';
    const note = (records: MutationRecord[]): void => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const text = element?.closest(live)?.textContent?.trim();
        if (text && text !== said.at(-1)) said.push(text);
      }
    };
    const watch = (root: Node): void =>
      new MutationObserver(note).observe(root, { subtree: true, childList: true, characterData: true });
    watch(document);
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (init) {
      const root = attach.call(this, init);
      watch(root);
      return root;
    };
    Object.assign(globalThis, { said });
  });
  return async () =>
    Promise.all(page.frames().map(async (frame) => frame.evaluate('said') as Promise<string[]>));
}

test('a stream of many updates is announced in two words; what is not whole is busy, and frames have a name (case 92)', async ({
  page,
  urls,
  interfere,
}) => {
  const final = createGate();
  await interfere('report', {
    async event(message) {
      if (message.includes('"result"')) await final.wait();
      return [message];
    },
  });
  const announced = await listen(page);
  const chat = await openChat(page, urls.host, { prompt: 'Build me a Q2 revenue dashboard' });
  const body = chat.app.locator('body');
  await expect(chat.app.getByText('was the strongest')).toBeVisible();
  expect(await chat.figure('received')).toBeGreaterThan(50);
  await expect(chat.call).toHaveAttribute('aria-busy', 'true');
  await expect(body).toHaveAttribute('aria-busy', 'true');
  expect((await announced()).flat()).toEqual(['Streaming']);

  final.open();
  await chat.expectStatus('complete');
  await expect(chat.call).toHaveAttribute('aria-busy', 'false');
  await expect(body).toHaveAttribute('aria-busy', 'false');
  const [host, ...frames] = await announced();
  expect(host).toEqual(['Streaming', 'Complete']);
  expect(frames).toEqual([[], []]);
  await expect(page.locator('iframe')).toHaveAttribute('title', 'Revenue dashboard');
  await expect(page.frameLocator('iframe').locator('iframe')).toHaveAttribute('title', /\S/);
});
