import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test as base } from '@playwright/test';
import { FAMILIES, RESIDUALS } from '../attacks/families/index.ts';
import type { AttackResults } from '../attacks/host/main.ts';
import { startAttacks } from '../attacks/server.ts';
import { CELL, cellOf, ENGINES, readTable } from '../attacks/table.ts';

/*
 * A hostile app and a hostile server against the bridge, in a page that runs all attacks by itself. Each one also
 * runs with its guard off and must do its harm there: else it would prove nothing here.
 */

const test = base.extend<object, { results: AttackResults }>({
  results: [
    async ({ browser }, provide) => {
      const server = await startAttacks();
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${server.host}/?width=8`);
      await page.waitForFunction('window.__results?.done', null, { timeout: 0 });
      await provide(await page.evaluate('window.__results'));
      await page.close();
      server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

// Some minutes of a browser's time, and still young: run it with ATTACKS=1 until it is part of every run.
test.skip(!process.env['ATTACKS'], 'set ATTACKS=1');

// The page is the worker's, not the test's.
test.use({ trace: 'off', screenshot: 'off' });

for (const { name, about, attacks } of FAMILIES) {
  test(`attacks, ${name}: ${about.toLowerCase()}: no harm is done, which is done without the guard`, ({
    results,
  }) => {
    const rows = results.rows.filter(({ family }) => family === name);
    expect(rows.map(({ attack }) => attack).toSorted()).toEqual(attacks.map((one) => one.name).toSorted());
    const wrong = results.checks.filter((check) => !check.ok && check.name.startsWith(`${name}: `));
    expect(wrong.map((check) => `${check.name}: ${check.detail}`)).toEqual([]);
    expect(rows.filter(({ guarded }) => guarded !== 'blocked')).toEqual([]);
    // Most of each family is shown to work here, so that a browser that blocks all of it by itself is noticed.
    expect(rows.filter(({ control }) => control === 'worked').length).toBeGreaterThan(attacks.length / 2);
  });
}

const TABLE = new URL('../../docs/security-matrix.md', import.meta.url);

test('the table of what holds where names every attack and every engine, and what is seen here', async ({
  results,
}) => {
  test.skip(!existsSync(TABLE), 'node --import tsx e2e/attacks/matrix.ts has not written it yet');
  const table = readTable(await readFile(TABLE, 'utf8'));
  const all = [...FAMILIES.flatMap(({ attacks }) => attacks), ...RESIDUALS];
  expect([...table.keys()]).toEqual(all.map((attack) => attack.name));
  for (const [attack, cells] of table)
    for (const engine of Object.keys(ENGINES))
      expect(cells, attack).toHaveProperty(engine, expect.stringMatching(CELL));
  expect([...table].filter(([, cells]) => Object.values(cells).includes('harm'))).toEqual([]);

  const attacks = FAMILIES.flatMap((family) => family.attacks);
  for (const { name, cannot } of attacks) {
    const seen = results.rows.find(({ attack }) => attack === name);
    expect(table.get(name)?.chromium, name).toBe(cellOf(seen, cannot?.chromium));
  }
});
