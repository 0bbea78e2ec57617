import type { Servers } from '../harness/serve.ts';
import type { OpenPage } from '../harness/browser.ts';
import type { Sheet } from './figures.ts';

/** How much of a scenario is run. */
export interface Effort {
  /** Paired rounds. */
  rounds: number;
  /** Multiplies counts and durations. */
  scale: number;
  /** Only structure and counts: no figure of it means anything. */
  quick: boolean;
}

export interface Bench {
  sheet: Sheet;
  effort: Effort;
  servers: Servers;
  /** The host page in a Chromium that nothing is attached to; made when first asked for. */
  page(): Promise<OpenPage>;
  log(line: string): void;
  /** A statement on structure or counts. Fails the run, also in quick mode. */
  assert(what: string, ok: boolean, detail?: unknown): void;
}

export interface Scenario {
  name: string;
  run(bench: Bench): Promise<void>;
}

/** Each rival once a round; the order turns, so that none always follows the same one. */
export async function rounds<T>(
  { effort }: Pick<Bench, 'effort'>,
  rivals: readonly T[],
  run: (rival: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < effort.rounds; round++) {
    for (let i = 0; i < rivals.length; i++) await run(rivals[(i + round) % rivals.length]!, round);
  }
}

/** A number of messages for this effort, at least `least`. */
export const scaled = ({ effort }: Pick<Bench, 'effort'>, count: number, least = 1): number =>
  Math.max(least, Math.round(count * effort.scale));
