import { isPlainObject } from './guards.ts';
import { readMergeModes } from './merge.ts';
import { isA2uiMimeType } from './message-stream.ts';
import {
  createRecordSplitter,
  MAX_RECORD_DEPTH,
  type RecordLimits,
  type RecordProblem,
  type RecordSplitter,
} from './record-splitter.ts';
import { shapeChunk, type AssembledBlock, type AssembledChunk } from './shape.ts';
import type { ContentBlock, MergeModes, PartialToolResult, SeqRange, ToolResult } from './types.ts';
import { UPSTREAM_META_KEY } from './vocabulary.ts';

export type AssemblerEvent =
  /** A line of the stream `uri` was dropped; `sample` is its beginning. */
  | { type: 'record_problem'; problem: RecordProblem; uri: string; sample: string }
  /** More message streams open at once than `maxStreams`: this one's text was dropped. */
  | { type: 'too_many_streams'; uri: string };

export interface AssemblerLimits extends RecordLimits {
  /** Message streams (distinct resource URIs) inside a message at once. Default 16. */
  maxStreams: number;
  /** Characters of one document that is not one message a line. Default 16 Mi. */
  maxDocumentChars: number;
}

export interface AssemblerOptions {
  /** The tool's declared modes; a chunk's own `_meta` overrides them. */
  modes?: MergeModes | undefined;
  onEvent(event: AssemblerEvent): void;
  limits?: Partial<AssemblerLimits> | undefined;
  /**
   * The reader is a view: a chunk that names its upstream range comes from a bridge, which sends whole
   * messages only, so nothing of it is discarded after a gap. Default false: a server's word is not enough.
   */
  bridged?: boolean;
}

/** Turns fragments of message streams into whole messages; everything else passes as it is. */
export interface Assembler {
  /** Chunks in `seq` order; `gap` as the reorder stage reported it. */
  push(chunk: PartialToolResult, gap?: SeqRange): AssembledChunk;
  /** No chunk follows: reports messages left open. */
  end(): void;
  /** Characters held until their message is whole. */
  readonly pendingChars: number;
}

const MAX_STREAMS = 16;
const MAX_DOCUMENT_CHARS = 16 * 1_024 * 1_024;

interface Stream {
  splitter: RecordSplitter;
  /** Messages completed by the push in progress. */
  out: Record<string, unknown>[];
}

export function createAssembler(options: AssemblerOptions): Assembler {
  const { onEvent, limits } = options;
  const maxStreams = limits?.maxStreams ?? MAX_STREAMS;
  const streams = new Map<string, Stream>();
  /** After a loss a stream seen for the first time may begin in mid-message. */
  let lossy = false;

  function openStream(uri: string, framed: boolean): Stream | undefined {
    const known = streams.get(uri);
    if (known) return known;
    if (streams.size >= maxStreams && (!lossy || framed)) forgetIdle();
    if (streams.size >= maxStreams) return undefined;
    const out: Record<string, unknown>[] = [];
    const splitter = createRecordSplitter({
      onRecord: (record) => out.push(record),
      onProblem: (problem, sample) => onEvent({ type: 'record_problem', problem, uri, sample }),
      ...(limits && { limits }),
    });
    if (lossy && !framed) splitter.gap();
    streams.set(uri, { splitter, out });
    return { splitter, out };
  }

  /** Without loss a stream between two messages holds nothing that a new one would lack. */
  function forgetIdle(): void {
    for (const [uri, { splitter }] of streams) if (splitter.idle) streams.delete(uri);
  }

  function assembleBlock(block: ContentBlock, modes: MergeModes, framed: boolean): AssembledBlock {
    const text = messageText(block, modes);
    if (text === undefined) return { block };
    const { uri } = block.resource!;
    const stream = openStream(uri, framed);
    if (!stream) {
      onEvent({ type: 'too_many_streams', uri });
      return { block, records: [], form: 'lines' };
    }
    const document = stream.splitter.idle ? parseDocument(text, limits) : undefined;
    if (document) return { block, ...document };
    stream.splitter.push(text);
    return { block, records: stream.out.splice(0), form: 'lines' };
  }

  function endAll(): void {
    for (const { splitter } of streams.values()) splitter.end();
    streams.clear();
  }

  return {
    push(chunk, gap) {
      const framed = options.bridged === true && chunk._meta?.[UPSTREAM_META_KEY] !== undefined;
      if (gap) {
        lossy = true;
        for (const { splitter } of streams.values()) splitter.gap(framed);
      }
      const assembled = shapeChunk(chunk, gap, options.modes, (block, modes) =>
        assembleBlock(block, modes, framed),
      );
      if (chunk.final) endAll();
      return assembled;
    },
    end: endAll,
    get pendingChars() {
      let sum = 0;
      for (const { splitter } of streams.values()) sum += splitter.pendingChars;
      return sum;
    },
  };
}

/** The blocks of a final result, read by the same rules as those of a stream (S12). */
export function assembleResult(result: ToolResult, options: AssemblerOptions): AssembledBlock[] {
  const assembler = createAssembler({
    ...options,
    modes: { ...options.modes, ...readMergeModes(result._meta) },
  });
  const { blocks } = assembler.push({ partialResultToken: 0, seq: 0, content: result.content ?? [] });
  assembler.end();
  return blocks ?? [];
}

/** The text of a block that carries JSON messages, `undefined` for any other block. */
function messageText(block: ContentBlock, modes: MergeModes): string | undefined {
  const { resource } = block;
  if (block.type !== 'resource' || typeof resource?.text !== 'string') return undefined;
  return modes.content === 'jsonl' || isA2uiMimeType(resource.mimeType) ? resource.text : undefined;
}

/**
 * A document written over several lines, or one array: both are what servers put into a final
 * result, and neither is one message a line. Must come whole; in pieces its lines are judged one by one.
 */
function parseDocument(
  text: string,
  limits: Partial<AssemblerLimits> | undefined,
): { records: Record<string, unknown>[]; form: 'lines' | 'array' } | undefined {
  const start = text.trimStart();
  const looksWhole = start.startsWith('[') || /^\{[^\n]*\n[^{]/.test(start);
  if (!looksWhole || text.length > (limits?.maxDocumentChars ?? MAX_DOCUMENT_CHARS)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(start);
  } catch {
    return undefined;
  }
  const records: unknown[] = Array.isArray(value) ? value : [value];
  const maxDepth = limits?.maxDepth ?? MAX_RECORD_DEPTH;
  if (!records.every((record) => isPlainObject(record) && depthWithin(record, maxDepth))) return undefined;
  return { records: records as Record<string, unknown>[], form: Array.isArray(value) ? 'array' : 'lines' };
}

function depthWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((child) => depthWithin(child, levels - 1));
}
