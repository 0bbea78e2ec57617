import type { ContentBlock } from '@mcp-apps-bridge/partial-results';
import { textOf } from '../text-of.ts';
import type { Consumer } from '../types.ts';
import { addGap } from './gaps.ts';

export interface TextState {
  /** All text so far, byte for byte what the tool sent. */
  text: string;
  /**
   * The same text in full pieces of 4,096 characters, and `tail`, what is left. A piece never changes, and the list
   * only when one is full, so a view that renders one memoised node a piece does constant work per chunk. No piece
   * ends inside a character.
   */
  parts: readonly string[];
  tail: string;
  /** Places where chunks were lost, as offsets into `text`, the latest 1,000. Empty in an end state. */
  gaps: readonly number[];
}

const PART_CHARS = 4_096;
const EMPTY: TextState = { text: '', parts: [], tail: '', gaps: [] };

/**
 * Text blocks as one growing text. Mode `replace` (or a chunk's own) starts over with each chunk,
 * any other mode appends. The end state is the result's text blocks, one after the other.
 */
export function textConsumer(): Consumer<TextState> {
  return {
    init: () => EMPTY,
    chunk(state, { blocks, gap, modes }) {
      if (!blocks) return gap ? lose(state) : state;
      const text = textOf(blocks.map(({ block }): ContentBlock => block));
      if (modes.content === 'replace') return append(EMPTY, text);
      return append(gap ? lose(state) : state, text);
    },
    final: (result) => append(EMPTY, textOf(result.content)),
  };
}

function lose(state: TextState): TextState {
  const gaps = addGap(state.gaps, state.text.length);
  return gaps === state.gaps ? state : { ...state, gaps };
}

function append(state: TextState, added: string): TextState {
  if (added === '') return state;
  const full: string[] = [];
  let tail = state.tail + added;
  while (tail.length > PART_CHARS) {
    const end = isHighSurrogate(tail.charCodeAt(PART_CHARS - 1)) ? PART_CHARS + 1 : PART_CHARS;
    if (end >= tail.length) break;
    full.push(tail.slice(0, end));
    tail = tail.slice(end);
  }
  const parts = full.length === 0 ? state.parts : [...state.parts, ...full];
  return { text: state.text + added, parts, tail, gaps: state.gaps };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
