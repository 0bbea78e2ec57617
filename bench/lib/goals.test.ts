import { describe, expect, it } from 'vitest';
import { createSheet } from './figures.ts';
import { judge } from './goals.ts';

const verdictOf = (id: string, fill: (sheet: ReturnType<typeof createSheet>) => void): string | undefined => {
  const sheet = createSheet();
  fill(sheet);
  return judge(sheet).find((goal) => goal.id === id)?.verdict;
};

describe('a verdict', () => {
  it('goes by the median, not by the best round', () => {
    const fill = (values: number[]) => (sheet: ReturnType<typeof createSheet>) =>
      values.forEach((value) => sheet.add('view-time/200/ours÷ext', value));
    expect(verdictOf('view-time', fill([0.1, 0.15, 0.9]))).toBe('met');
    expect(verdictOf('view-time', fill([0.1, 0.25, 0.9]))).toBe('not met');
  });

  it('needs every figure of its goal', () => {
    expect(verdictOf('claim', (sheet) => sheet.add('claim/stdio/ours÷sdk', 0.3))).toBe('not measured');
    expect(
      verdictOf('claim', (sheet) => {
        sheet.add('claim/stdio/ours÷sdk', 0.3);
        sheet.add('claim/http/ours÷sdk', 0.5);
      }),
    ).toBe('met');
  });

  it('is "not met" as soon as one figure fails, whatever is missing', () => {
    expect(verdictOf('claim', (sheet) => sheet.add('claim/stdio/ours÷sdk', 0.7))).toBe('not met');
  });

  it('says why a figure is missing', () => {
    const sheet = createSheet();
    sheet.skip('throughput/double/200/port÷raw', 'the port path is not built');
    const goal = judge(sheet).find(({ id }) => id === 'coalesced-port');
    expect(goal).toMatchObject({ verdict: 'not measured' });
    expect(goal?.seen).toContain('the port path is not built');
  });
});
