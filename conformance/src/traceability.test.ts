import { describe, expect, it } from 'vitest';
import { findProblems, readRows, type Row } from './tooling/traceability.ts';

it('every rule has a row, and every check and test it names exists', () => {
  expect(findProblems(readRows())).toEqual([]);
});

describe('the validation finds', () => {
  const rows = readRows();
  const replaced = (id: string, change: Partial<Row>): Row[] =>
    rows.map((row) => (row.id === id ? { ...row, ...change } : row));

  it.each<[string, Row[], string]>([
    ['a rule without a row', rows.filter(({ id }) => id !== 'H3'), 'H3: no row'],
    ['a rule twice', [...rows, rows.find(({ id }) => id === 'H3')!], 'H3: two rows'],
    ['a rule nobody has heard of', [...rows, { ...rows[0]!, id: 'S19' }], 'S19: no such rule'],
    [
      'a check that does not exist',
      replaced('S4', { checks: ['s4-seq-order', 's4-applied-once', 's4-x'] }),
      'S4: no check s4-x',
    ],
    [
      'a check without a rule',
      replaced('S4', { checks: ['s4-seq-order'] }),
      's4-applied-once: a check that no row names',
    ],
    [
      'a file that is gone',
      replaced('H3', { tests: [{ 'packages/x.test.ts': 'y' }] }),
      'H3: no file packages/x.test.ts',
    ],
    [
      'a test that was renamed',
      replaced('H3', { tests: [{ 'conformance/src/cli.test.ts': 'prints its manual' }] }),
      'H3: no test "prints its manual" in conformance/src/cli.test.ts',
    ],
    [
      'a title that is only mentioned',
      replaced('H3', { tests: [{ 'conformance/src/cli.test.ts': 'mcp-partial-conformance server' }] }),
      'H3: no test "mcp-partial-conformance server" in conformance/src/cli.test.ts',
    ],
    ['a row that covers nothing', replaced('H3', { tests: [] }), 'H3: neither check nor test nor reason'],
    [
      'a rule of the proposal put off',
      replaced('S11', { tests: [], pending: 'later' }),
      'S11: pending, though its code is here',
    ],
  ])('%s', (_what, changed, problem) => {
    expect(findProblems(changed)).toContain(problem);
  });
});
