import { isPlainObject } from './guards.ts';
import { hasA2uiMessages } from './message-stream.ts';
import type { ContentBlock, MergeMode, MergeModes, PartialResultBody } from './types.ts';
import { MERGE_META_KEY, PATCHES_META_KEY } from './vocabulary.ts';

/*
 * How two neighbours of one stream become one, and how a whole stream becomes a value. Both halves
 * obey one law, tested as a property: folding a merged chunk equals folding its parts in order.
 */

const MODES: ReadonlySet<unknown> = new Set<MergeMode>(['append', 'replace', 'merge-patch', 'jsonl']);

/**
 * Reads the declared modes from `_meta` objects; a later one overrides an earlier one per part.
 * Names that are not modes are ignored, which leaves the part unmerged.
 */
export function readMergeModes(...metas: Array<Record<string, unknown> | undefined>): MergeModes {
  const modes: MergeModes = {};
  for (const meta of metas) {
    const declared = meta?.[MERGE_META_KEY];
    if (!isPlainObject(declared)) continue;
    const { content, structuredContent } = declared;
    if (MODES.has(content)) modes.content = content as MergeMode;
    if (MODES.has(structuredContent)) modes.structuredContent = structuredContent as MergeMode;
  }
  return modes;
}

/** Whether `next`, directly after `prev`, can travel as one message with it. */
export function canMerge(prev: PartialResultBody, next: PartialResultBody, modes: MergeModes): boolean {
  return (
    !prev.final &&
    canMergeContent(prev.content, next.content, modes.content) &&
    canMergeStructured(prev, next, modes.structuredContent) &&
    sameOtherMeta(prev._meta, next._meta)
  );
}

/** `next` after `prev` as one body. Call only when {@link canMerge} allows it. */
export function mergeBodies(
  prev: PartialResultBody,
  next: PartialResultBody,
  modes: MergeModes,
): PartialResultBody {
  const merged: PartialResultBody = {};
  const content = next.content ? foldContent(prev.content ?? [], next.content, modes.content) : prev.content;
  if (content) merged.content = content;
  if (next.final) merged.final = true;

  const meta = { ...prev._meta, ...next._meta };
  delete meta[PATCHES_META_KEY];
  if (modes.structuredContent === 'merge-patch') {
    const [first, ...rest] = [...patchesOf(prev), ...patchesOf(next)];
    if (first !== undefined) merged.structuredContent = first;
    if (rest.length > 0) meta[PATCHES_META_KEY] = rest;
  } else {
    const value = foldStructured(prev.structuredContent, next.structuredContent, modes.structuredContent);
    if (value !== undefined) merged.structuredContent = value;
  }
  if (Object.keys(meta).length > 0) merged._meta = meta;
  return merged;
}

/** The structured updates a body carries, in order: `structuredContent`, then its further patches. */
export function patchesOf(body: PartialResultBody): unknown[] {
  const more = body._meta?.[PATCHES_META_KEY];
  const patches = body.structuredContent === undefined ? [] : [body.structuredContent];
  return Array.isArray(more) ? patches.concat(more) : patches;
}

/**
 * The blocks shown so far with `next` applied. Without a mode blocks append: what a view that was
 * told nothing can do without losing any.
 */
export function foldContent(
  shown: readonly ContentBlock[],
  next: readonly ContentBlock[],
  mode: MergeMode | undefined,
): ContentBlock[] {
  if (mode === 'replace') return [...next];
  const [head, ...tail] = next;
  const last = shown.at(-1);
  const joined = head && last && mode !== undefined ? joinBlocks(last, head) : undefined;
  return joined ? [...shown.slice(0, -1), joined, ...tail] : [...shown, ...next];
}

/**
 * The structured value so far with one update applied; without a mode the latest is the value.
 * @param own objects and lists in `value` that nobody else holds: they are changed in place, every other is copied
 * first, and the copies are added. With one `own` over a run of updates each costs what it changes, and no more.
 */
export function foldStructured(
  value: unknown,
  next: unknown,
  mode: MergeMode | undefined,
  own: WeakSet<object> = new WeakSet(),
): unknown {
  if (next === undefined) return value;
  if (mode === 'merge-patch') return applyMergePatch(value, next, own);
  return mode === 'append' || mode === 'jsonl' ? appendStructured(value, next, own) : next;
}

/**
 * RFC 7396, without touching `target` and without reaching a prototype. Patches may be nested to any depth.
 * @param own see {@link foldStructured}.
 */
