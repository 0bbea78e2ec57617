import { expect, test } from 'vitest';
import { count, money, percent, signedPercent, signedPoints } from './format.ts';

test.each([
  [money(40_809_568), '$40.81M'],
  [money(512_345), '$512.3K'],
  [money(9_999), '$9,999'],
  [money(0), '$0'],
  [count(12_345), '12,345'],
  [percent(0.6239), '62.4%'],
  [signedPercent(0.102), '+10.2%'],
  [signedPercent(-0.031), '−3.1%'],
  [signedPercent(-0.0001), '±0.0%'],
  [signedPercent(undefined), '–'],
  [signedPoints(0.0131), '+1.3 pt'],
  [signedPoints(-0.0131), '−1.3 pt'],
])('%s reads %s', (actual, expected) => {
  expect(actual).toBe(expected);
});
