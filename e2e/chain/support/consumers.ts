import { basicCatalog } from '@a2ui/lit/v0_9';
import {
  logConsumer,
  structuredConsumer,
  tableConsumer,
  textConsumer,
  type Consumer,
  type LogState,
  type TableState,
  type TextState,
} from '@mcp-apps-bridge/app-runtime';
import {
  createA2uiConsumer,
  secureCatalog,
  type A2uiCatalog,
  type A2uiState,
} from '@mcp-apps-bridge/app-runtime/a2ui';
import { createAssembler } from '@mcp-apps-bridge/partial-results/stream';
import type { Kind } from './samples.ts';

/** Every consumer of the package at once, each with its own state. */
export interface Shown {
  text: TextState;
  log: LogState;
  structured: unknown;
  table: TableState;
  a2ui?: A2uiState;
}

const catalogs = [secureCatalog(basicCatalog as A2uiCatalog)];

export function createConsumers(kind: Kind): Consumer<Shown> {
  const parts = {
    text: textConsumer(),
    log: logConsumer(),
    structured: structuredConsumer(),
    table: tableConsumer(),
    // It costs ten times the others together.
    ...(kind === 'a2ui' && { a2ui: createA2uiConsumer({ catalogs }) }),
  };
  const entries = Object.entries(parts) as unknown as [keyof Shown, Consumer<unknown>][];
  const each = (run: (consumer: Consumer<unknown>, name: keyof Shown) => unknown): Shown =>
    Object.fromEntries(entries.map(([name, consumer]) => [name, run(consumer, name)])) as unknown as Shown;
  return {
    init: () => each((consumer) => consumer.init()),
    assemble: createAssembler,
    chunk: (state, chunk) => each((consumer, name) => consumer.chunk(state[name], chunk)),
    final: (result) => each((consumer) => consumer.final(result)),
  };
}

/** The state as plain values, without what depends on how often it was updated. */
export function dump({ text, log, structured, table, a2ui }: Shown): Record<string, unknown> {
  return {
    text: { text: text.text, gaps: text.gaps },
    log: {
      lines: log.blocks.flatMap(({ lines }) => lines),
      open: log.open,
      gaps: log.gaps,
      summary: log.summary,
    },
    structured,
    table: { rows: table.rows, rest: table.rest },
    ...(a2ui && { a2ui: dumpA2ui(a2ui) }),
  };
}

export function dumpA2ui({ model, flow }: A2uiState): unknown {
  const surfaces = [...model.surfaces].map(([id, { dataModel, componentsModel }]) => ({
    id,
    data: dataModel.get('/') as unknown,
    components: Object.fromEntries(
      [...componentsModel.entries].map(([name, component]) => [name, component.componentTree]),
    ),
  }));
  return { surfaces, flow };
}
