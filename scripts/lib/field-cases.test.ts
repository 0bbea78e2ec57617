import { describe, expect, it } from 'vitest';
import { fieldCaseTable, namedCases, withTable } from './field-cases.mjs';

describe('namedCases', () => {
  it('finds single numbers and lists, in any kind of test call', () => {
    const source = `
      it('keeps the order (case 1)', () => {});
      test.each([1, 2])("drops late chunks (cases 2, 3 and 12)", () => {});
      describe(\`case 7: a gap\`, () => {});
      it('is about a showcase 9', () => {});
      // case 4 in a comment
    `;
    expect(namedCases(source)).toEqual([
      { cases: [1], name: 'keeps the order (case 1)' },
      { cases: [2, 3, 12], name: 'drops late chunks (cases 2, 3 and 12)' },
      { cases: [7], name: 'case 7: a gap' },
    ]);
  });

  it('reads names that stand on a line of their own', () => {
    expect(namedCases(`it(\n  'doesn\\'t stop (case 5)',\n  () => {},\n)`)).toEqual([
      { cases: [5], name: "doesn't stop (case 5)" },
    ]);
  });
});

describe('fieldCaseTable', () => {
  const titles = { 1: 'Order', 2: 'Loss' };

  it('lists the tests of a case and the cases without one', () => {
    const source = `it('a | b (case 1)', () => {}); it('c (case 1)', () => {});`;
    const table = fieldCaseTable(titles, [{ file: 'x.test.ts', source }]);
    expect(table).toContain('| 1 | Order | `x.test.ts`: a \\| b (case 1)<br>`x.test.ts`: c (case 1) |');
    expect(table).toContain('1 of 2 cases have a test. Without one: 2.');
  });

  it('refuses a number that no case has', () => {
    expect(() => fieldCaseTable(titles, [{ file: 'x.test.ts', source: `it('case 3', f)` }])).toThrow(
      'x.test.ts names case 3',
    );
  });

  it('replaces what stands between the markers and nothing else', () => {
    const document = 'a\n<!-- field cases: begin -->\nold\n<!-- field cases: end -->\nz\n';
    const once = withTable(document, 'new');
    expect(once).toBe('a\n<!-- field cases: begin -->\n\nnew\n\n<!-- field cases: end -->\nz\n');
    expect(withTable(once, 'new')).toBe(once);
  });
});
