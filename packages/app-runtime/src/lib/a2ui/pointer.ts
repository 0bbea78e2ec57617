import type { DataModel } from '@a2ui/web_core/v0_9';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';

/* JSON pointers as the data model reads them: empty segments count for nothing. */

/** Levels that a path may reach down; as deep as a message may be nested. Everything that walks data recurses. */
const MAX_SEGMENTS = 128;
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replace(/~([01])/g, (_, digit) => (digit === '1' ? '/' : '~')));
}

/** Whether a path stays on own data (field case 47), and within a depth that can be walked. */
export function isSafePath(path: string): boolean {
  const segments = segmentsOf(path);
  return segments.length <= MAX_SEGMENTS && !segments.some((segment) => FORBIDDEN.has(segment));
}

export function isIndex(segment: string): boolean {
  return /^(0|[1-9]\d*)$/.test(segment);
}

/** A binding's path seen from a list item. */
export function resolvePath(base: string, path: string): string {
  if (path.startsWith('/')) return path;
  if (path === '' || path === '.') return base;
  return base.endsWith('/') ? `${base}${path}` : `${base}/${path}`;
}

/** Whether `path` is `ancestor` or below it. */
export function isWithin(path: string, ancestor: string): boolean {
  const own = segmentsOf(path);
  return segmentsOf(ancestor).every((segment, i) => own[i] === segment);
}

/**
 * Remembers what a write to `path` is about to change: the containers and the length of a list that it would make,
 * too, which no write of the old value takes back.
 * @returns undoes the write.
 */
export function checkpoint(data: DataModel, path: string): () => void {
  const segments = segmentsOf(path);
  const root: unknown = data.get('/');
  let container = root;
  for (
    let segment = segments.shift();
    segment !== undefined && isHolder(container);
    segment = segments.shift()
  ) {
    const value = Object.hasOwn(container, segment) ? container[segment] : undefined;
    if (segments.length > 0 && isHolder(value)) container = value;
    else return checkpointIn(container, segment);
  }
  return () => void data.set('/', root);
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function checkpointIn(container: Record<string, unknown>, key: string): () => void {
  const had = Object.hasOwn(container, key);
  const before = container[key];
  const length = Array.isArray(container) ? container.length : undefined;
  return () => {
    if (had) container[key] = before;
    else delete container[key];
    if (length !== undefined) container['length'] = length;
  };
}

/**
 * Whether a write to `path` would set an array index above `maxIndex`, which makes a huge sparse array.
 * Only a container that exists tells an array index from a key: an absent one becomes an array.
 */
export function reachesBeyond(data: DataModel, path: string, maxIndex: number): boolean {
  let container: unknown = data.get('/');
  for (const segment of segmentsOf(path)) {
    const array = Array.isArray(container) || container === undefined || container === null;
    if (array && isIndex(segment) && Number(segment) > maxIndex) return true;
    container = isPlainObject(container) || Array.isArray(container) ? Object(container)[segment] : undefined;
  }
  return false;
}
