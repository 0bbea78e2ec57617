import type {
  ContentBlock,
  MergeModes,
  PartialResultBody,
  ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { foldContent, foldStructured } from '@mcp-apps-bridge/partial-results/stream';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createToolOutput } from '../src/lib/stream/output.ts';
import { createSanitizer, type SanitizerOptions } from '../src/lib/stream/sanitize/sanitizer.ts';

/** What came out of one path and why something did not. */
export interface Verdict {
  content: ContentBlock[];
  structuredContent: unknown;
  meta: Record<string, unknown> | undefined;
  /** Each reason once, sorted. */
  codes: string[];
}

/** A payload as a server would send it. */
export interface Payload {
  content?: ContentBlock[];
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

export interface PathOptions {
  sanitizer?: SanitizerOptions;
  modes?: MergeModes;
}

/* Every verdict goes through the whole pipeline of a call, not through the sanitizer alone. */
function open({ sanitizer, modes }: PathOptions) {
  const codes = new Set<string>();
  const bodies: PartialResultBody[] = [];
  const output = createToolOutput({
    sanitizer: createSanitizer(sanitizer),
    scheduler: createManualScheduler(),
    ...(modes && { modes }),
    onEvent(event) {
      if (event.type === 'sanitized') codes.add(event.code);
      // A line that is no JSON is dropped while it is read, in a result while it is checked.
      if (event.type === 'record_rejected') codes.add('a2ui_unknown_message');
      if (event.type === 'chunk_rejected') codes.add(event.code);
    },
  });
  output.subscribe({ chunk: ({ body }) => bodies.push(body) });
  return { output, bodies, codes };
}

/** The payload as a final result. */
export function asResult(payload: Payload, options: PathOptions = {}): Verdict {
  const { output, codes } = open(options);
  output.finish(payload as ToolResult);
  const end = output.end;
  const result = end && 'result' in end ? end.result : undefined;
  return {
    content: result?.content ?? [],
    structuredContent: result?.structuredContent,
    meta: result?._meta,
    codes: [...codes].sort(),
  };
}

/** The payload as a stream of chunks, and what a view has in the end. */
export function asChunks(payloads: readonly Payload[], options: PathOptions = {}): Verdict {
  const { output, bodies, codes } = open(options);
  for (const [seq, payload] of payloads.entries()) output.push({ partialResultToken: 't', seq, ...payload });
  output.push({ partialResultToken: 't', seq: payloads.length, final: true });
  let content: ContentBlock[] = [];
  let structuredContent: unknown;
  let meta: Record<string, unknown> | undefined;
  for (const body of bodies) {
    if (body.content) content = foldContent(content, body.content, options.modes?.content ?? 'append');
    if (body.structuredContent !== undefined) {
      structuredContent = foldStructured(
        structuredContent,
        body.structuredContent,
        options.modes?.structuredContent,
      );
    }
    meta = body._meta ?? meta;
  }
  return { content, structuredContent, meta, codes: [...codes].sort() };
}

/** Where the text of a block can be cut, if it has any. */
export function textOf(block: ContentBlock): string | undefined {
  return block.type === 'text' ? block.text : block.resource?.text;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  return block.resource ? { ...block, resource: { ...block.resource, text } } : { ...block, text };
}

/** The first block that has text, in pieces; the rest of the payload goes with the first of them. */
export function cut(payload: Payload, at: readonly number[]): Payload[] {
  const blocks = payload.content ?? [];
  const index = blocks.findIndex((it) => typeof textOf(it) === 'string');
  const block = blocks[index];
  const text = block && textOf(block);
  if (!block || text === undefined) return [payload];
  const edges = [0, ...at, text.length];
  const pieces = edges.slice(1).map((to, i) => withText(block, text.slice(edges[i], to)));
  const chunks: Payload[] = pieces.map((piece) => ({ content: [piece] }));
  chunks[0] = { ...payload, content: [...blocks.slice(0, index), ...pieces.slice(0, 1)] };
  chunks.at(-1)!.content!.push(...blocks.slice(index + 1));
  return chunks;
}

/** Text of all blocks, joined: what a view that appends ends up with. */
export function joined(content: readonly ContentBlock[]): string {
  return content.map((block) => textOf(block) ?? '').join('');
}

/** The messages of a message stream, however they are written. */
export function messagesIn(content: readonly ContentBlock[]): unknown[] {
  const text = joined(content).trim();
  if (text === '') return [];
  if (text.startsWith('[')) return JSON.parse(text) as unknown[];
  return text.split('\n').map((line) => JSON.parse(line) as unknown);
}

const EVERY_OBJECT = Object.getPrototypeOf({}) as Record<string, unknown>;
const INHERITED = Object.getOwnPropertyNames(EVERY_OBJECT).sort().join();

/** After each test: nothing that went through may have reached what every object inherits. */
export function checkPrototypes(): void {
  const now = Object.getOwnPropertyNames(EVERY_OBJECT).sort().join();
  if (now !== INHERITED) throw new Error(`every object now has ${now}`);
}
