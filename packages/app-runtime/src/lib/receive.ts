import {
  EPOCH_META_KEY,
  isPlainObject,
  isToken,
  parsePartialToolResult,
  SKIPPED_META_KEY,
  type PartialResultToken,
  type PartialToolResult,
  type Rejection,
} from '@mcp-apps-bridge/partial-results';
import { estimateSize } from '@mcp-apps-bridge/partial-results/stream';
import type { RuntimeEvent } from './types.ts';

/** A message that belongs to this view's stream. */
export interface Received {
  epoch: number;
  seq: number;
  /** Numbers just before it that the host gave up: they will never come. */
  skipped: number;
  /** A refused body has a number all the same, or its successors would wait for it. */
  body: PartialToolResult | Refused;
  /** Estimated. */
  bytes: number;
}

/** What is wrong with a body; it counts when its number's turn comes, unless that came before. */
export interface Refused {
  refused: Rejection;
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

const NOTHING: Readonly<Record<string, unknown>> = {};

/** First stage: a view shows one stream, that of the first valid token it sees (S10, field case 18). */
export function createReceiver(options: { onEvent(event: RuntimeEvent): void }): Receiver {
  const { onEvent } = options;
  let token: PartialResultToken | undefined;

  return {
    read(params) {
      const parsed = parsePartialToolResult(params);
      const { partialResultToken, seq, _meta } = isPlainObject(params) ? params : NOTHING;
      const { [EPOCH_META_KEY]: said, [SKIPPED_META_KEY]: told } = isPlainObject(_meta) ? _meta : NOTHING;
      const epoch = said ?? 0;
      // What cannot be read costs a wait and nothing else.
      const skipped = isNumber(told) ? told : 0;
      let body: PartialToolResult | Refused;
      let bytes = 0;
      if (!parsed.ok) body = { refused: parsed.rejection };
      else if (!isNumber(epoch)) body = outOfRange(`$._meta["${EPOCH_META_KEY}"]`, 'an integer from 0');
      else {
        body = parsed.value;
        bytes = estimateSize(body);
        if (bytes === Infinity) {
          body = outOfRange('$', 'nested less deeply');
          bytes = 0;
        } else token ??= body.partialResultToken;
      }
      const ours = token !== undefined && partialResultToken === token;
      if (ours && isNumber(seq) && isNumber(epoch)) return { epoch, seq, skipped, body, bytes };
      onEvent('refused' in body ? { type: 'rejected', rejection: body.refused } : { type: 'foreign_token' });
      return undefined;
    },
    bind(value) {
      if (isToken(value)) token ??= value;
    },
    owns: (value) => token === undefined || value === token,
    get token() {
      return token;
    },
  };
}

function outOfRange(path: string, wanted: string): Refused {
  return { refused: { code: 'out_of_range', path, message: `${path}: must be ${wanted}` } };
}

/** An integer from 0. */
export function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