export function applyMergePatch(
  target: unknown,
  patch: unknown,
  own: WeakSet<object> = new WeakSet(),
): unknown {
  if (!isPlainObject(patch)) return patch;
  const root = ownObject(target, own);
  const open = [{ into: root, patch }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { into } = step;
    for (const key of Object.keys(step.patch)) {
      const value = step.patch[key];
      if (value === null) delete into[key];
      else if (isPlainObject(value)) {
        const inner = ownObject(getOwn(into, key), own);
        setOwn(into, key, inner);
        open.push({ into: inner, patch: value });
      } else setOwn(into, key, value);
    }
  }
  return root;
}

function canMergeContent(
  prev: readonly ContentBlock[] | undefined,
  next: readonly ContentBlock[] | undefined,
  mode: MergeMode | undefined,
): boolean {
  if (prev === undefined || next === undefined) return true;
  if (mode === 'replace') return !hasA2uiMessages(prev);
  return mode === 'append' || mode === 'jsonl';
}

function canMergeStructured(
  prev: PartialResultBody,
  next: PartialResultBody,
  mode: MergeMode | undefined,
): boolean {
  const a = prev.structuredContent;
  const b = next.structuredContent;
  if (a === undefined || b === undefined) return true;
  if (mode === 'replace' || mode === 'merge-patch') return true;
  if (mode === undefined) return false;
  // Concatenation is associative only where both sides are lists, or objects whose shared keys are.
  if (Array.isArray(a) && Array.isArray(b)) return true;
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  return Object.keys(b).every(
    (key) => !Object.hasOwn(a, key) || (Array.isArray(a[key]) && Array.isArray(b[key])),
  );
}

function appendStructured(value: unknown, next: unknown, own: WeakSet<object>): unknown {
  if (Array.isArray(value) && Array.isArray(next)) return appendList(value, next, own);
  if (!isPlainObject(value) || !isPlainObject(next)) return next;
  const result = ownObject(value, own);
  for (const key of Object.keys(next)) {
    const known = getOwn(result, key);
    const added = next[key];
    setOwn(result, key, Array.isArray(known) && Array.isArray(added) ? appendList(known, added, own) : added);
  }
  return result;
}

function appendList(list: unknown[], added: readonly unknown[], own: WeakSet<object>): unknown[] {
  if (own.has(list)) {
    for (const item of added) list.push(item);
    return list;
  }
  const copy = list.concat(added);
  own.add(copy);
  return copy;
}

function ownObject(value: unknown, own: WeakSet<object>): Record<string, unknown> {
  if (!isPlainObject(value)) return claim({}, own);
  return own.has(value) ? value : claim({ ...value }, own);
}

function claim(made: Record<string, unknown>, own: WeakSet<object>): Record<string, unknown> {
  own.add(made);
  return made;
}

function getOwn(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An assignment to `__proto__` would replace the prototype; as data it is a key like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Two neighbouring blocks as one, when both are text, or text of one resource, with equal metadata. */
function joinBlocks(a: ContentBlock, b: ContentBlock): ContentBlock | undefined {
  if (a.type === 'text' && b.type === 'text') {
    return sameExcept('text', a, b) ? { ...a, text: `${a.text}${b.text}` } : undefined;
  }
  if (a.type !== 'resource' || b.type !== 'resource' || !a.resource || !b.resource) return undefined;
  if (typeof a.resource.text !== 'string' || typeof b.resource.text !== 'string') return undefined;
  if (!sameExcept('resource', a, b) || !sameExcept('text', a.resource, b.resource)) return undefined;
  return { ...a, resource: { ...a.resource, text: a.resource.text + b.resource.text } };
}

function sameExcept(skipped: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  keys.delete(skipped);
  for (const key of keys) if (!sameJson(a[key], b[key])) return false;
  return true;
}

function sameOtherMeta(
  a: Record<string, unknown> | undefined,
  b: Record<string, unknown> | undefined,
): boolean {
  if (a === b) return true;
  return sameExcept(PATCHES_META_KEY, a ?? {}, b ?? {});
}

/** Levels of metadata compared; what is deeper counts as different, and its block stays as it is. */
const MAX_META_LEVELS = 32;

function sameJson(a: unknown, b: unknown, levels: number = MAX_META_LEVELS): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || levels === 0)
    return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as never], b[key as never], levels - 1));
}
