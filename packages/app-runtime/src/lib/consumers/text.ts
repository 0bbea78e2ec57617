import type { ContentBlock } from '@mcp-apps-bridge/partial-results';
import { textOf } from '../text-of.ts';
import type { Consumer } from '../types.ts';

export interface TextState {
  /** All text so far, byte for byte what the tool sent. */
  text: string;
  /**
   * The same text in pieces of about 4,096 characters. Only the last piece changes, so a view that
   * renders one memoised node a piece does constant work per chunk. No piece ends inside a character.
   */
  parts: readonly string[];
  /** Places where chunks were lost, as offsets into `text`. Empty in an end state. */
  gaps: readonly number[];
}

const PART_CHARS = 4_096;
const EMPTY: TextState = { text: '', parts: [], gaps: [] };

/**
 * Text blocks as one growing text. Mode `replace` (or a chunk's own) starts over with each chunk,
 * any other mode appends. The end state is the result's text blocks, one after the other.
 */
export function textConsumer(): Consumer<TextState> {
  return {
    init: () => EMPTY,
    chunk(state, { blocks, gap, modes }) {
      if (!blocks) return gap ? { ...state, gaps: [...state.gaps, state.text.length] } : state;
      const text = textOf(blocks.map(({ block }): ContentBlock => block));
      if (modes.content === 'replace') return append(EMPTY, text);
      const at = gap ? { ...state, gaps: [...state.gaps, state.text.length] } : state;
      return append(at, text);
    },
    final: (result) => append(EMPTY, textOf(result.content)),
  };
}

function append(state: TextState, added: string): TextState {
  if (added === '') return state;
  const parts = state.parts.slice(0, -1);
  let open = (state.parts.at(-1) ?? '') + added;
  while (open.length > PART_CHARS) {
    const end = isHighSurrogate(open.charCodeAt(PART_CHARS - 1)) ? PART_CHARS + 1 : PART_CHARS;
    if (end >= open.length) break;
    parts.push(open.slice(0, end));
    open = open.slice(end);
  }
  parts.push(open);
  return { text: state.text + added, parts, gaps: state.gaps };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
