import type { ContentBlock } from './types.ts';
import { A2UI_MIME_TYPES } from './vocabulary.ts';

/** Whether a media type, parameters aside, names an A2UI message stream. Anything else, unchecked, is none. */
export function isA2uiMimeType(mimeType: unknown): boolean {
  if (typeof mimeType !== 'string') return false;
  return A2UI_MIME_TYPES.includes(mimeType.split(';', 1)[0]!.trim().toLowerCase());
}

/** Whether a block carries A2UI messages: each one counts, whatever merge mode is declared (D3). */
export function hasA2uiMessages(content: readonly ContentBlock[] | undefined): boolean {
  return (
    content?.some(({ type, resource }) => type === 'resource' && isA2uiMimeType(resource?.mimeType)) === true
  );
}
