import type { Page } from '@playwright/test';
import { PACKAGES, type App } from '../third-party/apps.ts';
import { BASIC, DEBUG, type Buttons, type Effect } from '../third-party/buttons.ts';
import { expect, test } from '../third-party/fixtures.ts';
import { SETTINGS } from '../third-party/settings.ts';
import type { Shown, Tally } from '../third-party/shown.ts';

/*
 * Servers and views as their authors published them, in this project's bridge. The fixture fails a test that leaves
 * an error, a warning or a policy violation in the console of any frame.
 */

// A trace of every step costs more than the steps; a failure keeps its screenshots and says which step it was.
test.use({ trace: 'off' });

const BUTTONS: Record<string, Buttons> = {
  'server-basic-react': BASIC,
  'server-basic-vanillajs': BASIC,
  'server-budget-allocator': {},
  'server-debug': DEBUG,
};

/** What an app writes to its console when it is asked to finish; one without a handler writes nothing. */
const FAREWELLS: Record<string, string | undefined> = {
  'server-basic-react': 'App is being torn down',
  'server-basic-vanillajs': 'App is being torn down',
  'server-debug': '[debug-app] onteardown',
};

/** Far more than any of these apps needs to find its size once, far less than a chase runs up. */
const FEW = 8;

/** The same for each build of a package, at once: tabs share nothing. */
const forEach = async (apps: readonly App[], run: (app: App) => Promise<void>): Promise<void> => {
  await Promise.all(apps.map((app) => test.step(`ext-apps ${app.extApps}`, () => run(app))));
};

for (const [name, apps] of Object.entries(PACKAGES)) {
  test(`${name}: every button has its effect on the host, and no other`, async ({ show }) => {
    await forEach(apps, async (app) => {
      const shown = await show(app);
      const buttons = BUTTONS[name]!;
      expect((await buttonsOf(shown)).toSorted()).toEqual(Object.keys(buttons).toSorted());

      const first = await shown.tally();
      for (const [text, effect] of Object.entries(buttons)) {
        await test.step(text, () => press(shown, text, effect));
      }
      // Nothing came late or twice.
      const expected = (key: keyof Tally): number =>
        Object.values(buttons).filter(({ changes }) => changes === key).length;
      const counts = Object.fromEntries(
        (['messages', 'links', 'calls', 'logs'] as const).map((key) => [key, first[key] + expected(key)]),
      );
      expect(await shown.tally()).toMatchObject({ ...counts, refused: 0, trouble: [] });
    });
  });

  test(`${name}: its size settles at any width; asked to finish, it answers and is gone (cases 71 and 72)`, async ({
    show,
  }) => {
    await forEach(apps, async (app) => {
      const shown = await show(app);
      const said: string[] = [];
      shown.page.on('console', (message) => said.push(message.text()));
      // No domain is declared: it runs without any.
      await expect(shown.host('view')).toHaveAttribute('data-policy', /connect-src 'none'/);

      for (const width of [820, 400, 1_000]) {
        await test.step(`${width} pixels wide`, async () => {
          const before = await shown.reports();
          await shown.widen(width);
          // It gets the height of its content, and stays there.
          await expect
            .poll(async () => (await shown.height()) - (await shown.contentHeight()), {
              message: 'height given beyond that of the content',
            })
            .toBe(0);
          await shown.settle();
          expect((await shown.reports()) - before).toBeLessThanOrEqual(FEW);
          expect(await shown.height()).toBe(await shown.contentHeight());
        });
      }

      const farewell = FAREWELLS[name];
      await shown.host('close').click();
      await expect(shown.host('status')).toHaveText('closed');
      await expect(shown.host('teardown')).toHaveText(farewell ? 'acknowledged' : 'no_handler');
      await expect(shown.page.locator('iframe')).toHaveCount(0);
      if (farewell) expect(said.filter((line) => line.startsWith(farewell))).toHaveLength(1);
      expect(await shown.tally()).toMatchObject({ refused: 0, trouble: [] });
    });
  });
}

