import fc from 'fast-check';
import { createChain, type Chain, type ChainOptions, type MakeRuntime } from './chain.ts';
import { checkCaps, checkCounters, checkMessages, checkShown } from './checks.ts';
import { createDraw, createSample, KINDS, type Sample } from './samples.ts';

/** Everything that decides a run, small enough to be shrunk. */
export interface Plan {
  kind: Sample['kind'];
  chunks: number;
  seed: number;
  acks: boolean;
  weather: keyof typeof WEATHER;
  caps: keyof typeof CAPS;
  /** Chance per step of a reload, and of a second handshake of the same document. */
  reload: number;
  reopen: number;
}

/** Nothing is lost: reordered within what each hop waits for, doubled, held up and let go in one burst. */
const LOSSLESS = ['fair', 'disorder', 'stalls'] as const;

export const WEATHER = {
  fair: {},
  disorder: {
    server: { delay: 0.5, duplicate: 0.2, maxDelayMs: 200 },
    view: { delay: 0.5, duplicate: 0.2, maxDelayMs: 200 },
    back: { delay: 0.5, duplicate: 0.2 },
  },
  stalls: {
    server: { stall: 0.3 },
    view: { stall: 0.2, duplicate: 0.2 },
    back: { delay: 1, maxDelayMs: 900 },
  },
  deafHost: { view: { delay: 0.3 }, back: { drop: 0.7 } },
  loss: {
    server: { drop: 0.2, duplicate: 0.2, delay: 0.4, stall: 0.1, maxDelayMs: 3_000 },
    view: { drop: 0.15, duplicate: 0.2, delay: 0.4, stall: 0.1 },
    back: { drop: 0.3, delay: 0.3 },
  },
  cut: { server: { cutAfter: 3 }, view: { cutAfter: 4 } },
} satisfies Record<string, Partial<ChainOptions>>;

export const CAPS = {
  usual: {},
  tight: {
    output: { reorder: { maxItems: 3 }, history: { maxItems: 3, batchBytes: 200 } },
    feed: {
      coalesce: { maxItems: 2, batchBytes: 200 },
      pace: { maxFrames: 2, highBytes: 1_200, lowBytes: 500 },
    },
  },
  slow: { feed: { pace: { maxFrames: 1, intervalMs: 100, messagesPerInterval: 1 } } },
} satisfies Record<string, ChainOptions['limits']>;

export const plans: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...KINDS),
  chunks: fc.integer({ min: 1, max: 14 }),
  seed: fc.nat(1_000_000),
  acks: fc.boolean(),
  weather: fc.constantFrom(...(Object.keys(WEATHER) as Plan['weather'][])),
  caps: fc.constantFrom(...(Object.keys(CAPS) as Plan['caps'][])),
  reload: fc.constantFrom(0, 0, 0.1),
  reopen: fc.constantFrom(0, 0, 0.1),
});

export interface Run {
  chain: Chain;
  sample: Sample;
  options: ChainOptions;
  /** Whether the whole stream must be on screen once all is quiet. */
  complete: boolean;
}

/** Long enough for every wait, probe and replay there is. */
const QUIET_MS = 120_000;

/** The stream up to the moment before its result, checked at every step. */
export function runStream(plan: Plan, makeRuntime?: MakeRuntime, check = checkStep): Run {
  const sample = createSample(plan.kind, plan.chunks, plan.seed);
  const options: ChainOptions = {
    sample,
    seed: plan.seed,
    acks: plan.acks,
    limits: CAPS[plan.caps],
    ...WEATHER[plan.weather],
  };
  const draw = createDraw(plan.seed + 1);
  const chain = createChain(options, makeRuntime);
  const run: Run = { chain, sample, options, complete: false };
  let opens = Math.floor(draw.random() * 3);
  chain.output.input({ kind: plan.kind });
  do {
    if (opens-- === 0) chain.load();
    if (chain.document && draw.chance(plan.reload)) chain.load();
    // A view that knows no epochs cannot tell a replay from what follows; it has to be a new document.
    if (chain.document && plan.acks && draw.chance(plan.reopen)) chain.reopen();
    if (draw.chance(0.6)) chain.scheduler.advance(draw.of([0, 1, 16, 60, 300]));
    check(run);
  } while (chain.push());
  if (!chain.document) chain.load();
  return run;
}

/** Lets everything under way arrive. */
export function settle(run: Run, plan: Plan): void {
  const { chain } = run;
  chain.scheduler.advance(QUIET_MS);
  const reported = chain.feedEvents.some(({ type }) => type === 'final_only');
  const lossless = plan.weather === 'deafHost' || LOSSLESS.some((name) => name === plan.weather);
  checkMessages(chain, run.options);
  run.complete = lossless && !reported && plan.caps !== 'tight';
}

export function checkStep(run: Run): void {
  checkCaps(run.chain, run.options);
  checkCounters(run.chain);
  checkShown(run.chain, run.sample);
}
