import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { Consumer } from '../types.ts';
import { foldChunk } from './structured.ts';

export interface TableState<Row = unknown> {
  rows: readonly Row[];
  /** Rows beyond `maxRows`, counted and not kept. */
  dropped: number;
  /** The structured content beside the rows: columns, totals, a title. */
  rest: Readonly<Record<string, unknown>>;
}

export interface TableOptions {
  /** The property that holds the rows. Default `rows`. A bare array is taken as the rows. */
  property?: string;
  /** Rows kept, the first ones. Default 10,000. */
  maxRows?: number;
}

/**
 * Rows in `structuredContent`. They append unless the tool declares another mode: a table that
 * streams sends new rows, not all rows again. The end state has the result's rows alone.
 */
export function tableConsumer<Row = unknown>(options: TableOptions = {}): Consumer<TableState<Row>> {
  const { property = 'rows', maxRows = 10_000 } = options;

  function read(value: unknown, dropped: number): TableState<Row> {
    const object: Record<string, unknown> = Array.isArray(value)
      ? { [property]: value }
      : isPlainObject(value)
        ? value
        : {};
    const { [property]: found, ...rest } = object;
    const rows = Array.isArray(found) ? (found as Row[]) : [];
    if (rows.length <= maxRows) return { rows, dropped, rest };
    return { rows: rows.slice(0, maxRows), dropped: dropped + rows.length - maxRows, rest };
  }

  return {
    init: () => read(undefined, 0),
    chunk(state, chunk) {
      if (chunk.structuredContent === undefined) return state;
      const mode = chunk.modes.structuredContent ?? 'append';
      const added = chunk.structuredContent;
      const bare = Array.isArray(added) && mode === 'append' ? { [property]: added } : added;
      const value = { ...state.rest, [property]: state.rows };
      const modes = { ...chunk.modes, structuredContent: mode };
      return read(
        foldChunk(value, { ...chunk, structuredContent: bare, modes }),
        mode === 'replace' ? 0 : state.dropped,
      );
    },
    final: (result) => read(result.structuredContent, 0),
  };
}
