import {
  EPOCH_META_KEY,
  isPlainObject,
  parsePartialToolResult,
  SKIPPED_META_KEY,
  type PartialResultToken,
  type PartialToolResult,
} from '@mcp-apps-bridge/partial-results';
import type { RuntimeEvent } from './types.ts';

/** A message that belongs to this view's stream. */
export interface Received {
  epoch: number;
  seq: number;
  /** Numbers just before it that the host gave up: they will never come. */
  skipped: number;
  /** Absent when the body was refused: the number still counts, or its successors would wait for it. */
  chunk?: PartialToolResult;
}

export interface Receiver {
  /** Checks one message; never throws. `undefined`: refused or foreign, and reported. */
  read(params: unknown): Received | undefined;
  /** Claims a token learnt elsewhere (from the result) unless one is bound. */
  bind(token: unknown): void;
  /** Whether a control message speaks of this stream. True for any token while none is bound. */
  owns(token: unknown): boolean;
  readonly token: PartialResultToken | undefined;
}

/** First stage: a view shows one stream, that of the first valid token it sees (S10, field case 18). */
export function createReceiver(options: { onEvent(event: RuntimeEvent): void }): Receiver {
  const { onEvent } = options;
  let token: PartialResultToken | undefined;

  function numberOf(params: unknown): Received | undefined {
    if (token === undefined || !isPlainObject(params) || params['partialResultToken'] !== token)
      return undefined;
    const seq = params['seq'];
    const epoch = readEpoch(params['_meta']);
    if (!isNumber(seq) || epoch === undefined) return undefined;
    return { epoch, seq, skipped: readSkipped(params['_meta']) };
  }

  return {
    read(params) {
      const parsed = parsePartialToolResult(params);
      if (!parsed.ok) {
        onEvent({ type: 'rejected', rejection: parsed.rejection });
        return numberOf(params);
      }
      const chunk = parsed.value;
      const epoch = readEpoch(chunk._meta);
      if (epoch === undefined) {
        const path = `$._meta["${EPOCH_META_KEY}"]`;
        const message = `${path}: must be an integer from 0`;
        onEvent({ type: 'rejected', rejection: { code: 'out_of_range', path, message } });
        return undefined;
      }
      token ??= chunk.partialResultToken;
      if (chunk.partialResultToken !== token) {
        onEvent({ type: 'foreign_token' });
        return undefined;
      }
      return { epoch, seq: chunk.seq, skipped: readSkipped(chunk._meta), chunk };
    },
    bind(value) {
      if (typeof value === 'string' || isNumber(value)) token ??= value;
    },
    owns: (value) => token === undefined || value === token,
    get token() {
      return token;
    },
  };
}

/** An integer from 0. */
export function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What cannot be read costs a wait and nothing else. */
function readSkipped(meta: unknown): number {
  const skipped = isPlainObject(meta) ? meta[SKIPPED_META_KEY] : undefined;
  return isNumber(skipped) ? skipped : 0;
}

function readEpoch(meta: unknown): number | undefined {
  const epoch = isPlainObject(meta) ? (meta[EPOCH_META_KEY] ?? 0) : 0;
  return isNumber(epoch) ? epoch : undefined;
}
