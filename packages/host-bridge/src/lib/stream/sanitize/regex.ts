const MAX_CHARS = 256;
const MAX_REPEAT = 1_000;
/** Each repeat this wide multiplies the cost by the input's length; who runs the pattern caps that length. */
const WIDE = 64;
const MAX_WIDE = 3;

interface Group {
  /** Something inside repeats, or there is a choice: repeating the group could then backtrack without end. */
  branching: boolean;
  /** The most rounds that bounded repeats inside come to, one in the other. */
  rounds: number;
}

/**
 * Whether a pattern can be run on what a user types without hanging the view (field case 48). It
 * errs on the safe side: a group that is repeated must not contain a repeat (bounded ones included,
 * `(a{1,10})*` is as bad as `(a+)+`) or a choice; back references and more than three wide
 * repeats are out. Patterns for mail, telephone and postal codes pass.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > MAX_CHARS) return false;
  if (!compiles(pattern)) return false;
  const groups: Group[] = [{ branching: false, rounds: 1 }];
  let closed: Group | undefined;
  let wide = 0;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    const quantifier = readQuantifier(pattern, i);
    if (quantifier) {
      i += quantifier.length - 1;
      if (quantifier.max - quantifier.min > WIDE && ++wide > MAX_WIDE) return false;
      const rounds = (closed?.rounds ?? 1) * (quantifier.max === Infinity ? 1 : quantifier.max);
      if (rounds > MAX_REPEAT) return false;
      groups.at(-1)!.rounds = Math.max(groups.at(-1)!.rounds, rounds);
      if (quantifier.max > 1 && closed?.branching) return false;
      if (quantifier.max !== quantifier.min) groups.at(-1)!.branching = true;
      closed = undefined;
      continue;
    }
    closed = undefined;
    if (char === '\\') {
      if (/[1-9k]/.test(pattern[i + 1] ?? '')) return false;
      i++;
    } else if (char === '[') {
      i = endOfClass(pattern, i);
    } else if (char === '(') {
      groups.push({ branching: false, rounds: 1 });
      if (pattern[i + 1] === '?') i++;
    } else if (char === ')') {
      closed = groups.pop();
      const outer = groups.at(-1);
      if (closed && outer) {
        outer.branching ||= closed.branching;
        outer.rounds = Math.max(outer.rounds, closed.rounds);
      }
    } else if (char === '|') {
      groups.at(-1)!.branching = true;
    }
  }
  return true;
}

export function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

function readQuantifier(
  pattern: string,
  at: number,
): { min: number; max: number; length: number } | undefined {
  const char = pattern[at];
  const lazy = (length: number): number => (pattern[at + length] === '?' ? length + 1 : length);
  if (char === '*') return { min: 0, max: Infinity, length: lazy(1) };
  if (char === '+') return { min: 1, max: Infinity, length: lazy(1) };
  if (char === '?') return { min: 0, max: 1, length: lazy(1) };
  const braces = char === '{' ? /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(pattern.slice(at, at + 24)) : null;
  if (!braces) return undefined;
  const min = Number(braces[1]);
  const max = braces[2] ? (braces[3] ? Number(braces[3]) : Infinity) : min;
  return { min, max, length: lazy(braces[0].length) };
}

function endOfClass(pattern: string, at: number): number {
  for (let i = at + 1; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === ']') return i;
  }
  return pattern.length;
}
