import { checkAtLeast, PartialResultsError } from './errors.ts';

/** Caps of the queue between a tool and its transport. Sizes are those of `estimateSize`: two bytes a character. */
export interface EmitLimits {
  /** Chunks waiting. Default 256. */
  maxQueued: number;
  /** Bytes waiting. One chunk may always wait, however large. Default 1 MiB. */
  maxQueuedBytes: number;
  /** Bytes up to which waiting chunks merge into one message. Default 64 KiB. */
  maxMergedBytes: number;
  /** Milliseconds an awaited `emitPartial` waits at most for a slow transport. Default 1,000. */
  maxWaitMs: number;
  /** Milliseconds the end of the handler waits at most for the queue to empty. Default 1,000. */
  maxFlushMs: number;
}

export const DEFAULT_EMIT_LIMITS: EmitLimits = {
  maxQueued: 256,
  maxQueuedBytes: 1024 * 1024,
  maxMergedBytes: 64 * 1024,
  maxWaitMs: 1000,
  maxFlushMs: 1000,
};

/** @throws PartialResultsError `invalid_option` on an unknown name or a value out of range. */
export function resolveEmitLimits(given: Partial<EmitLimits> = {}): EmitLimits {
  const limits = { ...DEFAULT_EMIT_LIMITS };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limits, name))
      throw new PartialResultsError('invalid_option', `limits.${name} is unknown`);
    if (value === undefined) continue;
    checkAtLeast(`limits.${name}`, value, name === 'maxQueued' ? 1 : 0);
    limits[name as keyof EmitLimits] = value;
  }
  return limits;
}
