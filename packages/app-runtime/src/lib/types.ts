import type { MergeModes, PartialResultToken, Rejection, ToolResult } from '@mcp-apps-bridge/partial-results';
import type {
  AssembledChunk,
  Assembler,
  AssemblerEvent,
  AssemblerLimits,
  AssemblerOptions,
  Cancel,
  ReorderEvent,
  ReorderLimits,
  Scheduler,
} from '@mcp-apps-bridge/partial-results/stream';

/** Runs once, when the screen is about to be drawn or soon after. */
export type PaintSchedule = (run: () => void) => Cancel;

/**
 * How tool output becomes what a view shows. All three may throw: the runtime reports it and keeps
 * the state it had.
 */
export interface Consumer<S> {
  /** The state before anything came, and again after a replay starts (a new epoch). */
  init(): S;
  /**
   * The next chunk in order. Returns the new state. A state that was shown must not change; one that is different
   * when it is shown must be another object, so that views can compare.
   * @param own objects and lists made since a state was last shown. Nobody has seen these, so they may be changed in
   * place; whoever copies something may add the copy. A state that grows is then copied once a paint and not once a
   * chunk. May be ignored.
   */
  chunk(state: S, chunk: AssembledChunk, own?: WeakSet<object>): S;
  /**
   * The end state, from the result alone: it never sees what was streamed, so the end cannot depend
   * on it (D7, S18).
   */
  final(result: ToolResult): S;
  /**
   * Set to `createAssembler` by a consumer of message streams (A2UI, mode `jsonl`): their blocks then come with
   * `records`, whole messages however they were cut. Left out, a block is what it is, and a view has 3 kB less to load.
   */
  assemble?(options: AssemblerOptions): Assembler;
}

/**
 * - `waiting`: no chunk yet.
 * - `streaming`: chunks came, the call has not ended.
 * - `complete`: the state is the result's.
 * - `failed`: an error result, or a consumer that could not read the result; see `error`.
 * - `cancelled`: the host cancelled the call.
 */
export type ViewStatus = 'waiting' | 'streaming' | 'complete' | 'failed' | 'cancelled';

/**
 * Totals since the runtime was created; a replay does not reset them. Each message received is in one of
 * `applied`, `rejected`, `duplicates`, `late`, `foreign`, `held` and `superseded`.
 */
export interface RuntimeCounters {
  /** Everything handed to `receive`, good or bad. */
  received: number;
  /** Estimated bytes of accepted chunks. */
  bytes: number;
  /** Chunks the consumer took. */
  applied: number;
  /** Numbers given up as lost. */
  skipped: number;
  /** Messages refused as malformed, or too far ahead, or that the consumer threw on. */
  rejected: number;
  duplicates: number;
  /** After their gap was given up, after the end, or of an earlier replay. */
  late: number;
  /** Gaps given up; each stands for one or more `skipped` numbers. */
  gaps: number;
  /** Messages with a token of another stream (S10). */
  foreign: number;
  /** Waiting behind a missing number. */
  held: number;
  /** Still waiting when the end or a replay made them void. */
  superseded: number;
}

/** Why a call ended `failed`. */
export interface ViewError {
  /** `tool`: the result says `isError`. `consumer`: the result came but could not be read. */
  kind: 'tool' | 'consumer';
  /** Text to show: the text blocks of the error result, or the consumer's message. */
  text: string;
}

export interface Snapshot<S> {
  state: S;
  status: ViewStatus;
  counters: Readonly<RuntimeCounters>;
  /** The complete arguments of the call, once the host sent them. */
  input?: Record<string, unknown>;
  error?: ViewError;
  /** The result itself, once the call ended with one. */
  result?: ToolResult;
  /** The state is what came before an error or a cancel, not a result. */
  incomplete: boolean;
}

/** Recoverable trouble, for a log or a developer panel. Never thrown (D11). */
export type RuntimeEvent =
  | { type: 'rejected'; rejection: Rejection }
  | { type: 'foreign_token' }
  | { type: 'stale_epoch'; epoch: number; seq: number }
  /** A replay begins: the streamed state was reset. */
  | { type: 'epoch'; epoch: number }
  /** A chunk numbered after the one that said it was the last (S8). Applied all the same. */
  | { type: 'after_final'; seq: number }
  /** Came after the end of the call, or a second time: ignored. */
  | { type: 'ignored'; what: 'chunk' | 'input' | 'result' | 'cancelled' | 'probe' }
  /** The result did not wait any longer for the chunks before it. */
  | { type: 'result_overdue'; missing: number }
  | { type: 'consumer_failed'; stage: 'init' | 'chunk' | 'final'; message: string }
  | { type: 'listener_failed'; message: string }
  | ReorderEvent
  | AssemblerEvent;

/** What a negotiated host gets back (`docs/wire.md`); counters as in {@link RuntimeCounters}. */
export interface AckParams {
  partialResultToken: PartialResultToken;
  epoch: number;
  /** Every number up to this one is settled: applied, given up or refused. -1: none. */
  seq: number;
  counters: {
    applied: number;
    skipped: number;
    rejected: number;
    duplicates: number;
    late: number;
    gaps: number;
  };
}

/** Those of the assembler count where the consumer has one. */
export interface RuntimeLimits extends ReorderLimits, AssemblerLimits {
  /** How long a result waits for chunks sent before it, in milliseconds. Default 250. */
  resultHoldMs: number;
  /**
   * How long a missing number is waited for, in milliseconds. Default 250, shorter than the host's
   * 2,000: what the host gave up it says, and on this hop hardly anything else is missing.
   */
  maxWaitMs: number;
}

export interface AppRuntimeOptions<S> {
  consumer: Consumer<S>;
  /** Called with each published snapshot, at most once a paint. Same as the first `subscribe`. */
  onChange?(snapshot: Snapshot<S>): void;
  onEvent?(event: RuntimeEvent): void;
  /** Sends an ack to the host; set by `attachToApp`. Without it nothing is acknowledged. */
  sendAck?(params: AckParams): void;
  /** Merge modes of the tool, for a host that does not put them on its chunks. A chunk's own win. */
  modes?: MergeModes;
  /** After an error result or a cancel, show what had come (the default) or the consumer's initial state. */
  keepPartial?: boolean;
  limits?: Partial<RuntimeLimits>;
  scheduler?: Scheduler;
  /** When to publish. Default: the next animation frame, or 100 ms where none comes. */
  paint?: PaintSchedule;
}

/** The view side of one tool call: receive → reorder → assemble → apply → reconcile. Nothing throws. */
export interface AppRuntime<S> {
  /** `params` of `ui/notifications/tool-output-partial`. */
  receive(params: unknown): void;
  /** `params` of `ui/notifications/tool-input`. */
  input(params: unknown): void;
  /** `params` of `ui/notifications/tool-result`. */
  finish(result: unknown): void;
  /** `params` of `ui/notifications/tool-cancelled`. */
  cancel(params?: unknown): void;
  /** `params` of the host's probe; answered at once. */
  probe(params: unknown): void;
  /** What was last published; stays the same object until the next publication. */
  snapshot(): Snapshot<S>;
  /** Publishes pending changes now. */
  flush(): void;
  /** A late subscriber reads `snapshot()` first: it holds everything up to now (field case 61). */
  subscribe(listener: (snapshot: Snapshot<S>) => void): () => void;
  /** Stops timers and drops listeners. Later calls do nothing. */
  close(): void;
}
