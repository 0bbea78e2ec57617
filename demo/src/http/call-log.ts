/** One tool call as the server saw it, for tests and for the curious (`GET /debug/calls`). */
export interface CallRecord {
  id: number;
  tool: string;
  arguments: unknown;
  /** Chunks handed to the emitter, which sends them only to a client that asked. */
  emitted: number;
  /** Units of work done: dashboard steps, words, log lines. Stands still once a call was aborted. */
  steps: number;
  state: 'running' | 'finished' | 'aborted' | 'failed';
}

/** Keeps the last {@link LIMIT} calls. */
export function createCallLog(): {
  start(tool: string, args: unknown): CallRecord;
  list(): CallRecord[];
} {
  const records: CallRecord[] = [];
  let next = 0;
  return {
    start(tool, args) {
      const record: CallRecord = {
        id: next++,
        tool,
        arguments: args,
        emitted: 0,
        steps: 0,
        state: 'running',
      };
      records.push(record);
      if (records.length > LIMIT) records.shift();
      return record;
    },
    list: () => records.map((record) => ({ ...record })),
  };
}

const LIMIT = 100;
