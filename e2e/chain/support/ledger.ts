/** One message in its place. */
export interface Entry<T> {
  seq: number;
  item: T;
  /** Numbers directly before it were given up. */
  gap: boolean;
}

/**
 * What the rule of order says must have been applied, from nothing but what arrived and which numbers
 * were reported as given up: every number below the first that is neither, each once, none that came
 * after it was given up (S4, S6). Knows nothing of how a stage works inside.
 */
export interface Ledger<T> {
  arrive(seq: number, item: T): void;
  gap(first: number, last: number): void;
  readonly applied: readonly Entry<T>[];
  /** The reported gaps, in order. */
  readonly gaps: readonly { first: number; last: number }[];
  /** Arrived, but behind a number still waited for. */
  readonly waiting: number;
}

export function createLedger<T>(): Ledger<T> {
  const arrived = new Map<number, T>();
  const skipped = new Set<number>();
  const gaps: { first: number; last: number }[] = [];
  const applied: Entry<T>[] = [];
  let next = 0;

  function advance(): void {
    for (; arrived.has(next) || skipped.has(next); next++) {
      if (skipped.has(next)) continue;
      applied.push({ seq: next, item: arrived.get(next)!, gap: skipped.has(next - 1) });
      arrived.delete(next);
    }
  }

  return {
    arrive(seq, item) {
      if (seq < next || arrived.has(seq)) return;
      arrived.set(seq, item);
      advance();
    },
    gap(first, last) {
      if (first !== next) throw new Error(`gave up ${first} to ${last} while ${next} was next`);
      for (let seq = first; seq <= last; seq++) {
        if (arrived.has(seq)) throw new Error(`gave up ${seq}, which had arrived`);
        skipped.add(seq);
      }
      gaps.push({ first, last });
      advance();
    },
    applied,
    gaps,
    get waiting() {
      return arrived.size;
    },
  };
}
