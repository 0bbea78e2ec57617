import {
  createToolOutput,
  PACE_LIMITS,
  type OutputEvent,
  type ToolOutput,
} from '@mcp-apps-bridge/host-bridge';
import { basicCatalog } from '@a2ui/lit/v0_9';
import { MessageProcessor } from '@a2ui/web_core/v0_9';
import type { Faults } from '@mcp-apps-bridge/partial-results/testing';
import type { AppLog, AppState, SentChunk } from '../shared/config.ts';
import { inParallel, until, type Checker } from './check.ts';
import { appHtml, atRest, ended, openRig, type Rig } from './rig.ts';
import {
  a2uiBlock,
  chunkOf,
  cut,
  EXAMPLES,
  inSmallMessages,
  linesOf,
  prescribed,
  resultOf,
  sendFaulty,
  type A2uiMessage,
  type Example,
} from './stream.ts';

/* Delays stay far below what a missing chunk is waited for, so that only what is lost is given up. */
const REORDERS: Faults = { duplicate: 0.2, delay: 0.4, maxDelayMs: 40, stall: 0.05, maxStallMs: 80 };
const LOSES: Faults = { drop: 0.08, duplicate: 0.1, delay: 0.3, maxDelayMs: 40 };
/* On a slow machine most acks answer a probe; a view none of whose answers comes is left alone until the result. */
const BAD_ACKS: Faults = {
  drop: 0.25,
  maxDropsInRow: PACE_LIMITS.maxProbes - 2,
  duplicate: 0.1,
  delay: 0.2,
  maxDelayMs: 40,
};
const PATIENT = 30_000;

export interface ExampleOptions {
  /** Runs of each kind for each example. */
  seeds: number;
  /** The control: an app that gets chunks and does nothing with them. */
  ignorePartials: boolean;
  /** How many views are open at once. */
  width: number;
  /** Only every so-many-th example. */
  step: number;
  /** One kind of run for each example, in turn, instead of all. */
  oneKind: boolean;
}

/**
 * Every official example, cut anywhere, through two faulty hops. What is shown just before the result is the
 * fold of what was to be taken, and what is shown at the end is what a run without chunks shows.
 */
export async function checkExamples(check: Checker, options: ExampleOptions): Promise<void> {
  check.ok('all 43 are there', EXAMPLES.length === 43, () => String(EXAMPLES.length));
  const chosen = EXAMPLES.filter((_, i) => i % options.step === 0);
  const losses = { host: 0, view: 0 };
  await inParallel(chosen, options.width, async (example) =>
    check.group(example.name, async (inner) => {
      const end = await finalOnly(example);
      inner.same('the result alone shows its data', dataOf(end.model), plainData(example.messages));
      for (let round = 0; round < options.seeds; round++) {
        const seed = 1_000 * (round + 1) + EXAMPLES.indexOf(example);
        const run = { example, seed, end, options };
        const kinds: [string, (one: Checker) => Promise<void>][] = [
          ['reordered', async (one) => withoutLoss(one, run)],
          ['with losses', async (one) => withLoss(one, run, losses)],
          ['cut short', async (one) => cutShort(one, run)],
        ];
        const chosenKinds = options.oneKind ? [kinds[seed % kinds.length]!] : kinds;
        for (const [kind, runKind] of chosenKinds) await inner.group(`${kind}, seed ${seed}`, runKind);
      }
    }),
  );
  if (!options.ignorePartials) {
    check.ok('losses there were, on both hops', losses.host > 0 && losses.view > 0, () =>
      JSON.stringify(losses),
    );
  }
}

interface Run {
  example: Example;
  seed: number;
  end: AppState;
  options: ExampleOptions;
}

async function finalOnly({ messages }: Example): Promise<AppState> {
  const output = createToolOutput();
  const rig = await openRig(await appHtml({}), output);
  await rig.ready();
  output.finish(resultOf(messages));
  const state = await ended(rig);
  await rig.close();
  return state;
}

async function withoutLoss(check: Checker, { example, seed, end, options }: Run): Promise<void> {
  const { messages } = example;
  const output = createToolOutput({ limits: { reorder: { maxWaitMs: PATIENT } } });
  const config = {
    seed,
    faults: REORDERS,
    ackFaults: BAD_ACKS,
    maxWaitMs: PATIENT,
    ignorePartials: options.ignorePartials,
  };
  const rig = await openRig(await appHtml(config), output);
  const text = linesOf(inSmallMessages(messages));
  const pieces = piecesOf(text, seed);
  const sending = sendFaulty(
    output,
    pieces.map((text, seq) => chunkOf(seq, text)),
    { seed, faults: REORDERS, everyMs: 2 },
  );
  await rig.ready();
  await until('the chunks to be through', () => sending.through);
  const log = await atRest(rig, output);
  check.same('every message passes the host once, in order', textOf(lastEpoch(log)), text);
  const state = await rig.state();
  const fold = (await rig.ask('fold', { text })) as AppState;
  check.same('before the result: the page is the fold of all chunks', state.page, fold.page);
  check.same('before the result: so are components and data', state.model, fold.model);
  check.same(
    'before the result: data as any A2UI processor has it',
    dataOf(state.model),
    plainData(messages),
  );
  check.same('no gap was reported', [output.counters.gaps, state.counters['gaps']], [0, 0]);
  await checkEnd(check, rig, output, messages, end);
}

