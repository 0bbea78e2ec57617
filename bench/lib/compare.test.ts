import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import type { Figure } from './figures.ts';

const figure = (samples: number[], about: Partial<Figure> = {}): Figure => ({
  name: 'f',
  unit: '',
  better: 'higher',
  kind: 'ratio',
  samples,
  ...about,
});

describe('a comparison of two runs', () => {
  it('says nothing of what differs within a tenth', () => {
    expect(compare([figure([1, 1, 1])], [figure([1.09, 1.09, 1.09])])).toEqual([]);
  });

  it('says nothing of what differs within the spread of both', () => {
    const before = figure([0.5, 0.8, 1, 1.3, 1.6]);
    expect(compare([before], [figure([0.9, 1.1, 1.4, 1.7, 2])])).toEqual([]);
  });

  it('says nothing while the middle halves of both share a value', () => {
    const before = figure([1, 1, 1, 1, 2]);
    expect(compare([before], [figure([1, 1, 1.5, 1.5, 1.5])])).toEqual([]);
  });

  it('tells better from worse by what the figure is for', () => {
    const [up] = compare([figure([1, 1, 1])], [figure([2, 2, 2])]);
    expect(up).toMatchObject({ kind: 'better', factor: 2 });
    const lower = { better: 'lower' } as const;
    const [down] = compare([figure([1, 1, 1], lower)], [figure([2, 2, 2], lower)]);
    expect(down).toMatchObject({ kind: 'worse' });
  });

  it('is as strict downwards as upwards', () => {
    const one = figure([1, 1, 1]);
    const two = figure([1.2, 1.2, 1.2]);
    expect(compare([one], [two])).toHaveLength(1);
    expect(compare([two], [one])).toHaveLength(1);
  });

  it('reports any change of a count', () => {
    const count = { kind: 'count', better: 'lower' } as const;
    expect(compare([figure([0], count)], [figure([1], count)])).toMatchObject([{ kind: 'worse' }]);
  });

  it('leaves absolutes out unless both runs are of one machine', () => {
    const absolute = { kind: 'absolute' } as const;
    const [before, after] = [[figure([1, 1], absolute)], [figure([9, 9], absolute)]];
    expect(compare(before, after)).toEqual([]);
    expect(compare(before, after, true)).toHaveLength(1);
  });

  it('knows nothing of figures that only one run has', () => {
    expect(compare([], [figure([1])])).toEqual([]);
  });
});
