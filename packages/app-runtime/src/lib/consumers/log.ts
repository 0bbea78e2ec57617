import { textOf } from '../text-of.ts';
import type { Consumer } from '../types.ts';
import { addGap, type Gaps } from './gaps.ts';
import { ownList } from './own.ts';

/** A run of whole lines. A block never changes once it is full, so that views can memoise it. */
export interface LogBlock {
  /** Number of its first line, counted from 0 over the whole log, dropped lines included. */
  first: number;
  lines: readonly string[];
}

export interface LogState extends Gaps {
  blocks: readonly LogBlock[];
  /** The line still being written, without its end. Not in `blocks`. */
  open: string;
  /** Lines dropped from the beginning to stay within `maxLines`. */
  dropped: number;
  /** Lines cut at `maxLineChars`. */
  cut: number;
  /** Numbers of the lines before which chunks were lost, the latest 1,000. Empty in an end state. */
  gaps: readonly number[];
  /** How many before these were lost sight of. */
  olderGaps: number;
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
const EMPTY: LogState = { blocks: [], open: '', dropped: 0, cut: 0, gaps: [], olderGaps: 0 };

/**
 * Text blocks as lines, however the chunks cut them. `\r\n` counts as one line end. The end state is
 * built from the result's text alone, by the same rules and bounds, and closes the last line.
 */
export function logConsumer(options: LogOptions = {}): Consumer<LogState> {
  const maxBlocks = Math.max(1, Math.floor((options.maxLines ?? 5_000) / BLOCK_LINES));
  const maxLineChars = options.maxLineChars ?? 16_384;
  /** Two more than fit show that the line was cut, even if one is a `\r`; more than that is not kept. */
  const maxOpen = maxLineChars + 2;

  function write(state: LogState, text: string, own: WeakSet<object>): LogState {
    if (text === '') return state;
    let { blocks, dropped, cut } = state;
    const pieces = text.split('\n');
    if (state.open.length < maxOpen) pieces[0] = state.open + pieces[0]!;
    else pieces[0] = state.open;
    const open = pieces.pop()!;
    for (const piece of pieces) {
      const line = piece.endsWith('\r') ? piece.slice(0, -1) : piece;
      if (line.length > maxLineChars) cut++;
      const list = ownList(blocks, own);
      dropped += addLine(list, clip(line), own);
      blocks = list;
    }
    return { ...state, blocks, open: open.slice(0, maxOpen), dropped, cut };
  }

  function clip(line: string): string {
    return line.length > maxLineChars ? line.slice(0, maxLineChars) : line;
  }

  /** @returns lines dropped to make room. */
  function addLine(blocks: LogBlock[], line: string, own: WeakSet<object>): number {
    const last = blocks.at(-1);
    if (last && last.lines.length < BLOCK_LINES) {
      const lines = ownList(last.lines, own);
      lines.push(line);
      // Who has seen the block has seen its lines.
      if (lines !== last.lines) blocks[blocks.length - 1] = { first: last.first, lines };
      return 0;
    }
    const lines = [line];
    own.add(lines);
    blocks.push({ first: last ? last.first + BLOCK_LINES : 0, lines });
    return blocks.length > maxBlocks ? blocks.shift()!.lines.length : 0;
  }

  return {
    init: () => EMPTY,
    chunk(state, { blocks, gap, modes }, own = new WeakSet()) {
      const startsOver = modes.content === 'replace' && blocks !== undefined;
      let next = startsOver ? EMPTY : state;
      if (gap && !startsOver) {
        // Half a line before the gap and half a line after it are two lines.
        if (next.open !== '') next = write(next, '\n', own);
        next = addGap(next, lineCount(next), own);
      }
      return blocks ? write(next, textOf(blocks.map(({ block }) => block)), own) : next;
    },
    final(result) {
      const text = textOf(result.content);
      const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
      const written = write(EMPTY, whole, new WeakSet());
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
