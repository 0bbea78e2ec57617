import { createToolOutput, startToolCall } from '@mcp-apps-bridge/host-bridge';
import type { Outcome, ToolCall } from '@mcp-apps-bridge/host-bridge';
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import type { Tool } from '@modelcontextprotocol/client';
import type { Server } from './servers.ts';

export interface RunningCall {
  call: ToolCall;
  /** Partial results the client refused: no part of this call's output. */
  refused(): number;
}

/** Calls a tool and lets its partial results in. */
export function startStreamingCall(server: Server, tool: Tool, args: Record<string, unknown>): RunningCall {
  let refused = 0;
  const before = server.refused();
  const call = startToolCall(
    server.client,
    { tool, arguments: args },
    {
      onEvent(event) {
        if (event.type === 'client' && CLAIM_REFUSALS.has(event.event.type)) refused++;
      },
    },
  );
  return { call, refused: () => refused + server.refused() - before };
}

/** Malformed, or under a token that is not this call's. */
const CLAIM_REFUSALS: ReadonlySet<string> = new Set(['invalid', 'unknown_token', 'foreign_task']);

/**
 * The same call as a client without partial results makes it: the SDK's own `callTool`, nothing asked for.
 * What the app shows in the end must be the same.
 */
export function startPlainCall(server: Server, tool: Tool, args: Record<string, unknown>): RunningCall {
  const output = createToolOutput({ tool });
  const controller = new AbortController();
  const done = new Promise<Outcome>((resolve) => output.subscribe({ end: resolve }));
  output.input(args);
  server.client
    .callTool({ name: tool.name, arguments: args }, { signal: controller.signal, timeout: 600_000 })
    .then(
      (result) => output.finish(result as ToolResult),
      (error: unknown) => output.fail(error),
    );
  const cancel = (reason?: string): void => {
    output.cancel(reason);
    controller.abort();
  };
  const { input, push, restart, finish, fail, release, subscribe } = output;
  const call: ToolCall = {
    input,
    push,
    restart,
    finish,
    fail,
    release,
    subscribe,
    cancel,
    done,
    close() {
      cancel();
      output.close();
    },
    get status() {
      return output.status;
    },
    get end() {
      return output.end;
    },
    get counters() {
      return output.counters;
    },
  };
  return { call, refused: () => 0 };
}
