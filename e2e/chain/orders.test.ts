import { createRandom, shuffled } from '@mcp-apps-bridge/partial-results/testing';
import { describe, expect, it } from 'vitest';
import { createChain, type Chain, type ChainOptions } from './support/chain.ts';
import {
  checkComplete,
  checkCounters,
  checkMessages,
  checkNothingWaits,
  checkShown,
} from './support/checks.ts';
import { finalOnly, whatIsShown } from './support/ends.ts';
import { createSample, KINDS, type Kind } from './support/samples.ts';

function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

/** Sends the numbers in the given order, each in a task of its own, and lets all of it arrive. */
function play(options: ChainOptions, order: readonly number[]): Chain {
  const chain = createChain(options);
  chain.load();
  for (const seq of order) {
    chain.send(seq);
    chain.scheduler.flush();
  }
  chain.scheduler.advance(60_000);
  return chain;
}

function finish(chain: Chain, options: ChainOptions): unknown {
  checkMessages(chain, options);
  checkNothingWaits(chain);
  checkShown(chain, options.sample);
  chain.output.finish(options.sample.result);
  chain.scheduler.advance(1_000);
  checkCounters(chain);
  const shown = whatIsShown(chain);
  chain.close();
  expect(chain.scheduler.pending).toBe(0);
  return shown;
}

describe('case 1: all permutations of six chunks', () => {
  it.each(KINDS)('of a stream of kind %s show the same before the result and at the end', (kind) => {
    const options: ChainOptions = { sample: createSample(kind, 6, 7), seed: 1, acks: true };
    const end = finalOnly({ options });
    for (const order of permutations([0, 1, 2, 3, 4, 5])) {
      const chain = play(options, order);
      checkComplete(chain, options.sample);
      expect(finish(chain, options)).toEqual(end);
    }
  });
});

/** A2UI costs ten times the others; its share of the runs is smaller. */
const SHARES: [Kind, number][] = KINDS.map((kind) => [kind, kind === 'a2ui' ? 40 : 160]);

describe('cases 1 and 12: a thousand seeded shuffles of 200 chunks, with duplicates and losses', () => {
  it.each(SHARES)(
    'of kind %s, %i of them, end alike; what they showed is what the rule of gaps says',
    (kind, runs) => {
      const options: ChainOptions = { sample: createSample(kind, 200, 11), seed: 1, acks: true };
      const end = finalOnly({ options });
      let lossy = 0;
      for (let seed = 0; seed < runs; seed++) {
        const random = createRandom(seed);
        const loses = seed % 4 > 0;
        const numbers = options.sample.bodies.map((_, seq) => seq).filter(() => !loses || random() > 0.03);
        const doubled = numbers.filter(() => random() < 0.2);
        const chain = play({ ...options, acks: seed % 2 === 0 }, shuffled([...numbers, ...doubled], random));
        if (loses) lossy += chain.ledger.gaps.length > 0 ? 1 : 0;
        else checkComplete(chain, options.sample);
        expect(finish(chain, { ...options, acks: seed % 2 === 0 })).toEqual(end);
      }
      expect(lossy).toBeGreaterThan(runs / 2);
    },
  );
});
