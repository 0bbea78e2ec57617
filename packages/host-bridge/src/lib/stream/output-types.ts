import type { MergeModes, ToolResult } from '@mcp-apps-bridge/partial-results';
import {
  REORDER_LIMITS,
  type AssemblerLimits,
  type ReorderLimits,
  type Scheduler,
} from '@mcp-apps-bridge/partial-results/stream';
import type { OutputEvent } from '../events.ts';
import { checkLimits, checkOptionNames } from '../limits.ts';
import type { OutputCounters } from './counters.ts';
import type { HistoryLimits } from './history.ts';
import type { IntakeLimits } from './intake.ts';
import type { Sanitizer } from './sanitize/sanitizer.ts';
import type { OutputChunk, OutputEnd, OutputStatus } from './types.ts';

/** The part of a tool definition that is read. */
export interface ToolLike {
  name?: string;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

export interface ToolOutputLimits {
  intake?: Partial<IntakeLimits>;
  reorder?: Partial<ReorderLimits>;
  assemble?: Partial<AssemblerLimits>;
  history?: Partial<HistoryLimits>;
}

export interface ToolOutputOptions {
  /** The tool called; its `_meta` declares how chunks combine (D3). */
  tool?: ToolLike | undefined;
  /** Overrides what the tool declares. */
  modes?: MergeModes | undefined;
  /** Default: {@link createSanitizer} without options. */
  sanitizer?: Sanitizer | undefined;
  limits?: ToolOutputLimits | undefined;
  /** The task the call runs as, if known beforehand (S15). */
  taskId?: string | undefined;
  /** Nothing reaches a subscriber before `release`: for calls that wait for consent (field case 57). */
  hold?: boolean | undefined;
  onEvent?: ((event: OutputEvent) => void) | undefined;
  scheduler?: Scheduler | undefined;
}

/** What a subscriber gets: first the stream so far, then live. Throwing is reported and harms no other. */
export interface OutputSink {
  /** The complete arguments, at most once. */
  input?(args: Record<string, unknown>): void;
  /** In order, checked. */
  chunk?(chunk: OutputChunk): void;
  /** The replay is through; what follows is new. */
  live?(): void;
  /** What came so far is void: the call is tried again and its stream starts anew. */
  restart?(): void;
  /** No chunk will come before a `restart`: the stream so far was too long to keep for a late subscriber. */
  truncated?(): void;
  /** At most once, last. */
  end?(end: OutputEnd): void;
}

/** The output of one tool call. All methods are safe to call at any time and in any order. */
export interface ToolOutput {
  /** Complete arguments, at most once and before the end (H17). */
  input(args: Record<string, unknown> | undefined): void;
  /** One chunk as it came from the client. Takes anything, never throws. */
  push(chunk: unknown): void;
  /** A new attempt of the same call begins: `seq` restarts, what was streamed is void. */
  restart(): void;
  /** The result. Of `finish`, `fail` and `cancel` the first counts. */
  finish(result: ToolResult): void;
  /** No result came; what is queued is still shown, then an error result written here. */
  fail(error: unknown): void;
  /** `reason` stays on this side; a view reads a fixed one. */
  cancel(reason?: string): void;
  /** Lets a held output go. */
  release(): void;
  /** @returns ends the subscription. */
  subscribe(sink: OutputSink): () => void;
  /** Forgets everything; subscribers hear nothing more. Idempotent. */
  close(): void;
  readonly status: OutputStatus;
  /** How it ended, as subscribers see it. */
  readonly end: OutputEnd | undefined;
  /** A snapshot. */
  readonly counters: OutputCounters;
}

const ASSEMBLER_LIMIT_NAMES = [
  'maxStreams',
  'maxDocumentChars',
  'maxRecordChars',
  'maxDepth',
] as const satisfies readonly (keyof AssemblerLimits)[];
const LIMIT_NAMES = ['intake', 'reorder', 'assemble', 'history'];
const OPTION_NAMES = ['tool', 'modes', 'sanitizer', 'limits', 'taskId', 'hold', 'onEvent', 'scheduler'];

/** @throws HostBridgeError `invalid_option` */
export function checkOutputOptions(options: ToolOutputOptions): void {
  checkOptionNames('createToolOutput', OPTION_NAMES, options);
  checkOptionNames('createToolOutput limits', LIMIT_NAMES, options.limits ?? {});
  checkLimits('reorder', Object.keys(REORDER_LIMITS), options.limits?.reorder);
  checkLimits('assemble', ASSEMBLER_LIMIT_NAMES, options.limits?.assemble);
}
