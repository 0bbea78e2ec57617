import { isPlainObject } from './guards.ts';

/** Characters of one JSON message. Default 1 Mi: five times the largest published A2UI example page. */
const MAX_RECORD_CHARS: number = 1_048_576;
/** Levels of `{` and `[` in one message. Far above any real one, far below where parsers overflow. */
export const MAX_RECORD_DEPTH = 128;

export interface RecordLimits {
  maxRecordChars: number;
  maxDepth: number;
}

export type RecordProblem =
  /** The line is not JSON, or not an object or array of objects. */
  | 'not_json'
  | 'too_long'
  | 'too_deep'
  /** The stream ended inside a message. */
  | 'cut_off';

export interface RecordSplitterOptions {
  /** One whole message: an object. An array of objects is handed out item by item. */
  onRecord(record: Record<string, unknown>): void;
  /** At most once a line; the rest of that line is discarded. `sample` is its first 80 characters. */
  onProblem(problem: RecordProblem, sample: string): void;
  limits?: Partial<RecordLimits>;
}

/**
 * Cuts a text that arrives in pieces into whole JSON messages, the same ones however it is cut
 * (D4, field cases 24–28). A message ends where its brackets balance, so the last one needs no
 * newline; a newline ends whatever is open, so that one broken line costs one line. Cost is linear:
 * each character is looked at once.
 */
export interface RecordSplitter {
  push(text: string): void;
  /**
   * Characters were lost here: discards up to the next newline, so that no two halves join.
   * @param whole what follows is known to begin with a message: only what was open is dropped.
   */
  gap(whole?: boolean): void;
  /** No more text: reports a message left open. */
  end(): void;
  /** Between two messages: nothing is held and nothing is being discarded. */
  readonly idle: boolean;
  /** Characters waiting for the rest of their message. */
  readonly pendingChars: number;
}

/** Next character that means something outside a string, and inside one. */
const STRUCTURE = /["{}[\]\n]/g;
const IN_STRING = /["\\\n]/g;
const BLANK = /^[\s\uFEFF]*$/;

export function createRecordSplitter(options: RecordSplitterOptions): RecordSplitter {
  const { onRecord, onProblem } = options;
  const { maxRecordChars = MAX_RECORD_CHARS, maxDepth = MAX_RECORD_DEPTH } = options.limits ?? {};
  /** Text of a message that is not whole; never white space alone, so that asking whether it is costs nothing. */
  let pending = '';
  let depth = 0;
  let inString = false;
  /** The last character so far was a backslash inside a string. */
  let escaped = false;
  let discarding = false;

  function reset(): void {
    pending = '';
    depth = 0;
    inString = false;
    escaped = false;
  }

  function fail(problem: RecordProblem, sample: string): void {
    reset();
    discarding = true;
    onProblem(problem, sample.trimStart().slice(0, 80));
  }

  function emit(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return fail('not_json', text);
    }
    const records: unknown[] = Array.isArray(value) ? value : [value];
    if (!records.every(isPlainObject)) return fail('not_json', text);
    records.forEach(onRecord);
  }

  function endLine(text: string): void {
    if (!discarding && !BLANK.test(text)) onProblem('not_json', text.trimStart().slice(0, 80));
    reset();
    discarding = false;
  }

  return {
    push(text) {
      let from = 0;
      let at = 0;
      while (at < text.length) {
        if (discarding) {
          const newline = text.indexOf('\n', at);
          if (newline < 0) return;
          endLine('');
          from = at = newline + 1;
          continue;
        }
        if (escaped) {
          escaped = false;
          // A raw newline is never part of a JSON string: it ends the line, escaped or not.
          if (text[at] !== '\n') at++;
          continue;
        }
        const stops = inString ? IN_STRING : STRUCTURE;
        stops.lastIndex = at;
        const stop = stops.exec(text);
        if (!stop) break;
        at = stop.index + 1;
        switch (stop[0]) {
          case '\n':
            endLine(pending + text.slice(from, at - 1));
            from = at;
            break;
          case '"':
            inString = !inString;
            break;
          case '\\':
            escaped = true;
            break;
          case '{':
          case '[':
            if (depth === 0 && (pending !== '' || !BLANK.test(text.slice(from, at - 1)))) {
              fail('not_json', pending + text.slice(from, at));
            } else if (++depth > maxDepth) {
              fail('too_deep', pending + text.slice(from, at));
            }
            break;
          default:
            if (--depth < 0) {
              fail('not_json', pending + text.slice(from, at));
            } else if (depth === 0) {
              // A byte order mark is white space here and an error to `JSON.parse`.
              const record = (pending + text.slice(from, at)).trimStart();
              reset();
              from = at;
              if (record.length > maxRecordChars) fail('too_long', record);
              else emit(record);
            }
        }
      }
      if (discarding) return;
      const rest = text.slice(from);
      if (pending === '' && BLANK.test(rest)) return;
      pending += rest;
      if (pending.length > maxRecordChars) fail('too_long', pending);
    },
    gap(whole = false) {
      reset();
      discarding = !whole;
    },
    end() {
      if (pending !== '') {
        onProblem(depth > 0 ? 'cut_off' : 'not_json', pending.trimStart().slice(0, 80));
      }
      reset();
      discarding = false;
    },
    get idle() {
      return !discarding && pending === '';
    },
    get pendingChars() {
      return pending.length;
    },
  };
}
