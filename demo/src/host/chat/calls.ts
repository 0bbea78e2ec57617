import { startToolCall, type ToolCall } from '@mcp-apps-bridge/host-bridge';
import type { Tool } from '@modelcontextprotocol/client';
import type { Server } from './servers.ts';

export interface RunningCall {
  call: ToolCall;
  /** Partial results the client refused: no part of this call's output. */
  refused(): number;
  /** It waits for another call to the same server to end. */
  queued(): boolean;
}

/** Malformed, or under a token that is not this call's. */
const CLAIM_REFUSALS: ReadonlySet<string> = new Set(['invalid', 'unknown_token', 'foreign_task']);

export type StartCall = (server: Server, tool: Tool, args: Record<string, unknown>) => RunningCall;

/** @param partials false for the calls of a client that asks for none: what the apps show in the end is the same. */
export function createCallStarter(partials: boolean): StartCall {
  return (server, tool, args) => {
    let refused = 0;
    let queued = false;
    const before = server.refused();
    const call = startToolCall(
      server.client,
      { tool, arguments: args },
      {
        partials,
        origin: server.origin,
        onEvent(event) {
          if (event.type === 'call_queued') queued = true;
          if (event.type === 'call_started') queued = false;
          if (event.type === 'client' && CLAIM_REFUSALS.has(event.event.type)) refused++;
        },
      },
    );
    return {
      call,
      refused: () => refused + server.refused() - before,
      queued: () => queued && call.status === 'waiting',
    };
  };
}
