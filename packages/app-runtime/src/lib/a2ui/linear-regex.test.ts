import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, MAX_STEPS, PatternError } from './linear-regex.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  'c',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[ab]',
  '[^b]',
  '[a-c]',
  '\\b',
  '^',
  '$',
  ' ',
  '1',
);
const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{1,}', '*?', '+?');
const { pattern } = fc.letrec<{ pattern: string; sequence: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((items) => items.join('|')),
  sequence: fc.array(tie('piece'), { maxLength: 4 }).map((items) => items.join('')),
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(atom, repeat).map(([item, times]) => (['^', '$', '\\b'].includes(item) ? item : item + times)),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), repeat)
      .map(([open, inner, times]) => `${open}${inner})${times}`),
  ),
}));
/* Short: the other side is RegExp, which takes exponential time on nested repeats. */
const value = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '1', ' ', '\n'), maxLength: 6 });

describe('compilePattern', () => {
  it('agrees with RegExp on every pattern both know', () => {
    fc.assert(
      fc.property(pattern, value, (source, text) => {
        expect([source, text, compilePattern(source)(text).found]).toEqual([
          source,
          text,
          new RegExp(source).test(text),
        ]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'ann@example.org', true],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'ann@example', false],
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-09-30', true],
    ['^\\+?[0-9 ()-]{7,20}$', '+47 22 33 44 55', true],
    ['^(?<year>\\d{4})$', '2026', true],
    ['^[\\w.-]+$', 'a.b-c', true],
    ['^\\u0041\\x42$', 'AB', true],
    ['a{,2}', 'a{,2}', true],
    ['^[\\]^-]$', '^', true],
    ['', '', true],
  ])('reads %s on %s as %s', (source, text, expected) => {
    expect(compilePattern(source)(text).found).toBe(expected);
  });

  it.each(['(', ')', '[a', 'a**', '*a', 'a{3,1}', '\\', '[b-a]'])('refuses %s as RegExp does', (source) => {
    expect(() => new RegExp(source)).toThrow(SyntaxError);
    expect(() => compilePattern(source)).toThrow(PatternError);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '\\p{L}',
    'a'.repeat(1_001),
    '(a{1,99}){1,99}',
    '(){1000000000}',
    '(?:(?:(?:(?:){1000}){1000}){1000}){1000}',
    '(?:(?:(?:){0,1000}){0,1000}){0,1000}',
  ])('refuses %s, which no small state machine can do', (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
  });

  it.each(['^(a{1,10})*$', '(a+)+b', '^(a|a)*$', '(a*)*c', '^(a+)+$', '(.*)*x'])(
    'answers %s without backtracking (field case 48)',
    (source) => {
      // A backtracking engine needs 2^5000 steps here; finishing at all is the proof.
      expect(compilePattern(source)(`${'a'.repeat(5_000)}!`).found).toBe(false);
    },
  );

  it('knows the same characters as RegExp', () => {
    const classes = [
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '.',
      '[^\\s\\d]',
      '[^b-ya-c]',
      '[\\W_]',
      '[]',
      '[^]',
    ];
    const tests = classes.map((source) => [source, compilePattern(source), new RegExp(source)] as const);
    for (let code = 0; code <= 0xffff; code += code > 0x3100 && code < 0xfe00 ? 97 : 1) {
      const char = String.fromCharCode(code);
      const wrong = tests.filter(([, ours, theirs]) => ours(char).found !== theirs.test(char));
      expect([code, wrong.map(([source]) => source)]).toEqual([code, []]);
    }
  });
});

describe('the cost of a test', () => {
  const letters = Array.from({ length: 230 }, (_, i) => String.fromCharCode(0x400 + i * 2)).join('');

  it('does not depend on how a class is written', () => {
    const text = 'a'.repeat(300);
    const short = compilePattern('[a]{200}Z')(text);
    expect(compilePattern(`[${letters}a]{200}Z`)(text)).toEqual(short);
    expect(compilePattern(`[^${letters}Z]{200}Z`)(text)).toEqual(short);
  });

  it('is a few steps a character for an ordinary pattern', () => {
    const { found, steps } = compilePattern('^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$')(
      `${'a'.repeat(10_000)}@example.org`,
    );
    expect(found).toBe(true);
    expect(steps).toBeLessThan(10 * 10_000);
  });

  it.each([`[${letters}a]{1000}Z`, '(a?){1000}Z', '((a|a|a|a|a|a)*)*Z', '(a*)*(a*)*(a*)*Z'])(
    'has an end: past it %s says neither yes nor no (field case 48)',
    (source) => {
      const { found, steps } = compilePattern(source)('a'.repeat(200_000));
      expect(found).toBeUndefined();
      expect(steps).toBeLessThan(MAX_STEPS + 20_000);
    },
  );
});
