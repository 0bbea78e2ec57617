/** A tool call as the demo's server logs it (`GET /debug/calls`). */
export interface CallRecord {
  id: number;
  tool: string;
  emitted: number;
  steps: number;
  state: 'running' | 'finished' | 'aborted' | 'failed';
}

/** The calls of a tool, read from the server itself, oldest first. */
export async function allCalls(mcpUrl: string, tool: string): Promise<CallRecord[]> {
  const response = await fetch(new URL('/debug/calls', mcpUrl));
  return ((await response.json()) as CallRecord[]).filter((call) => call.tool === tool);
}

export async function lastCall(mcpUrl: string, tool: string): Promise<CallRecord> {
  const last = (await allCalls(mcpUrl, tool)).at(-1);
  if (!last) throw new Error(`the server has seen no call of ${tool}`);
  return last;
}
