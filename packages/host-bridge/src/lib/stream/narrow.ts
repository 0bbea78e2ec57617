import type { ContentBlock, PartialResultBody } from '@mcp-apps-bridge/partial-results';
import { estimateSize } from '@mcp-apps-bridge/partial-results/stream';

/*
 * Hot path. A string without a character above U+00FF is cloned at one byte a character, so a batch of Latin text holds
 * twice as much as one counted at two: 57 chunks of 200 characters a message instead of 29. To look costs 0.1 µs a
 * chunk. A batch is never scanned again: it is narrow when all its parts are.
 */

/** Longer texts fill a message by themselves. */
const MAX_SCANNED = 16_384;

/** A cross-origin window message of this size stalls its receiver. */
const CLIFF_BYTES = 16_384;

const WIDE = /[\u0100-\uffff]/;

/** Whether each text of its content is short, and of characters up to U+00FF only. */
export function isNarrow(body: PartialResultBody): boolean {
  for (const block of body.content ?? []) {
    const text = textOf(block);
    if (text !== undefined && (text.length > MAX_SCANNED || WIDE.test(text))) return false;
  }
  return true;
}

/** Estimated bytes of a body: texts of a narrow one at one a character, everything else at two. */
export function measureBody(body: PartialResultBody, narrow: boolean | undefined): number {
  return estimateSize(body) - (narrow ? textChars(body) : 0);
}

/**
 * A narrow body as it may be sent. An engine keeps what was cut from a wide string at two bytes a character although
 * none needs them, and clones it so, which nothing tells from here; so texts that would pass the cliff if they
 * were kept so are written anew.
 * @param bytes of the whole message, texts at one a character.
 */
export function packBody(body: PartialResultBody, bytes: number): PartialResultBody {
  if (!body.content || bytes >= CLIFF_BYTES || bytes + textChars(body) < CLIFF_BYTES) return body;
  return { ...body, content: body.content.map(packBlock) };
}

function packBlock(block: ContentBlock): ContentBlock {
  if (typeof block['text'] === 'string') return { ...block, text: rewrite(block['text']) };
  const { resource } = block;
  if (typeof resource?.text !== 'string') return block;
  return { ...block, resource: { ...resource, text: rewrite(resource.text) } };
}

/** 10 µs for a full batch, once a message. */
function rewrite(text: string): string {
  return atob(btoa(text));
}

function textChars(body: PartialResultBody): number {
  let chars = 0;
  for (const block of body.content ?? []) chars += textOf(block)?.length ?? 0;
  return chars;
}

function textOf({ text, resource }: ContentBlock): string | undefined {
  if (typeof text === 'string') return text;
  return typeof resource?.text === 'string' ? resource.text : undefined;
}
