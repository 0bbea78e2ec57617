import type { ContentBlock, PartialToolResult } from '@mcp-apps-bridge/partial-results';

/* Builders for tests of this package; not published. */

export const TOKEN = 't1';

export function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

export function a2uiBlock(jsonl: string, mimeType = 'application/a2ui+json'): ContentBlock {
  return { type: 'resource', resource: { uri: 'a2ui://s', mimeType, text: jsonl } };
}

export function textChunk(
  seq: number,
  value: string,
  more: Partial<PartialToolResult> = {},
): PartialToolResult {
  return { partialResultToken: TOKEN, seq, content: [text(value)], ...more };
}

export function chunkOf(
  seq: number,
  content: ContentBlock[],
  more: Partial<PartialToolResult> = {},
): PartialToolResult {
  return { partialResultToken: TOKEN, seq, content, ...more };
}
