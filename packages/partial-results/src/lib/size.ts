/** Flat cost of a number, boolean, `null` or container in {@link estimateSize}. */
const SCALAR = 16;

/** Levels of nesting measured; what is deeper is not meant to be shown, and would overflow the stack here and after. */
const MAX_LEVELS = 500;

/**
 * Estimated bytes of a value once cloned by `postMessage`: two per character, since one character
 * above U+00FF makes a whole string serialize at that width. A quarter of the cost of
 * `JSON.stringify`. Reads own enumerable keys only; stops counting beyond `enough`.
 * @param enough stop early once the sum exceeds this. Default: never.
 * @param levels of nesting measured. Default 500.
 * @returns `Infinity` for what is nested more deeply.
 */
export function estimateSize(value: unknown, enough: number = Infinity, levels: number = MAX_LEVELS): number {
  if (typeof value === 'string') return SCALAR + value.length * 2;
  if (typeof value !== 'object' || value === null) return SCALAR;
  if (levels === 0) return Infinity;
  let size = SCALAR;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += estimateSize(item, enough - size, levels - 1);
      if (size > enough) return size;
    }
    return size;
  }
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    size += key.length * 2 + estimateSize(item, enough - size, levels - 1);
    if (size > enough) return size;
  }
  return size;
}
