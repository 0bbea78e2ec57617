import {
  EPOCH_META_KEY,
  isPlainObject,
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

/** First stage: a view shows one stream, that of the first valid token it sees (S10, field case 18). */
export function createReceiver(options: { onEvent(event: RuntimeEvent): void }): Receiver {
  const { onEvent } = options;
  let token: PartialResultToken | undefined;

  function refuse(params: unknown, refused: Rejection): Received | undefined {
    if (token !== undefined && isPlainObject(params) && params['partialResultToken'] === token) {
      const seq = params['seq'];
      const epoch = readEpoch(params['_meta']);
      const skipped = readSkipped(params['_meta']);
      if (isNumber(seq) && epoch !== undefined) return { epoch, seq, skipped, body: { refused }, bytes: 0 };
    }
    onEvent({ type: 'rejected', rejection: refused });
    return undefined;
  }

  return {
    read(params) {
      const parsed = parsePartialToolResult(params);
      if (!parsed.ok) return refuse(params, parsed.rejection);
      const body = parsed.value;
      const epoch = readEpoch(body._meta);
      if (epoch === undefined)
        return refuse(params, outOfRange(`$._meta["${EPOCH_META_KEY}"]`, 'an integer from 0'));
      const bytes = estimateSize(body);
      if (bytes === Infinity) return refuse(params, outOfRange('$', 'nested less deeply'));
      token ??= body.partialResultToken;
      if (body.partialResultToken !== token) {
        onEvent({ type: 'foreign_token' });
        return undefined;
      }
      return { epoch, seq: body.seq, skipped: readSkipped(body._meta), body, bytes };
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

function outOfRange(path: string, wanted: string): Rejection {
  return { code: 'out_of_range', path, message: `${path}: must be ${wanted}` };
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
