import type { ContentBlock } from '@mcp-apps-bridge/partial-results';

/** The text blocks of a result, one after the other, nothing added between them. */
export function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  let text = '';
  for (const block of content as Array<ContentBlock | null>) {
    if (block?.type === 'text' && typeof block.text === 'string') text += block.text;
  }
  return text;
}
