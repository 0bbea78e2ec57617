/** A tool call as the demo's server logs it (`GET /debug/calls`). */
export interface CallRecord {
  id: number;
  tool: string;
  emitted: number;
  steps: number;
  state: 'running' | 'finished' | 'aborted' | 'failed';
}

/** The latest call of a tool, read from the server itself. */
export async function lastCall(mcpUrl: string, tool: string): Promise<CallRecord> {
  const response = await fetch(new URL('/debug/calls', mcpUrl));
  const calls = ((await response.json()) as CallRecord[]).filter((call) => call.tool === tool);
  const last = calls.at(-1);
  if (!last) throw new Error(`the server has seen no call of ${tool}`);
  return last;
}
