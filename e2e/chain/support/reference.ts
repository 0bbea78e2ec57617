import { MERGE_META_KEY, type MergeMode, type PartialResultBody } from '@mcp-apps-bridge/partial-results';
import type { AssembledBlock } from '@mcp-apps-bridge/partial-results/stream';
import { createConsumers, dumpA2ui } from './consumers.ts';
import type { Sample } from './samples.ts';

/** A chunk of the server, or a part of it. */
export interface Part {
  number: number;
  content: boolean;
  structured: boolean;
}

/** What reached the view as one message. */
export interface Group {
  /** Something was given up just before it. */
  gap: boolean;
  parts: readonly Part[];
}

type Json = Record<string, unknown>;

/**
 * What a view must show of these chunks, worked out from the server's bodies by the words of
 * `docs/wire.md` and none of the code under test, but for what A2UI messages draw: there the
 * reference is one consumer that gets the same messages in one piece.
 * @param segments the numbers the host had, cut where it gave some up.
 */
export function referenceState(
  sample: Sample,
  groups: readonly Group[],
  segments: readonly (readonly number[])[],
): Json {
  let text = '';
  let textGaps: number[] = [];
  /** Text with `\n` where a lost piece ends a line, and the log's line numbers of losses. */
  let log = '';
  let logGaps: number[] = [];
  let structured: unknown;
  let table: Json = { rows: [] };

  for (const { gap, parts } of groups) {
    const bodies = parts.map((part) => bodyOf(sample, part));
    const starts = bodies.some((body) => body.content && modeOf(sample, body, 'content') === 'replace');
    if (gap && !starts) {
      textGaps.push(text.length);
      if (log !== '' && !log.endsWith('\n')) log += '\n';
      logGaps.push(countLines(log));
    }
    for (const body of bodies) {
      if (body.content) {
        if (modeOf(sample, body, 'content') === 'replace') {
          [text, textGaps, log, logGaps] = ['', [], '', []];
        }
        const added = body.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        text += added;
        log += added;
      }
      if (body.structuredContent === undefined) continue;
      const mode = modeOf(sample, body, 'structuredContent');
      structured = combine(structured, body.structuredContent, mode);
      table = asTable(combine(table, body.structuredContent, mode ?? 'append'));
    }
  }
  const { rows, ...rest } = table;
  const pieces = log.split('\n');
  const open = pieces.pop()!;
  return {
    // Several losses at one place are one.
    text: { text, gaps: [...new Set(textGaps)] },
    log: {
      lines: pieces.map((line) => line.replace(/\r$/, '')),
      open,
      gaps: [...new Set(logGaps)],
      summary: undefined,
    },
    structured,
    table: { rows, rest },
    ...(sample.kind === 'a2ui' && { a2ui: referenceA2ui(sample, groups, segments) }),
  };
}

function bodyOf(sample: Sample, { number, content, structured }: Part): PartialResultBody {
  const { content: blocks, structuredContent, ...rest } = sample.bodies[number]!;
  return {
    ...rest,
    ...(content && blocks && { content: blocks }),
    ...(structured && structuredContent !== undefined && { structuredContent }),
  };
}

function countLines(log: string): number {
  return log.split('\n').length - 1;
}

function modeOf(
  sample: Sample,
  body: PartialResultBody,
  part: 'content' | 'structuredContent',
): MergeMode | undefined {
  const own = body._meta?.[MERGE_META_KEY] as Partial<Record<string, MergeMode>> | undefined;
  return own?.[part] ?? sample.modes[part];
}

function combine(value: unknown, next: unknown, mode: MergeMode | undefined): unknown {
  if (mode === 'merge-patch') return patch(value, next);
  if (mode !== 'append' || !isObject(value) || !isObject(next)) return next;
  const sum: Json = { ...value };
  for (const [key, added] of Object.entries(next)) {
    const before = sum[key];
    sum[key] = Array.isArray(before) && Array.isArray(added) ? before.concat(added) : added;
  }
  return sum;
}

/** RFC 7396, section 2. */
function patch(target: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const result: Json = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = patch(result[name], value);
  }
  return result;
}

function asTable(value: unknown): Json {
  const { rows, ...rest } = isObject(value) ? value : ({} as Json);
  return { rows: Array.isArray(rows) ? rows : [], ...rest };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The messages that came whole, by the number of the chunk that completed each. */
export function wholeRecords(sample: Sample, segments: readonly (readonly number[])[]): Map<number, Json[]> {
  const complete = new Map<number, Json[]>();
  segments.forEach((numbers, index) => {
    const owners: number[] = [];
    let raw = '';
    for (const number of numbers) {
      const part = sample.bodies[number]!.content!.find(({ resource }) => resource)!.resource!.text!;
      raw += part;
      for (let i = 0; i < part.length; i++) owners.push(number);
    }
    // Behind a loss the first line may be the end of another: it is not read (D4).
    let from = index === 0 ? 0 : raw.indexOf('\n') + 1;
    if (index > 0 && from === 0) return;
    for (const line of raw.slice(from).split('\n')) {
      const record = tryParse(line);
      if (record) {
        const owner = owners[from + line.length - 1]!;
        complete.set(owner, [...(complete.get(owner) ?? []), record]);
      }
      from += line.length + 1;
    }
  });
  return complete;
}

function tryParse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

function referenceA2ui(
  sample: Sample,
  groups: readonly Group[],
  segments: readonly (readonly number[])[],
): unknown {
  const whole = wholeRecords(sample, segments);
  const blocks: AssembledBlock[] = [];
  for (const number of groups.flatMap(({ parts }) => parts.map((part) => part.number))) {
    for (const block of sample.bodies[number]!.content!) {
      if (!block.resource) blocks.push({ block });
      else for (const record of whole.get(number) ?? []) blocks.push({ block, records: [record] });
    }
  }
  const consumer = createConsumers('a2ui');
  const chunk = { range: { first: 0, last: 0 }, modes: {}, blocks };
  return dumpA2ui(consumer.chunk(consumer.init(), chunk).a2ui!);
}
