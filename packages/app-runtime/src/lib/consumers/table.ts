import { isPlainObject, type MergeMode } from '@mcp-apps-bridge/partial-results';
import { foldStructured } from '@mcp-apps-bridge/partial-results/stream';
import type { Consumer } from '../types.ts';
import { ownList } from './own.ts';

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

  function append(state: TableState<Row>, added: readonly Row[], own: WeakSet<object>): TableState<Row> {
    const fits = Math.min(added.length, maxRows - state.rows.length);
    const dropped = state.dropped + added.length - fits;
    if (fits === 0) return { ...state, dropped };
    const rows = ownList(state.rows, own);
    for (let i = 0; i < fits; i++) rows.push(added[i]!);
    return { ...state, rows, dropped };
  }

  /** One update, the rows apart from what is beside them: neither is copied for the other's sake. */
  function fold(
    state: TableState<Row>,
    update: unknown,
    mode: MergeMode,
    own: WeakSet<object>,
  ): TableState<Row> {
    if (mode === 'replace') return read(update, 0);
    const appends = mode !== 'merge-patch';
    if (appends && Array.isArray(update)) return append(state, update as Row[], own);
    if (!isPlainObject(update)) return read(update, state.dropped);
    const { [property]: found, ...beside } = update;
    let next = state;
    if (Object.keys(beside).length > 0) {
      next = { ...state, rest: foldStructured(state.rest, beside, mode, own) as TableState['rest'] };
    }
    if (!Object.hasOwn(update, property)) return next;
    const rows = Array.isArray(found) ? (found as Row[]) : [];
    if (appends && Array.isArray(found)) return append(next, rows, own);
    return { ...next, ...read({ [property]: rows }, state.dropped), rest: next.rest };
  }

  return {
    init: () => read(undefined, 0),
    chunk(state, chunk, own = new WeakSet()) {
      if (chunk.structuredContent === undefined) return state;
      const mode = chunk.modes.structuredContent ?? 'append';
      return [chunk.structuredContent, ...(chunk.patches ?? [])].reduce(
        (next: TableState<Row>, update) => fold(next, update, mode, own),
        state,
      );
    },
    final: (result) => read(result.structuredContent, 0),
  };
}
