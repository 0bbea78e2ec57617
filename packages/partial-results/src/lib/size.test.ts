import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateSize } from './size.ts';

describe('estimateSize', () => {
  it('is never below the two-byte size of the JSON text less its punctuation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const strings = JSON.stringify(value, (_key, inner: unknown) =>
          typeof inner === 'string' ? '' : inner,
        ).length;
        expect(estimateSize(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length - strings);
      }),
    );
  });

  it('counts two bytes a character, keys included', () => {
    expect(estimateSize('abc') - estimateSize('')).toBe(6);
    expect(estimateSize({ abc: 1 }) - estimateSize({ '': 1 })).toBe(6);
  });

  it('stops soon after it has seen enough', () => {
    let read = 0;
    const list = Array.from({ length: 1_000 }, () => ({
      get big() {
        read++;
        return 'x'.repeat(100);
      },
    }));
    expect(estimateSize(list, 1_000)).toBeGreaterThan(1_000);
    expect(read).toBeLessThan(10);
  });

  it('does not follow what is nested without end', () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    expect(estimateSize(deep)).toBe(Infinity);
    expect(estimateSize(JSON.parse('['.repeat(400) + ']'.repeat(400)))).toBeLessThan(10_000);
  });
});
