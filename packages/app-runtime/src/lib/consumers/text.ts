import type { ContentBlock } from '@mcp-apps-bridge/partial-results';
import { textOf } from '../text-of.ts';
import type { Consumer } from '../types.ts';
import { addGap, type Gaps } from './gaps.ts';
import { ownList } from './own.ts';

export interface TextState extends Gaps {
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
  /** How many places before these were lost sight of. */
  olderGaps: number;
}

const PART_CHARS = 4_096;
const EMPTY: TextState = { text: '', parts: [], tail: '', gaps: [], olderGaps: 0 };

/**
 * Text blocks as one growing text. Mode `replace` (or a chunk's own) starts over with each chunk,
 * any other mode appends. The end state is the result's text blocks, one after the other.
 */
export function textConsumer(): Consumer<TextState> {
  return {
    init: () => EMPTY,
    chunk(state, { blocks, gap, modes }, own = new WeakSet()) {
      const startsOver = modes.content === 'replace' && blocks !== undefined;
      const from = startsOver ? EMPTY : gap ? addGap(state, state.text.length, own) : state;
      return blocks ? append(from, textOf(blocks.map(({ block }): ContentBlock => block)), own) : from;
    },
    final: (result) => append(EMPTY, textOf(result.content), new WeakSet()),
  };
}

function append(state: TextState, added: string, own: WeakSet<object>): TextState {
  if (added === '') return state;
  let { parts } = state;
  let tail = state.tail + added;
  while (tail.length > PART_CHARS) {
    const end = isHighSurrogate(tail.charCodeAt(PART_CHARS - 1)) ? PART_CHARS + 1 : PART_CHARS;
    if (end >= tail.length) break;
    const list = ownList(parts, own);
    list.push(tail.slice(0, end));
    parts = list;
    tail = tail.slice(end);
  }
  return { ...state, text: state.text + added, parts, tail };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
