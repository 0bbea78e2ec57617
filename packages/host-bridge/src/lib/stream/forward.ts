import {
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  MERGE_META_KEY,
  PATCHES_META_KEY,
  SKIPPED_META_KEY,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
  UPSTREAM_META_KEY,
  type PartialResultToken,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { patchesOf } from '@mcp-apps-bridge/partial-results/stream';
import { packBody } from './narrow.ts';
import type { OutputChunk } from './types.ts';

const TOOL_INPUT_METHOD = 'ui/notifications/tool-input';
export const TOOL_RESULT_METHOD: string = 'ui/notifications/tool-result';
export const TOOL_CANCELLED_METHOD: string = 'ui/notifications/tool-cancelled';

/** What a view may know of why: an abort reason can name internals of the host (field case 84). */
const CANCEL_REASON = 'The tool call was cancelled.';

/** Estimated bytes of everything around a chunk's body. */
const ENVELOPE_BYTES = 700;

export interface ForwarderOptions {
  /** Sends one notification to the view. May throw or return a promise that rejects. */
  notify(method: string, params: Record<string, unknown>): unknown;
  onSendFailed(method: string, error: unknown): void;
  /** This hop's own token; the server's never reaches a view (D1). */
  token: PartialResultToken;
  /** 0, then one more with each replay. */
  epoch: number;
}

/** Writes the messages of one (call, view, epoch) and numbers its chunks (D2). */
export interface Forwarder {
  input(args: Record<string, unknown>): void;
  /** @returns the number it got and its estimated size. */
  chunk(chunk: OutputChunk): { seq: number; bytes: number };
  result(result: ToolResult): void;
  cancelled(): void;
  probe(): void;
  /** The last number sent, -1 before the first. */
  readonly lastSeq: number;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { notify, onSendFailed, token, epoch } = options;
  let next = 0;
  let lastSeq = -1;

  function send(method: string, params: Record<string, unknown>): void {
    try {
      const sent = notify(method, params);
      if (isThenable(sent)) sent.then(undefined, (error: unknown) => onSendFailed(method, error));
    } catch (error) {
      onSendFailed(method, error);
    }
  }

  return {
    input: (args) => send(TOOL_INPUT_METHOD, { arguments: args }),
    chunk({ range, gaps, body: whole, modes, taskId, bytes: bodyBytes, narrow }) {
      const bytes = bodyBytes + ENVELOPE_BYTES;
      const body = narrow ? packBody(whole, bytes) : whole;
      const seq = next + gaps;
      next = seq + 1;
      lastSeq = seq;
      const meta: Record<string, unknown> = { ...body._meta, [UPSTREAM_META_KEY]: [range.first, range.last] };
      if (gaps > 0) meta[SKIPPED_META_KEY] = gaps;
      if (epoch > 0) meta[EPOCH_META_KEY] = epoch;
      if (modes.content !== undefined || modes.structuredContent !== undefined) meta[MERGE_META_KEY] = modes;
      const params: Record<string, unknown> = { partialResultToken: token, seq };
      if (body.content) params['content'] = body.content;
      if (body.structuredContent !== undefined) params['structuredContent'] = body.structuredContent;
      if (body.final !== undefined) params['final'] = body.final;
      if (taskId !== undefined) params['taskId'] = taskId;
      params['_meta'] = meta;
      send(TOOL_OUTPUT_PARTIAL_METHOD, params);
      return { seq, bytes };
    },
    result(result) {
      if (lastSeq < 0) return send(TOOL_RESULT_METHOD, { ...result });
      const last = { partialResultToken: token, epoch, seq: lastSeq };
      send(TOOL_RESULT_METHOD, { ...result, _meta: { ...result._meta, [LAST_CHUNK_META_KEY]: last } });
    },
    cancelled: () => send(TOOL_CANCELLED_METHOD, { reason: CANCEL_REASON }),
    probe: () => send(TOOL_OUTPUT_PROBE_METHOD, { partialResultToken: token, epoch }),
    get lastSeq() {
      return lastSeq;
    },
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';
}

/**
 * The chunk as messages that a view without knowledge of the patch list can read: one patch each.
 * All stand for the same server chunks; only the last may say `final`.
 */
export function splitPatches(chunk: OutputChunk): OutputChunk[] {
  const patches = patchesOf(chunk.body);
  if (patches.length < 2) return [chunk];
  const { [PATCHES_META_KEY]: _, ...meta } = chunk.body._meta ?? {};
  const { final, content, ...rest } = chunk.body;
  const bytes = Math.ceil(chunk.bytes / patches.length);
  return patches.map((structuredContent, index) => {
    const body = { ...rest, structuredContent, _meta: meta };
    if (index === 0 && content) Object.assign(body, { content });
    if (index === patches.length - 1 && final !== undefined) Object.assign(body, { final });
    return { ...chunk, gaps: index === 0 ? chunk.gaps : 0, body, bytes };
  });
}
