import { basicCatalog } from '@a2ui/lit/v0_9';
import { expect, it } from 'vitest';
import { secureCatalog, type A2uiCatalog } from './catalog.ts';

const { functions } = secureCatalog(basicCatalog as A2uiCatalog);

it.each([
  ['^a+$', 'aaa', true],
  ['^a+$', 'aab', false],
  ['^a+$', 'a'.repeat(50_000), true],
  ['(?=a)b', 'x', true],
  ['(a*)*(a*)*Z', 'a'.repeat(500_000), true],
])(
  'the regex check on %s and %.5s is %s: what is not known to be wrong passes (field case 48)',
  (pattern, value, passes) => {
    const execute = functions.get('regex')!.execute as (args: object, context: object) => unknown;
    expect(execute({ pattern, value }, {})).toBe(passes);
  },
);
