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

/** Where an event that stands for a message counts; the rest are for the observer only. */
const COUNTED: Partial<Record<RuntimeEvent['type'], keyof RuntimeCounters>> = {
  rejected: 'rejected',
  too_far: 'rejected',
  foreign_token: 'foreign',
  duplicate: 'duplicates',
  late: 'late',
  stale_epoch: 'late',
  gap: 'gaps',
};

export function tally(counters: RuntimeCounters, event: RuntimeEvent): void {
  const { type } = event;
  const counter = type === 'consumer_failed' && event.stage === 'chunk' ? 'rejected' : COUNTED[type];
  if (counter) counters[counter]++;
  if (type === 'gap') counters.skipped += event.last - event.first + 1;
}
