/* The state machine that `linear-regex.ts` writes, and how it runs. */

/** UTF-16 code units, both ends included. */
export type CodeRange = readonly [first: number, last: number];

export type Instruction =
  /** Takes one character of a set; see {@link Alphabet}. */
  | { op: 'char'; set: number }
  | { op: 'assert'; kind: 'start' | 'end' | 'boundary' | 'noBoundary' }
  | { op: 'split'; to: number[] }
  | { op: 'match' };

export interface Run {
  /** Whether the pattern was found; `undefined` when `maxSteps` came first. */
  found: boolean | undefined;
  /** Instructions looked at, and characters classified. */
  steps: number;
}

const WORD: readonly CodeRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
export const CLASS_RANGES: Readonly<Record<'d' | 'w' | 's', readonly CodeRange[]>> = {
  d: [[0x30, 0x39]],
  w: WORD,
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};
export const LINE_ENDS: readonly CodeRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** Everything outside the given ranges. */
export function invert(ranges: readonly CodeRange[]): CodeRange[] {
  const outside: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    if (first > next) outside.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= 0xffff) outside.push([next, 0xffff]);
  return outside;
}

/**
 * The characters that a pattern tells apart. Those that all its sets treat alike are one symbol, so a character is
 * classified once, whatever number of states look at it, and a set is one lookup, however many ranges it was written in.
 */
export interface Alphabet {
  symbolOf(code: number): number;
  /** For each set, whether it has each symbol: 1 or 0. */
  readonly sets: readonly Uint8Array[];
}

export function createAlphabet(sets: ReadonlyArray<readonly CodeRange[]>): Alphabet {
  // A symbol begins wherever a range begins or has just ended.
  const starts = new Set([0]);
  for (const ranges of sets) {
    for (const [first, last] of ranges) starts.add(first).add(last + 1);
  }
  const sorted = Uint32Array.from(starts).sort();

  function symbolOf(code: number): number {
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (sorted[middle]! <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function membersOf(ranges: readonly CodeRange[]): Uint8Array {
    const members = new Uint8Array(sorted.length);
    for (const [first, last] of ranges) members.fill(1, symbolOf(first), symbolOf(last) + 1);
    return members;
  }

  return { symbolOf, sets: sets.map(membersOf) };
}

/** All states at once, one character after the other: at most one visit per state and character. */
export function execute(
  program: readonly Instruction[],
  alphabet: Alphabet,
  value: string,
  maxSteps: number,
): Run {
  let current: number[] = [];
  let steps = 0;
  const seen = new Int32Array(program.length).fill(-1);
  const open: number[] = [];

  /** Follows everything that takes no character. @returns whether the match is reached. */
  function enter(start: number, at: number, into: number[]): boolean {
    open.length = 0;
    open.push(start);
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      steps++;
      if (seen[pc] === at) continue;
      seen[pc] = at;
      const instruction = program[pc]!;
      if (instruction.op === 'match') return true;
      if (instruction.op === 'char') into.push(pc);
      else if (instruction.op === 'split') for (const to of instruction.to) open.push(to);
      else if (holds(instruction.kind, value, at)) open.push(pc + 1);
    }
    return false;
  }

  for (let at = 0; ; at++) {
    // A match may begin at every position.
    if (enter(0, at, current)) return { found: true, steps };
    if (at >= value.length) return { found: false, steps };
    if (steps > maxSteps) return { found: undefined, steps };
    const next: number[] = [];
    const symbol = alphabet.symbolOf(value.charCodeAt(at));
    steps += 1 + current.length;
    for (const pc of current) {
      const instruction = program[pc]!;
      if (instruction.op !== 'char' || alphabet.sets[instruction.set]![symbol] === 0) continue;
      if (enter(pc + 1, at + 1, next)) return { found: true, steps };
    }
    current = next;
  }
}

function holds(kind: 'start' | 'end' | 'boundary' | 'noBoundary', value: string, at: number): boolean {
  if (kind === 'start') return at === 0;
  if (kind === 'end') return at === value.length;
  const boundary = isWord(value.charCodeAt(at - 1)) !== isWord(value.charCodeAt(at));
  return boundary === (kind === 'boundary');
}

/** `NaN`, beyond either end of the value, is none. */
function isWord(code: number): boolean {
  return WORD.some(([first, last]) => code >= first && code <= last);
}