test('server-debug: what is no button works too, and every result reaches the view as the server gave it', async ({
  show,
}) => {
  await forEach(PACKAGES['server-debug']!, async (app) => {
    const shown = await show(app);
    const controls = shown.app.locator('input, select, textarea, [contenteditable], [data-toggle]');
    const ids = await controls.evaluateAll((all) =>
      all.map((one) => one.id || one.getAttribute('data-toggle')),
    );
    expect(new Set(ids)).toEqual(new Set(Object.keys(SETTINGS)));
    await shown.settle();
    for (const [id, use] of Object.entries(SETTINGS)) await test.step(id, () => use(shown));
    expect(await shown.tally()).toMatchObject({ refused: 1, trouble: [] });
  });
});

test('server-budget-allocator: its sliders and lists work, and ask nothing of the host', async ({ show }) => {
  await forEach(PACKAGES['server-budget-allocator']!, async (app) => {
    const shown = await show(app);
    const status = shown.app.locator('#status-bar');
    const marketing = shown.app.locator('[data-category-id="marketing"]');
    await expect(status).toHaveText(/Allocated: \$100,000 \/ \$100,000/);
    await expect(shown.app.getByRole('slider')).toHaveCount(5);
    // A chart with something in it.
    await expect
      .poll(() => shown.app.locator('#budget-chart').evaluate(painted), { message: 'painted pixels' })
      .toBeGreaterThan(1_000);
    const before = await shown.tally();

    await marketing.getByRole('slider').fill('30');
    await expect(status).toHaveText(/Allocated: \$105,000 \/ \$100,000\s+Over/);
    await expect(marketing.locator('.percent')).toHaveText('30.0%');
    await shown.app.locator('#budget-selector').selectOption('250000');
    await expect(status).toHaveText(/Allocated: \$262,500 \/ \$250,000/);
    const rank = await marketing.locator('.percentile-badge').innerText();
    await shown.app.locator('#stage-selector').selectOption('Seed');
    await expect(marketing.locator('.percentile-badge')).not.toHaveText(rank);
    expect(await shown.tally()).toEqual(before);
  });
});

test('the control: what an app may not do is complained about, so silence means something', async ({
  show,
  complaints,
}) => {
  const shown = await show(PACKAGES['server-basic-vanillajs']![0]!);
  expect(complaints).toEqual([]);
  await shown.app.locator('body').evaluate(async () => {
    await fetch('https://undeclared.example/').catch(() => undefined);
    setTimeout(() => {
      throw new Error('nobody catches this');
    });
  });
  await expect.poll(() => complaints.join('\n')).toContain('Content Security Policy');
  await expect.poll(() => complaints.join('\n')).toContain('nobody catches this');
  complaints.length = 0;
});

/** Everything that looks like a button, by its text. */
async function buttonsOf(shown: Shown): Promise<string[]> {
  await expect(shown.app.locator('body')).not.toBeEmpty();
  return shown.app
    .locator('button, [role="button"], input[type="button"], input[type="submit"], a[href]')
    .allInnerTexts();
}

async function press(shown: Shown, name: string, effect: Effect): Promise<void> {
  await effect.before?.(shown);
  const before = await shown.tally();
  const tab = effect.opens && shown.page.waitForEvent('popup');
  await shown.press(name);
  const opened: Page | undefined = await tab;
  await expect
    .poll(async () => changed(before, await shown.tally()), { message: name })
    .toEqual(effect.changes ? [effect.changes] : []);
  await effect.sees(shown, opened);
  await opened?.close();
}

const changed = (before: Tally, after: Tally): string[] =>
  (Object.keys(after) as (keyof Tally)[]).filter((key) => String(before[key]) !== String(after[key]));

/** Runs in the app. */
function painted(canvas: HTMLCanvasElement | SVGElement | HTMLElement): number {
  const { width, height } = canvas as HTMLCanvasElement;
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}
