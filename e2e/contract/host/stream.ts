import type { ToolOutput } from '@mcp-apps-bridge/host-bridge';
import type { ContentBlock, PartialToolResult, ToolResult } from '@mcp-apps-bridge/partial-results';
import { systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import { createFaultLink, createRandom, type Faults } from '@mcp-apps-bridge/partial-results/testing';

export type A2uiMessage = Record<string, unknown>;

/** One official example stream of the renderer's package. */
export interface Example {
  name: string;
  messages: A2uiMessage[];
}

const files = import.meta.glob<{ messages: A2uiMessage[] }>(
  '../../node_modules/@a2ui/web_core/src/v0_9/schemas/catalogs/basic/examples/*.json',
  { eager: true, import: 'default', exhaustive: true },
);

export const EXAMPLES: readonly Example[] = Object.entries(files).map(([path, { messages }]) => ({
  name: /([^/]+)\.json$/.exec(path)![1]!,
  messages,
}));

export const linesOf = (messages: readonly A2uiMessage[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** The same surfaces, a component at a time: a stream of few large messages has little to lose and reorder. */
export const inSmallMessages = (messages: readonly A2uiMessage[]): A2uiMessage[] =>
  messages.flatMap((message) => {
    const update = message['updateComponents'] as { components: unknown[] } | undefined;
    if (!update) return [message];
    return update.components.map((one) => ({
      ...message,
      updateComponents: { ...update, components: [one] },
    }));
  });

export function a2uiBlock(text: string): ContentBlock {
  return { type: 'resource', resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text } };
}

export const resultOf = (messages: readonly A2uiMessage[]): ToolResult => ({
  content: [a2uiBlock(linesOf(messages))],
});

/** The text in pieces, cut anywhere, inside messages too; the same for the same seed. */
export function cut(text: string, pieces: number, seed: number): string[] {
  const random = createRandom(seed);
  const places = Array.from({ length: pieces - 1 }, () => 1 + Math.floor(random() * (text.length - 1)));
  const ends = [...new Set(places), text.length].sort((a, b) => a - b);
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

export function chunkOf(seq: number, text: string): PartialToolResult {
  return { partialResultToken: 'server', seq, content: [a2uiBlock(text)] };
}

/** Chunks on their way from a server that a bad line stands in front of. */
export interface Sending {
  /** Numbers that never reach the output. */
  lost: ReadonlySet<number>;
  /** Every copy has arrived or is lost. */
  readonly through: boolean;
}

export function sendFaulty(
  output: ToolOutput,
  chunks: readonly PartialToolResult[],
  options: { seed: number; faults: Faults; everyMs: number },
): Sending {
  const arrived = new Set<number>();
  let all = false;
  const link = createFaultLink<PartialToolResult>({
    seed: options.seed,
    faults: options.faults,
    scheduler: systemScheduler,
    deliver(chunk) {
      arrived.add(chunk.seq);
      output.push(chunk);
    },
  });
  const lost = new Set(chunks.map(({ seq }) => seq));
  let next = 0;
  const step = (): void => {
    const chunk = chunks[next++];
    if (chunk) link.send(chunk);
    if (next < chunks.length) setTimeout(step, options.everyMs);
    else all = true;
  };
  step();
  return {
    get lost() {
      return new Set([...lost].filter((seq) => !arrived.has(seq)));
    },
    get through() {
      const { sent, dropped, duplicated, delivered } = link.counts;
      return all && delivered === sent - dropped + duplicated;
    },
  };
}

/**
 * The messages a reader may take from a stream with holes, by the rule and not by the code under test: what
 * stands between a hole and the next newline is nobody's; a message that a hole cuts off is no message.
 */
export function prescribed(pieces: readonly string[], missing: ReadonlySet<number>): A2uiMessage[] {
  const runs: { text: string; afterHole: boolean }[] = [];
  let open = false;
  let hole = false;
  for (const [seq, text] of pieces.entries()) {
    if (missing.has(seq)) {
      open = false;
      hole = true;
    } else if (open) {
      runs.at(-1)!.text += text;
    } else {
      runs.push({ text, afterHole: hole });
      open = true;
    }
  }
  return runs.flatMap(({ text, afterHole }) => {
    const lines = text.split('\n');
    if (afterHole) lines.shift();
    return lines.flatMap((line) => (line.trim() === '' ? [] : parsed(line)));
  });
}

function parsed(line: string): A2uiMessage[] {
  try {
    return [JSON.parse(line) as A2uiMessage];
  } catch {
    return [];
  }
}
