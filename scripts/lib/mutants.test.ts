import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMutated } from './mutant-plugin.mjs';
import { MUTANTS } from './mutants.mjs';

describe('the list of guards that can be switched off', () => {
  test('names each once', () => {
    expect(new Set(MUTANTS.map(({ id }) => id)).size).toBe(MUTANTS.length);
  });

  test.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))(
    '%s stands in its file once',
    (_, mutant) => {
      expect(() => readMutated(mutant)).not.toThrow();
    },
  );

  test.each(MUTANTS.map((mutant) => [mutant.id, mutant] as const))(
    '%s names tests that exist',
    (_, mutant) => {
      expect(mutant.tests.length).toBeGreaterThan(0);
      expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
    },
  );
});
