/* JSON pointers as the data model reads them: empty segments count for nothing. */

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replace(/~([01])/g, (_, digit) => (digit === '1' ? '/' : '~')));
}

/** Whether a path stays on own data (field case 47). */
export function isSafePath(path: string): boolean {
  return !segmentsOf(path).some((segment) => FORBIDDEN.has(segment));
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
