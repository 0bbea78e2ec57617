import type { RuntimeCounters, RuntimeEvent } from './types.ts';

export function createCounters(): RuntimeCounters {
  return {
    received: 0,
    bytes: 0,
    applied: 0,
    skipped: 0,
    rejected: 0,
    duplicates: 0,
    late: 0,
    gaps: 0,
    foreign: 0,
    held: 0,
    superseded: 0,
  };
}

/** Every event that stands for a message counts once; the rest are for the observer only. */
export function tally(counters: RuntimeCounters, event: RuntimeEvent): void {
  switch (event.type) {
    case 'rejected':
    case 'too_far':
      counters.rejected++;
      break;
    case 'consumer_failed':
      if (event.stage === 'chunk') counters.rejected++;
      break;
    case 'foreign_token':
      counters.foreign++;
      break;
    case 'duplicate':
      counters.duplicates++;
      break;
    case 'late':
    case 'stale_epoch':
      counters.late++;
      break;
    case 'gap':
      counters.gaps++;
      counters.skipped += event.last - event.first + 1;
      break;
    default:
  }
}
