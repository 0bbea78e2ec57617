import { expect, failuresOf, runContract, test } from '../contract/fixtures.ts';

/* Each test opens the page in e2e/contract, which runs its checks itself, as the other engines do. */

test.setTimeout(480_000);

test('the 43 official examples, through two faulty hops: the fold of what arrived before the result, the same end after it (cases 1, 7, 12, 24)', async ({
  page,
  contract,
}) => {
  const results = await runContract(page, contract, 'only=examples&width=6');
  expect(failuresOf(results)).toEqual([]);
  expect(results.passed).toBeGreaterThan(43 * 14);
});

test('the control: an app that ignores chunks ends right and fails every check before the result', async ({
  page,
  contract,
}) => {
  const { checks } = await runContract(
    page,
    contract,
    'only=examples&step=6&width=6&control=ignore-partials',
  );
  const before = checks.filter(
    ({ name }) => name.includes('reordered') && name.includes('before the result'),
  );
  expect(before.length).toBeGreaterThanOrEqual(3 * 8);
  expect(before.filter(({ ok }) => ok)).toEqual([]);
  const end = checks.filter(({ name }) => name.includes('the end:'));
  expect(end.length).toBeGreaterThanOrEqual(6 * 8);
  expect(end.filter(({ ok }) => !ok)).toEqual([]);
});

test('order and ends: nothing before initialized, a second initialize, calls that never cross, no word to a dead window, none after the end (cases 2, 3, 4, 5, 15, 16, 17, 52, 55, 56, 61, 68, 82, 84)', async ({
  page,
  contract,
}) => {
  const results = await runContract(page, contract, 'only=messages');
  expect(failuresOf(results)).toEqual([]);
  expect(results.passed).toBeGreaterThan(50);
});

test('the app reloaded, moved or left at any of 10 points of the stream shows the same before the result and after it (cases 13 and 65)', async ({
  page,
  contract,
}) => {
  const results = await runContract(page, contract, 'only=reloads&points=10&width=4');
  expect(failuresOf(results)).toEqual([]);
  expect(results.passed).toBe(30 * 4);
});

test('frames off screen, collapsed or not displayed take the whole stream and are right when shown (case 33)', async ({
  page,
  contract,
}) => {
  const results = await runContract(page, contract, 'only=unseen');
  expect(failuresOf(results)).toEqual([]);
  expect(results.passed).toBe(4 * 3);
});
