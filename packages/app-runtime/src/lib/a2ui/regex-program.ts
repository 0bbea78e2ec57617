/* The state machine that `linear-regex.ts` writes, and how it runs. */

export type Test = (char: string) => boolean;

export type Instruction =
  | { op: 'char'; test: Test }
  | { op: 'assert'; kind: 'start' | 'end' | 'boundary' | 'noBoundary' }
  | { op: 'split'; to: number[] }
  | { op: 'match' };

export const isWord: Test = (char) => /^\w$/.test(char);

/** All states at once, one character after the other: at most one visit per state and character. */
export function execute(program: readonly Instruction[], value: string): boolean {
  let current: number[] = [];
  const seen = new Int32Array(program.length).fill(-1);

  /** Follows everything that takes no character. @returns whether the match is reached. */
  function enter(start: number, at: number, into: number[]): boolean {
    const open = [start];
    for (let pc = open.pop(); pc !== undefined; pc = open.pop()) {
      if (seen[pc] === at) continue;
      seen[pc] = at;
      const instruction = program[pc]!;
      if (instruction.op === 'match') return true;
      if (instruction.op === 'char') into.push(pc);
      else if (instruction.op === 'split') open.push(...instruction.to);
      else if (holds(instruction.kind, value, at)) open.push(pc + 1);
    }
    return false;
  }

  for (let at = 0; ; at++) {
    // A match may begin at every position.
    if (enter(0, at, current)) return true;
    if (at >= value.length) return false;
    const next: number[] = [];
    const char = value[at]!;
    for (const pc of current) {
      const instruction = program[pc]!;
      if (instruction.op === 'char' && instruction.test(char) && enter(pc + 1, at + 1, next)) return true;
    }
    current = next;
  }
}

function holds(kind: 'start' | 'end' | 'boundary' | 'noBoundary', value: string, at: number): boolean {
  if (kind === 'start') return at === 0;
  if (kind === 'end') return at === value.length;
  const boundary = isWord(value[at - 1] ?? '') !== isWord(value[at] ?? '');
  return boundary === (kind === 'boundary');
}
