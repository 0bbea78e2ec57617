import { logConsumer } from '@mcp-apps-bridge/app-runtime';
import type { Consumer, LogState } from '@mcp-apps-bridge/app-runtime';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';

/** What the header shows of a run. */
export interface RunFacts {
  title: string;
  command: string;
  lines: number;
  passed: number;
  failed: number;
  /** Set in the end: the exit code, `null` after a signal. */
  exitCode?: number | null;
}

export interface RunView {
  log: LogState;
  facts: RunFacts;
}

const NO_FACTS: RunFacts = { title: 'Checks', command: '', lines: 0, passed: 0, failed: 0 };

/** The log from the text, the figures from the structured content beside it. */
export function runConsumer(maxLines: number): Consumer<RunView> {
  const log = logConsumer({ maxLines });
  return {
    init: () => ({ log: log.init(), facts: NO_FACTS }),
    chunk: (state, chunk) => ({
      log: log.chunk(state.log, chunk),
      facts: readFacts(chunk.structuredContent) ?? state.facts,
    }),
    final(result) {
      const { structuredContent } = result;
      const text = isPlainObject(structuredContent) ? structuredContent['log'] : undefined;
      // The text for the model is a summary; the log for the view stands beside it.
      const lines = typeof text === 'string' ? { content: [{ type: 'text', text }] } : result;
      return { log: log.final(lines), facts: readFacts(structuredContent) ?? NO_FACTS };
    },
  };
}

function readFacts(value: unknown): RunFacts | undefined {
  if (!isPlainObject(value)) return undefined;
  const number = (key: string): number => (typeof value[key] === 'number' ? value[key] : 0);
  const { title, command, exitCode } = value;
  return {
    title: typeof title === 'string' ? title : NO_FACTS.title,
    command: typeof command === 'string' ? command : '',
    lines: number('lines'),
    passed: number('passed'),
    failed: number('failed'),
    ...((typeof exitCode === 'number' || exitCode === null) && { exitCode }),
  };
}