async function withLoss(check: Checker, run: Run, losses: { host: number; view: number }): Promise<void> {
  const { example, seed, end, options } = run;
  const { messages } = example;
  const late = new Set<number>();
  const onEvent = (event: OutputEvent): void => {
    if (event.type === 'chunk_late') late.add(event.seq);
  };
  const output = createToolOutput({ limits: { reorder: { maxWaitMs: 500 } }, onEvent });
  const config = {
    seed,
    faults: LOSES,
    ackFaults: BAD_ACKS,
    maxWaitMs: 400,
    ignorePartials: options.ignorePartials,
  };
  const rig = await openRig(await appHtml(config), output, { feed: { pace: { lostAfterMs: 1_500 } } });
  const pieces = piecesOf(linesOf(inSmallMessages(messages)), seed + 7);
  const chunks = pieces.map((text, seq) => chunkOf(seq, text));
  // Ready first: what waits for a view is merged, and there would be little left to lose on the second hop.
  await rig.ready();
  const sending = sendFaulty(output, chunks, { seed: seed + 7, faults: LOSES, everyMs: 12 });
  await until('the chunks to be through', () => sending.through);
  const log = await atRest(rig, output);
  const taken = prescribed(pieces, new Set([...sending.lost, ...late]));
  const sent = lastEpoch(log);
  check.same('the host passes on what the gap rule leaves', textOf(sent), linesOf(taken));
  const shown = sent.filter(({ key }) => log.delivered.includes(key) && !log.late.includes(key));
  losses.host += sending.lost.size;
  losses.view += sent.length - shown.length;
  const state = await rig.state();
  const fold = (await rig.ask('fold', { text: textOf(shown) })) as AppState;
  check.same('before the result: the page is the fold of what arrived', state.page, fold.page);
  check.same('before the result: so are components and data', state.model, fold.model);
  await checkEnd(check, rig, output, messages, end);
}

/** The result comes in mid-stream, with chunks held, delayed and queued on every stage. */
async function cutShort(check: Checker, { example, seed, end, options }: Run): Promise<void> {
  const { messages } = example;
  const output = createToolOutput();
  const config = { seed, faults: LOSES, ackFaults: BAD_ACKS, ignorePartials: options.ignorePartials };
  const rig = await openRig(await appHtml(config), output);
  const pieces = piecesOf(linesOf(inSmallMessages(messages)), seed + 13);
  const chunks = pieces.map((text, seq) => chunkOf(seq, text));
  sendFaulty(output, chunks.slice(0, (seed * 7) % chunks.length), { seed, faults: LOSES, everyMs: 1 });
  await rig.ready();
  await checkEnd(check, rig, output, messages, end);
}

async function checkEnd(
  check: Checker,
  rig: Rig,
  output: ToolOutput,
  messages: readonly A2uiMessage[],
  end: AppState,
): Promise<void> {
  output.finish({ content: [a2uiBlock(linesOf(messages))] });
  const state = await ended(rig);
  check.same('the end: the page of a run without chunks', state.page, end.page);
  check.same('the end: its components and data', state.model, end.model);
  await rig.close();
}

/** Pieces about as long as a message, so that some hold several, and some none. */
const piecesOf = (text: string, seed: number): string[] => cut(text, text.split('\n').length + 8, seed);

type Keyed = SentChunk & { key: string };

/** What the host sent since it last began anew, each number once, in order. */
export function lastEpoch(log: AppLog): Keyed[] {
  const reached = Math.max(0, ...log.delivered.map((key) => Number(key.split('/')[0])));
  const byKey = new Map(
    log.sent
      .filter(({ epoch }) => epoch === reached)
      .map((chunk) => [`${chunk.epoch}/${chunk.seq}`, chunk] as const),
  );
  return [...byKey].map(([key, chunk]) => ({ ...chunk, key })).sort((a, b) => a.seq - b.seq);
}

const textOf = (chunks: readonly SentChunk[]): string => chunks.map(({ text }) => text).join('');

const dataOf = (model: unknown): unknown =>
  (model as { id: string; data: unknown }[]).map(({ id, data }) => ({ id, data }));

/** The data models that the messages make without any code of this project. */
function plainData(messages: readonly A2uiMessage[]): unknown {
  const processor = new MessageProcessor([basicCatalog] as never);
  for (const message of messages) processor.processMessages([message as never]);
  return [...processor.model.surfacesMap].map(([id, surface]) => ({
    id,
    data: surface.dataModel.get('/') as unknown,
  }));
}
