import { isPlainObject } from '@mcp-apps-bridge/partial-results';

/** What became of the messages of all epochs, as the view counts. */
export interface ViewCounters {
  applied: number;
  skipped: number;
  rejected: number;
  duplicates: number;
  late: number;
  gaps: number;
}

export interface Ack {
  epoch: number;
  /** Everything up to it is settled; -1 for nothing. */
  seq: number;
  counters?: ViewCounters;
}

const COUNTERS = ['applied', 'skipped', 'rejected', 'duplicates', 'late', 'gaps'] as const;

/** Reads an ack, or says which field is wrong; a view is untrusted. */
export function parseAck(params: unknown): Ack | { path: string; message: string } {
  if (!isPlainObject(params)) return { path: '$', message: '$: must be an object' };
  const { seq, epoch = 0, counters } = params;
  if (!isInteger(epoch, 0)) return { path: '$.epoch', message: '$.epoch: must be an integer from 0' };
  if (!isInteger(seq, -1)) return { path: '$.seq', message: '$.seq: must be an integer from -1' };
  const ack: Ack = { epoch, seq };
  if (counters === undefined || counters === null) return ack;
  if (!isPlainObject(counters)) return { path: '$.counters', message: '$.counters: must be an object' };
  const read: Partial<ViewCounters> = {};
  for (const name of COUNTERS) {
    const value = counters[name] ?? 0;
    if (!isInteger(value, 0))
      return { path: `$.counters.${name}`, message: `$.counters.${name}: must be an integer from 0` };
    read[name] = value;
  }
  ack.counters = read as ViewCounters;
  return ack;
}

function isInteger(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min;
}
