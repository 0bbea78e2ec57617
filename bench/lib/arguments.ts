import { parseArgs } from 'node:util';
import type { Effort } from './scenario.ts';

export interface BenchArguments {
  effort: Effort;
  /** Names of scenarios; all when empty. */
  only: readonly string[];
  json?: string;
  markdown?: string;
  /** Baseline to compare with. */
  compare?: string;
  absolutes: boolean;
}

export const USAGE = `pnpm bench [scenario …] [options]

  --quick            structure and counts only, small: for CI
  --rounds N         paired rounds of each scenario (default 7)
  --scale X          multiplies counts and durations (default 1)
  --json FILE        writes every sample; what a baseline is made of
  --markdown FILE    puts the results between the markers of FILE
  --compare [FILE]   tells what changed beyond the noise (default bench/baseline.json)
  --absolutes        also compares times and rates: only for two runs on one machine`;

/** @throws Error with the usage on an unknown option or a number that is none. */
export function readArguments(args: readonly string[], baseline: string): BenchArguments {
  // parseArgs knows no option with an optional value.
  const given = args.flatMap((arg, i) => {
    const bare = arg === '--compare' && (args[i + 1] === undefined || args[i + 1]!.startsWith('--'));
    return bare ? [arg, baseline] : [arg];
  });
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      scale: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      compare: { type: 'string' },
      absolutes: { type: 'boolean', default: false },
    },
  });
  const number = (text: string | undefined, otherwise: number): number => {
    const value = text === undefined ? otherwise : Number(text);
    if (!(value > 0)) throw new Error(USAGE);
    return value;
  };
  const { quick } = values;
  return {
    effort: {
      rounds: number(values.rounds, quick ? 1 : 7),
      scale: number(values.scale, quick ? 0.05 : 1),
      quick,
    },
    only: positionals,
    absolutes: values.absolutes,
    ...(values.json !== undefined && { json: values.json }),
    ...(values.markdown !== undefined && { markdown: values.markdown }),
    ...(values.compare !== undefined && { compare: values.compare }),
  };
}
