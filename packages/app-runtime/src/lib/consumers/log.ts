import { textOf } from '../text-of.ts';
import type { Consumer } from '../types.ts';
import { addGap } from './gaps.ts';

/** A run of whole lines. A block never changes once it is full, so that views can memoise it. */
export interface LogBlock {
  /** Number of its first line, counted from 0 over the whole log, dropped lines included. */
  first: number;
  lines: readonly string[];
}

export interface LogState {
  blocks: readonly LogBlock[];
  /** The line still being written, without its end. Not in `blocks`. */
  open: string;
  /** Lines dropped from the beginning to stay within `maxLines`. */
  dropped: number;
  /** Lines cut at `maxLineChars`. */
  cut: number;
  /** Numbers of the lines before which chunks were lost, the latest 1,000. Empty in an end state. */
  gaps: readonly number[];
  /** The result's structured content, beside its text: a summary, an exit code. Only in an end state. */
  summary?: unknown;
}

export interface LogOptions {
  /** Lines kept; the oldest go first, a block of 100 at a time. Default 5,000, at least 100. */
  maxLines?: number;
  /** Characters of one line; the rest of it is left out. Default 16,384. */
  maxLineChars?: number;
}

const BLOCK_LINES = 100;
const EMPTY: LogState = { blocks: [], open: '', dropped: 0, cut: 0, gaps: [] };

/**
 * Text blocks as lines, however the chunks cut them. `\r\n` counts as one line end. The end state is
 * built from the result's text alone, by the same rules and bounds, and closes the last line.
 */
export function logConsumer(options: LogOptions = {}): Consumer<LogState> {
  const maxBlocks = Math.max(1, Math.floor((options.maxLines ?? 5_000) / BLOCK_LINES));
  const maxLineChars = options.maxLineChars ?? 16_384;

  function write(state: LogState, text: string): LogState {
    if (text === '') return state;
    const blocks = [...state.blocks];
    let { dropped, cut } = state;
    const pieces = text.split('\n');
    pieces[0] = state.open + pieces[0]!;
    const open = pieces.pop()!;
    for (const piece of pieces) {
      const line = piece.endsWith('\r') ? piece.slice(0, -1) : piece;
      if (line.length > maxLineChars) cut++;
      dropped += addLine(blocks, clip(line));
    }
    // One character more than fits shows that the line was cut; more than that is not kept.
    return { ...state, blocks, open: open.slice(0, maxLineChars + 1), dropped, cut };
  }

  function clip(line: string): string {
    return line.length > maxLineChars ? line.slice(0, maxLineChars) : line;
  }

  /** @returns lines dropped to make room. */
  function addLine(blocks: LogBlock[], line: string): number {
    const last = blocks.at(-1);
    if (last && last.lines.length < BLOCK_LINES) {
      blocks[blocks.length - 1] = { first: last.first, lines: [...last.lines, line] };
      return 0;
    }
    blocks.push({ first: last ? last.first + BLOCK_LINES : 0, lines: [line] });
    return blocks.length > maxBlocks ? blocks.shift()!.lines.length : 0;
  }

  return {
    init: () => EMPTY,
    chunk(state, { blocks, gap, modes }) {
      const startsOver = modes.content === 'replace' && blocks !== undefined;
      let next = startsOver ? EMPTY : state;
      if (gap && !startsOver) {
        // Half a line before the gap and half a line after it are two lines.
        if (next.open !== '') next = write(next, '\n');
        next = { ...next, gaps: addGap(next.gaps, lineCount(next)) };
      }
      return blocks ? write(next, textOf(blocks.map(({ block }) => block))) : next;
    },
    final(result) {
      const text = textOf(result.content);
      const written = write(EMPTY, text === '' || text.endsWith('\n') ? text : `${text}\n`);
      return result.structuredContent === undefined
        ? written
        : { ...written, summary: result.structuredContent };
    },
  };
}

/** Whole lines so far, dropped ones included. */
export function lineCount({ blocks }: LogState): number {
  const last = blocks.at(-1);
  return last ? last.first + last.lines.length : 0;
}
