import {
  EPOCH_META_KEY,
  LAST_CHUNK_META_KEY,
  MERGE_META_KEY,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
  UPSTREAM_META_KEY,
  type ContentBlock,
  type PartialToolResult,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import {
  foldContent,
  foldStructured,
  patchesOf,
  readMergeModes,
} from '@mcp-apps-bridge/partial-results/stream';

export interface Message {
  method: string;
  params: Record<string, unknown>;
}

/** What a view that follows `docs/wire.md` makes of its messages; keeps them all for inspection. */
export interface TestView {
  receive(method: string, params: Record<string, unknown>): void;
  /** Acks everything received, as a view that has applied it. */
  ack(): { method: string; params: Record<string, unknown> };
  readonly messages: Message[];
  readonly chunks: PartialToolResult[];
  /** Folded from the chunks of the present epoch. */
  readonly streamed: { content: ContentBlock[]; structured: unknown };
  readonly result: ToolResult | undefined;
  /** What the user sees at last. */
  readonly shown: unknown;
  readonly methods: string[];
}

export function createTestView(): TestView {
  const messages: Message[] = [];
  let chunks: PartialToolResult[] = [];
  let epoch = 0;

  return {
    receive(method, params) {
      // What crosses a window is a clone; what cannot be cloned throws here as it does there.
      const message = { method, params: structuredClone(params) };
      messages.push(message);
      if (method !== TOOL_OUTPUT_PARTIAL_METHOD) return;
      const chunk = message.params as unknown as PartialToolResult;
      const next = (chunk._meta?.[EPOCH_META_KEY] as number | undefined) ?? 0;
      if (next !== epoch) chunks = [];
      epoch = next;
      chunks.push(chunk);
    },
    ack: () => ({
      method: TOOL_OUTPUT_ACK_METHOD,
      params: { partialResultToken: chunks.at(-1)?.partialResultToken, epoch, seq: chunks.at(-1)?.seq ?? -1 },
    }),
    messages,
    get chunks() {
      return chunks;
    },
    get streamed() {
      let content: ContentBlock[] = [];
      let structured: unknown;
      for (const chunk of chunks) {
        const modes = readMergeModes({ [MERGE_META_KEY]: chunk._meta?.[MERGE_META_KEY] });
        if (chunk.content) content = foldContent(content, chunk.content, modes.content);
        for (const update of patchesOf(chunk))
          structured = foldStructured(structured, update, modes.structuredContent);
      }
      return { content, structured };
    },
    get result() {
      const last = [...messages].reverse().find(({ method }) => method === 'ui/notifications/tool-result');
      return last?.params as ToolResult | undefined;
    },
    get shown() {
      const { result } = this;
      if (!result) return this.streamed;
      const { [LAST_CHUNK_META_KEY]: _, ...meta } = result._meta ?? {};
      return { ...result, _meta: meta };
    },
    get methods() {
      return messages.map(({ method }) => method.replace(/^.*\//, ''));
    },
  };
}

export const PROBE: string = TOOL_OUTPUT_PROBE_METHOD;

export function upstreamOf(chunk: PartialToolResult): [number, number] {
  return chunk._meta![UPSTREAM_META_KEY] as [number, number];
}
