/*
 * Matching in time linear in the value, for patterns an agent wrote (field case 48). The engine built
 * in backtracks: `^(a{1,10})*$` on 30 characters stops the page. Screening patterns for trouble
 * misses some and refuses harmless ones, and the one well-kept engine on npm is 260 kB, more than the
 * renderer. Only membership is needed here, so: parse, compile to a state machine, walk all its states
 * at once. Look-around and back-references do not fit a state machine and are refused.
 */

import {
  CLASS_RANGES,
  createAlphabet,
  execute,
  invert,
  LINE_ENDS,
  type CodeRange,
  type Instruction,
  type Run,
} from './regex-program.ts';

type Node =
  | { type: 'char'; set: number }
  | { type: 'assert'; kind: 'start' | 'end' | 'boundary' | 'noBoundary' }
  | { type: 'all'; items: Node[] }
  | { type: 'any'; items: Node[] }
  | { type: 'repeat'; item: Node; min: number; max: number };

const MAX_PATTERN_CHARS = 1_000;
/** States after repetitions are written out; `(a{1,1000}){1,1000}` would be a million. */
const MAX_INSTRUCTIONS = 5_000;
const MAX_NESTING = 50;

/** Thrown for a pattern that is not one, or is beyond what a state machine can do. */
export class PatternError extends Error {}

/** Steps of one test, see {@link Run}: some ten milliseconds; an ordinary pattern needs a few a character. */
export const MAX_STEPS = 1_000_000;

