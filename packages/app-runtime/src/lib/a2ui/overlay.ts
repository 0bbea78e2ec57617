import { isIndex, isWithin, segmentsOf } from './pointer.ts';

/** What a user typed, apart from what the server sent, so that the one does not undo the other (D7). */
export interface Overlay {
  record(surfaceId: string, path: string, value: unknown): void;
  /** Forgets what lies at or below `path`: the server has answered it. */
  forget(surfaceId: string, path: string): void;
  /** Everything typed at or below `path`. */
  under(surfaceId: string, path: string): Array<{ path: string; value: unknown }>;
}

export function createOverlay(): Overlay {
  const typed = new Map<string, Map<string, unknown>>();
  return {
    record(surfaceId, path, value) {
      const paths = typed.get(surfaceId) ?? new Map<string, unknown>();
      typed.set(surfaceId, paths.set(path, value));
    },
    forget(surfaceId, path) {
      for (const known of typed.get(surfaceId)?.keys() ?? []) {
        if (isWithin(known, path)) typed.get(surfaceId)?.delete(known);
      }
    },
    under(surfaceId, path) {
      const entries = [...(typed.get(surfaceId) ?? [])];
      return entries
        .filter(([known]) => isWithin(known, path))
        .map(([known, value]) => ({ path: known, value }));
    },
  };
}

/**
 * Whether there is still a place for a typed value: what it belonged to exists, and it does not
 * replace an object or a list by a text.
 */
export function survives(read: (path: string) => unknown, path: string, value: unknown): boolean {
  const segments = segmentsOf(path);
  const name = segments.at(-1);
  if (name === undefined) return false;
  const parent = read(`/${segments.slice(0, -1).map(escapeSegment).join('/')}`);
  if (Array.isArray(parent) ? !isIndex(name) || Number(name) >= parent.length : !isContainer(parent))
    return false;
  const current = read(path);
  return current === undefined || current === null || isContainer(current) === isContainer(value);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
