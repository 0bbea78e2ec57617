import { describe, expect, it } from 'vitest';
import { createFaultLink, createManualScheduler, createRandom, shuffled, type Faults } from './index.ts';

function run(
  seed: number,
  faults: Faults,
  total = 500,
): { got: number[]; link: ReturnType<typeof createFaultLink<number>> } {
  const scheduler = createManualScheduler();
  const got: number[] = [];
  const link = createFaultLink<number>({ seed, faults, scheduler, deliver: (n) => got.push(n) });
  for (let i = 0; i < total; i++) {
    link.send(i);
    scheduler.advance(1);
  }
  scheduler.advance(10_000);
  expect(scheduler.pending).toBe(0);
  return { got, link };
}

const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
const all = [...Array(500).keys()];

describe('a fault link', () => {
  it('without faults is a wire', () => {
    expect(run(1, {}).got).toEqual(all);
  });

  it('does the same for the same seed and something else for another', () => {
    const faults = { drop: 0.1, duplicate: 0.1, delay: 0.3, stall: 0.01 };
    expect(run(7, faults).got).toEqual(run(7, faults).got);
    expect(run(7, faults).got).not.toEqual(run(8, faults).got);
  });

  it('delays reorder but lose nothing; stalls burst but keep the order', () => {
    const delayed = run(3, { delay: 0.5 });
    expect(delayed.got).not.toEqual(all);
    expect(sorted(delayed.got)).toEqual(all);
    expect(run(3, { stall: 0.05 }).got).toEqual(all);
  });

  it('drops, duplicates and cuts by the counts it reports', () => {
    const { got, link } = run(5, { drop: 0.2, duplicate: 0.2 });
    expect(link.counts.dropped).toBeGreaterThan(50);
    expect(link.counts.duplicated).toBeGreaterThan(50);
    expect(got).toHaveLength(500 - link.counts.dropped + link.counts.duplicated);
    expect(run(5, { cutAfter: 10 }).got).toEqual(all.slice(0, 10));
  });

  it('drops no more in a row than it may', () => {
    const { got, link } = run(5, { drop: 0.9, maxDropsInRow: 3 });
    const runs = got.map((n, i) => n - (got[i - 1] ?? -1) - 1);
    expect(Math.max(...runs)).toBe(3);
    expect(link.counts.dropped).toBeGreaterThan(300);
  });

  it('lets messages that are not subject to faults pass at once', () => {
    const scheduler = createManualScheduler();
    const got: string[] = [];
    const link = createFaultLink<string>({
      seed: 1,
      faults: { delay: 1 },
      scheduler,
      deliver: (message) => got.push(message),
      subject: (message) => message !== 'result',
    });
    link.send('chunk');
    link.send('result');
    scheduler.advance(1_000);
    expect(got).toEqual(['result', 'chunk']);
  });

  it('delivers nothing after close', () => {
    const scheduler = createManualScheduler();
    const got: number[] = [];
    const link = createFaultLink<number>({
      seed: 1,
      faults: { delay: 1 },
      scheduler,
      deliver: (n) => got.push(n),
    });
    link.send(1);
    link.close();
    link.send(2);
    expect(scheduler.pending).toBe(0);
    expect(got).toEqual([]);
  });
});

it('shuffles evenly enough to reach every order', () => {
  const random = createRandom(42);
  const seen = new Set(Array.from({ length: 500 }, () => shuffled(['a', 'b', 'c', 'd'], random).join('')));
  expect(seen.size).toBe(24);
});