const { d, w, s } = CLASS_RANGES;
const CLASSES: Readonly<Record<string, readonly CodeRange[]>> = {
  d,
  D: invert(d),
  w,
  W: invert(w),
  s,
  S: invert(s),
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', '0': '\0' };

/** Whether a pattern is found in a value, as `RegExp.prototype.test` without flags; gives up after {@link MAX_STEPS}. */
export type Pattern = (value: string) => Run;

/** @throws PatternError for a syntax error, look-around, a back-reference, or a pattern too large. */
export function compilePattern(pattern: string): Pattern {
  if (pattern.length > MAX_PATTERN_CHARS) throw new PatternError('the pattern is too long');
  const program: Instruction[] = [];
  const { node, sets } = parse(pattern);
  // Reckoned before anything is written out: an empty group repeats without adding an instruction.
  if (steps(node) > MAX_INSTRUCTIONS) throw new PatternError('the pattern is too large');
  emit(node, program);
  program.push({ op: 'match' });
  const alphabet = createAlphabet(sets);
  return (value) => execute(program, alphabet, value, MAX_STEPS);
}

function parse(pattern: string): { node: Node; sets: Array<readonly CodeRange[]> } {
  const sets: Array<readonly CodeRange[]> = [];
  let at = 0;

  function oneOf(ranges: readonly CodeRange[]): Node {
    return { type: 'char', set: sets.push(ranges) - 1 };
  }

  function alternatives(level: number): Node {
    if (level > MAX_NESTING) throw new PatternError('groups are nested too deeply');
    const items = [sequence(level)];
    while (pattern[at] === '|') {
      at++;
      items.push(sequence(level));
    }
    return items.length === 1 ? items[0]! : { type: 'any', items };
  }

  function sequence(level: number): Node {
    const items: Node[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') items.push(quantified(level));
    return { type: 'all', items };
  }

  function quantified(level: number): Node {
    const item = atom(level);
    const bounds = quantifier();
    if (!bounds) return item;
    if (item.type === 'assert') throw new PatternError('nothing to repeat');
    // Lazy or greedy finds the same matches.
    if (pattern[at] === '?') at++;
    if (quantifier()) throw new PatternError('nothing to repeat');
    return { type: 'repeat', item, ...bounds };
  }

  function quantifier(): { min: number; max: number } | undefined {
    const simple = { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[pattern[at] ?? ''];
    if (simple) {
      at++;
      return { min: simple[0]!, max: simple[1]! };
    }
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at));
    if (!counted) return undefined;
    at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === '' ? Infinity : Number(counted[3]);
    if (max < min) throw new PatternError('numbers out of order in a quantifier');
    return { min, max };
  }

  function atom(level: number): Node {
    const char = pattern[at++]!;
    switch (char) {
      case '^':
        return { type: 'assert', kind: 'start' };
      case '$':
        return { type: 'assert', kind: 'end' };
      case '.':
        return oneOf(invert(LINE_ENDS));
      case '(':
        return group(level);
      case '[':
        return oneOf(characterClass());
      case '\\':
        if (pattern[at] === 'b' || pattern[at] === 'B') {
          return { type: 'assert', kind: pattern[at++] === 'b' ? 'boundary' : 'noBoundary' };
        }
        return oneOf(toRanges(escape()));
      case '*':
      case '+':
      case '?':
        throw new PatternError('nothing to repeat');
      default:
        return oneOf(toRanges(char));
    }
  }

  function group(level: number): Node {
    if (pattern[at] === '?') {
      const kind = /^\?(:|<[A-Za-z_$][\w$]*>)/.exec(pattern.slice(at));
      if (!kind) throw new PatternError('look-around and flags in a pattern are not supported');
      at += kind[0].length;
    }
    const inner = alternatives(level + 1);
    if (pattern[at++] !== ')') throw new PatternError('a group is not closed');
    return inner;
  }

  function characterClass(): CodeRange[] {
    const negated = pattern[at] === '^';
    if (negated) at++;
    const ranges: CodeRange[] = [];
    while (pattern[at] !== ']') {
      if (at >= pattern.length) throw new PatternError('a character class is not closed');
      const from = classItem();
      if (pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']') {
        at++;
        const to = classItem();
        if (typeof from === 'string' && typeof to === 'string') {
          if (to < from) throw new PatternError('a range in a character class is out of order');
          ranges.push([from.charCodeAt(0), to.charCodeAt(0)]);
        } else ranges.push(...toRanges(from), ...toRanges('-'), ...toRanges(to));
      } else ranges.push(...toRanges(from));
    }
    at++;
    return negated ? invert(ranges) : ranges;
  }

  function classItem(): string | readonly CodeRange[] {
    const char = pattern[at++]!;
    if (char !== '\\') return char;
    if (pattern[at] === 'b') {
      at++;
      return '\b';
    }
    return escape();
  }

  /** After a backslash: a class, or the character that is meant. */
  function escape(): string | readonly CodeRange[] {
    const char = pattern[at++];
    if (char === undefined) throw new PatternError('the pattern ends in a backslash');
    if (Object.hasOwn(CLASSES, char)) return CLASSES[char]!;
    if (char === '0' && /^\d/.test(pattern[at] ?? ''))
      throw new PatternError('octal escapes are not supported');
    if (Object.hasOwn(ESCAPES, char)) return ESCAPES[char]!;
    const code = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(char + pattern.slice(at, at + 4));
    if (code) {
      at += code[0].length - 1;
      return String.fromCharCode(parseInt(code[1] ?? code[2]!, 16));
    }
    if (/^[A-Za-z1-9]$/.test(char)) throw new PatternError(`\\${char} is not supported`);
    return char;
  }

  const node = alternatives(0);
  if (at < pattern.length) throw new PatternError('a group is closed but was not opened');
  return { node, sets };
}

function toRanges(item: string | readonly CodeRange[]): readonly CodeRange[] {
  if (typeof item !== 'string') return item;
  const code = item.charCodeAt(0);
  return [[code, code]];
}

/** How many times `emit` will be called for a node and all that is in it. */
function steps(node: Node): number {
  if (node.type === 'all' || node.type === 'any')
    return node.items.reduce((sum, item) => sum + steps(item), 1);
  if (node.type !== 'repeat') return 1;
  const rounds = node.max === Infinity ? node.min + 1 : node.max;
  return 1 + rounds * steps(node.item);
}

function emit(node: Node, program: Instruction[]): void {
  switch (node.type) {
    case 'char':
      program.push({ op: 'char', set: node.set });
      return;
    case 'assert':
      program.push({ op: 'assert', kind: node.kind });
      return;
    case 'all':
      for (const item of node.items) emit(item, program);
      return;
    case 'any':
      emitAny(node.items, program);
      return;
    case 'repeat':
      emitRepeat(node.item, node.min, node.max, program);
      return;
    default:
  }
}

function emitAny(items: Node[], program: Instruction[]): void {
  const split: Instruction & { op: 'split' } = { op: 'split', to: [] };
  program.push(split);
  const exits: number[][] = [];
  for (const item of items) {
    split.to.push(program.length);
    emit(item, program);
    const exit: Instruction & { op: 'split' } = { op: 'split', to: [] };
    exits.push(exit.to);
    program.push(exit);
  }
  for (const to of exits) to.push(program.length);
}

function emitRepeat(item: Node, min: number, max: number, program: Instruction[]): void {
  const optional = max === Infinity ? 1 : max - min;
  for (let i = 0; i < min; i++) emit(item, program);
  const exits: number[][] = [];
  for (let i = 0; i < optional; i++) {
    const start = program.length;
    const split: Instruction & { op: 'split' } = { op: 'split', to: [start + 1] };
    exits.push(split.to);
    program.push(split);
    emit(item, program);
    if (max === Infinity) program.push({ op: 'split', to: [start] });
  }
  for (const to of exits) to.push(program.length);
}
