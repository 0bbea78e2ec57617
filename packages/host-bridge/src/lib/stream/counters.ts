import type { IntakeCode } from './intake.ts';
import type { SanitizeCode } from './sanitize/report.ts';

/**
 * Figures of one call. Each chunk received is in exactly one of `rejected`, `duplicates`, `late`,
 * `restarted`, `delivered`, `held`, `superseded` and `discarded`.
 */
export interface OutputCounters {
  received: number;
  /** Estimated, of the chunks that were well-formed. */
  bytes: number;
  rejected: number;
  rejectedBy: Partial<Record<IntakeCode, number>>;
  duplicates: number;
  late: number;
  /** From where the server began to number again under the same token: ignored. */
  restarted: number;
  /** Put in order and read. */
  delivered: number;
  /** Of those delivered: left nothing to show, being a piece of a message or refused. */
  withheld: number;
  /** Waiting behind a gap. */
  held: number;
  /** Still waiting when the result made them void. */
  superseded: number;
  /** Still waiting when the call was cancelled, tried again or closed. */
  discarded: number;
  /** Losses reported, and the numbers they covered. */
  gaps: number;
  missing: number;
  /** Lines of message streams dropped. */
  badRecords: number;
  /** Decisions of the sanitizer, on chunks and result. */
  sanitized: number;
  sanitizedBy: Partial<Record<SanitizeCode, number>>;
}

export interface OutputCounterBoard {
  received(): void;
  bytes(count: number): void;
  rejected(code: IntakeCode): void;
  duplicate(): void;
  late(): void;
  restarted(): void;
  delivered(): void;
  withheld(): void;
  superseded(count: number): void;
  discarded(count: number): void;
  gap(missing: number): void;
  record(): void;
  sanitized(code: SanitizeCode): void;
  snapshot(held: number): OutputCounters;
}

export function createOutputCounters(): OutputCounterBoard {
  const now: Omit<OutputCounters, 'rejectedBy' | 'sanitizedBy' | 'held'> = {
    received: 0,
    bytes: 0,
    rejected: 0,
    duplicates: 0,
    late: 0,
    restarted: 0,
    delivered: 0,
    withheld: 0,
    superseded: 0,
    discarded: 0,
    gaps: 0,
    missing: 0,
    badRecords: 0,
    sanitized: 0,
  };
  const rejectedBy: OutputCounters['rejectedBy'] = {};
  const sanitizedBy: OutputCounters['sanitizedBy'] = {};

  return {
    received: () => void now.received++,
    bytes: (count) => void (now.bytes += count),
    rejected(code) {
      now.rejected++;
      rejectedBy[code] = (rejectedBy[code] ?? 0) + 1;
    },
    duplicate: () => void now.duplicates++,
    late: () => void now.late++,
    restarted: () => void now.restarted++,
    delivered: () => void now.delivered++,
    withheld: () => void now.withheld++,
    superseded: (count) => void (now.superseded += count),
    discarded: (count) => void (now.discarded += count),
    gap(missing) {
      now.gaps++;
      now.missing += missing;
    },
    record: () => void now.badRecords++,
    sanitized(code) {
      now.sanitized++;
      sanitizedBy[code] = (sanitizedBy[code] ?? 0) + 1;
    },
    snapshot: (held) => ({ ...now, held, rejectedBy: { ...rejectedBy }, sanitizedBy: { ...sanitizedBy } }),
  };
}
