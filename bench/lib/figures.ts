import { pairedRatios } from './stats.ts';

/** `ratio` and `count` mean the same on every machine; an `absolute` is comparable on one machine only. */
export type FigureKind = 'absolute' | 'ratio' | 'count';

/** One thing that was measured, once a round. */
export interface Figure {
  /** Path-like and stable: it is the key of a baseline. */
  name: string;
  unit: string;
  better: 'higher' | 'lower' | 'neither';
  kind: FigureKind;
  /** One a round, in the order of the rounds. */
  samples: number[];
}

/** Collects what a scenario measures. */
export interface Sheet {
  /** One more sample of a figure. */
  add(name: string, value: number, about?: Partial<Pick<Figure, 'unit' | 'better' | 'kind'>>): void;
  /** `over` divided by `under`, round by round; nothing where one of them is missing. */
  ratio(name: string, over: string, under: string, better?: Figure['better']): void;
  /** Something that could not be measured, and why. */
  skip(name: string, reason: string): void;
  get(name: string): Figure | undefined;
  readonly figures: readonly Figure[];
  readonly skipped: Readonly<Record<string, string>>;
}

export function createSheet(): Sheet {
  const figures = new Map<string, Figure>();
  const skipped: Record<string, string> = {};
  return {
    add(name, value, { unit = '', better = 'neither', kind = 'absolute' } = {}) {
      const figure = figures.get(name) ?? { name, unit, better, kind, samples: [] };
      figure.samples.push(value);
      figures.set(name, figure);
    },
    ratio(name, over, under, better = 'higher') {
      const [a, b] = [figures.get(over), figures.get(under)];
      if (!a || !b) return;
      const samples = pairedRatios(a.samples, b.samples);
      figures.set(name, { name, unit: '×', better, kind: 'ratio', samples });
    },
    skip(name, reason) {
      skipped[name] = reason;
    },
    get: (name) => figures.get(name),
    get figures() {
      return [...figures.values()];
    },
    skipped,
  };
}
