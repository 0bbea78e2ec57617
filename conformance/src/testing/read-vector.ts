/* Runs a vector through the stages that host and view share. */
import {
  type ContentBlock,
  type MergeModes,
  parsePartialToolResult,
  type PartialToolResult,
  type SeqRange,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import {
  type AssembledBlock,
  type AssemblerEvent,
  assembleResult,
  createAssembler,
  createReorder,
  estimateSize,
  foldContent,
  foldStructured,
  readMergeModes,
} from '@mcp-apps-bridge/partial-results/stream';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';

export interface VectorState {
  content: ContentBlock[];
  structuredContent?: unknown;
  messages?: Record<string, unknown[]>;
  isError?: boolean;
}

export interface Expectation {
  applied: number[];
  duplicates?: number;
  gaps?: Array<[number, number]>;
  rejected?: number;
  badLines?: number;
  streamed: VectorState;
  final: VectorState;
}

export interface Vector {
  vector: string;
  about: string;
  tool?: { _meta?: Record<string, unknown> };
  expect: Expectation;
  chunks: unknown[];
  result: ToolResult;
}

export function parseVector(text: string): Vector {
  const [head, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const last = lines.pop();
  if (!head || !last || !('result' in last)) throw new Error('a vector ends with a result');
  return {
    ...(head as unknown as Vector),
    chunks: lines.map((line) => line['chunk']),
    result: last['result'] as ToolResult,
  };
}

/** What was seen, in the form of the vector's own expectation. */
export function runVector({ tool, chunks, result }: Vector): Expectation {
  const declared = readMergeModes(tool?._meta);
  const seen: Required<Expectation> = {
    applied: [],
    duplicates: 0,
    gaps: [],
    rejected: 0,
    badLines: 0,
    streamed: { content: [] },
    final: { content: [] },
  };
  const onEvent = (event: AssemblerEvent): void => void (event.type === 'record_problem' && seen.badLines++);
  const assembler = createAssembler({ modes: declared, onEvent });

  function apply(chunk: PartialToolResult, seq: number, gap: SeqRange | undefined): void {
    seen.applied.push(seq);
    if (gap) seen.gaps.push([gap.first, gap.last]);
    const { blocks, structuredContent, patches = [], modes } = assembler.push(chunk, gap);
    if (blocks) addBlocks(seen.streamed, blocks, modes);
    for (const value of [structuredContent, ...patches]) {
      if (value === undefined) continue;
      seen.streamed.structuredContent = foldStructured(
        seen.streamed.structuredContent,
        value,
        modes.structuredContent,
      );
    }
  }

  const reorder = createReorder<PartialToolResult>({
    deliver: apply,
    onEvent: ({ type }) => void (type === 'duplicate' && seen.duplicates++),
    scheduler: createManualScheduler(),
  });
  for (const params of chunks) {
    const parsed = parsePartialToolResult(params);
    if (parsed.ok) reorder.push(parsed.value.seq, parsed.value, estimateSize(parsed.value));
    else seen.rejected++;
  }
  reorder.flush();
  addBlocks(seen.final, assembleResult(result, { modes: declared, onEvent: () => {} }), {});
  if (result.structuredContent !== undefined) seen.final.structuredContent = result.structuredContent;
  if (result.isError) seen.final.isError = true;
  return seen;
}

function addBlocks(state: VectorState, blocks: readonly AssembledBlock[], modes: MergeModes): void {
  for (const { block, records } of blocks) {
    if (!records) continue;
    const messages = (state.messages ??= {});
    (messages[block.resource!.uri] ??= []).push(...records);
  }
  const shown = blocks.filter(({ records }) => !records).map(({ block }) => block);
  // A chunk of message streams alone says nothing of the other blocks, in whatever mode.
  if (shown.length > 0) state.content = foldContent(state.content, shown, modes.content);
}
