import type { MergeModes, PartialToolResult, SeqRange } from '@mcp-apps-bridge/partial-results';
import {
  createReorder,
  shapeChunk,
  type AssembledChunk,
  type Assembler,
  type AssemblerOptions,
  type Scheduler,
} from '@mcp-apps-bridge/partial-results/stream';
import type { Refused } from './receive.ts';
import type { RuntimeEvent, RuntimeLimits } from './types.ts';

const MAX_WAIT_MS = 250;

export interface EpochStreamOptions {
  /** The next chunk in order, with all that was lost just before it. */
  apply(chunk: AssembledChunk): void;
  /** A number is settled: applied, or known to carry nothing. */
  onSettled(): void;
  onEvent(event: RuntimeEvent): void;
  assemble?: ((options: AssemblerOptions) => Assembler) | undefined;
  scheduler: Scheduler;
  modes?: MergeModes | undefined;
  limits?: Partial<RuntimeLimits> | undefined;
}

/** Reorder → assemble, for one epoch: a replay makes a new one. */
export interface EpochStream {
  readonly epoch: number;
  /** The number of a refused body is lost, and its successors must not wait for it. */
  push(seq: number, body: PartialToolResult | Refused, bytes: number, skipped: number): void;
  /** Applies what is held, over every gap; no chunk follows. */
  flush(): void;
  /** Drops what is held. */
  close(): void;
  /** The number expected next. */
  readonly next: number;
  readonly held: number;
}

export function createEpochStream(epoch: number, options: EpochStreamOptions): EpochStream {
  const { apply, onSettled, onEvent, scheduler, modes, limits } = options;
  /** Numbers lost since the last chunk that was applied. */
  let lost: SeqRange | undefined;

  const assembler = options.assemble?.({
    onEvent,
    bridged: true,
    modes,
    limits,
  });
  const reorder = createReorder<PartialToolResult | Refused>({
    deliver(body, seq, gap) {
      const before = joinRanges(lost, gap);
      if ('refused' in body) {
        lost = joinRanges(before, { first: seq, last: seq });
        onEvent({ type: 'rejected', rejection: body.refused });
      } else {
        lost = undefined;
        apply(assembler ? assembler.push(body, before) : shapeChunk(body, before, modes));
      }
      onSettled();
    },
    onEvent,
    scheduler,
    limits: { maxWaitMs: MAX_WAIT_MS, ...limits },
  });

  const { flush } = reorder;
  return Object.assign(reorder, {
    epoch,
    flush() {
      flush();
      assembler?.end();
    },
  });
}

function joinRanges(a: SeqRange | undefined, b: SeqRange | undefined): SeqRange | undefined {
  return a && b ? { first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : (a ?? b);
}
