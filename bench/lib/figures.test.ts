import { describe, expect, it } from 'vitest';
import { createSheet } from './figures.ts';
import { quantile, summarize } from './stats.ts';

describe('a sheet of figures', () => {
  it('pairs ratios round by round, so that a slow round cancels out', () => {
    const sheet = createSheet();
    for (const [ours, raw] of [
      [4, 2],
      [40, 20],
      [6, 2],
    ] as const) {
      sheet.add('ours', ours);
      sheet.add('raw', raw);
    }
    sheet.ratio('ours÷raw', 'ours', 'raw');
    expect(sheet.get('ours÷raw')).toMatchObject({ kind: 'ratio', samples: [2, 2, 3] });
  });

  it('makes no ratio of what was not measured', () => {
    const sheet = createSheet();
    sheet.add('ours', 1);
    sheet.ratio('ours÷raw', 'ours', 'raw');
    expect(sheet.get('ours÷raw')).toBeUndefined();
  });
});

describe('a summary', () => {
  it('interpolates between samples and ignores their order', () => {
    expect(summarize([3, 1, 2, 4])).toEqual({ median: 2.5, q1: 1.75, q3: 3.25, rounds: 4 });
  });

  it('is no number without samples', () => {
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('takes samples that are infinite', () => {
    expect(quantile([1, Infinity, Infinity], 0.5)).toBe(Infinity);
  });
});
