import { isPlainObject, type PartialResultToken, type ToolResult } from '@mcp-apps-bridge/partial-results';
import type { callTool, ToolClient } from '@mcp-apps-bridge/partial-results/client';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { describeFailure } from '../stream/failure.ts';
import { TOOL_CANCELLED_METHOD, TOOL_RESULT_METHOD } from '../stream/forward.ts';
import type { Sanitizer } from '../stream/sanitize/sanitizer.ts';
import { startToolCall } from '../stream/start-tool-call.ts';
import { createViewFeed } from '../stream/view-feed.ts';
import type { FeedLimits, ViewFeed } from '../stream/view-feed-types.ts';
import type { FrameEvent } from './frame-events.ts';
import { createProgressRelay } from './progress-relay.ts';
import type { ToolDefinition } from './tool-directory.ts';
import { readViewOptIn } from './view-opt-in.ts';

/** The way back to the view that asked. */
export interface ViewHop {
  /** @throws when the view is closed. */
  notify(method: string, params: Record<string, unknown>): void;
  /** Whether acks were negotiated with it. */
  acks(): boolean;
}

/** A call that was allowed, and the request it came with. */
export interface ViewCall {
  tool: ToolDefinition;
  args: Record<string, unknown>;
  request: { _meta?: unknown; envelope?: unknown; signal: AbortSignal };
}

export interface ViewCallsOptions {
  client: ToolClient;
  hop: ViewHop;
  sanitizer: Sanitizer;
  scheduler: Scheduler;
  limits?: FeedLimits | undefined;
  /** Of the server, for the limit on streams over HTTP/1.1, see `startToolCall`. */
  origin?: string | undefined;
  /** Whether the token names a stream the view already gets from elsewhere. */
  isTaken(token: PartialResultToken): boolean;
  onEvent(event: FrameEvent): void;
}

/** The calls one instance of a view makes. */
export interface ViewCalls {
  /** @throws ProtocolError for the view to read: of the server, or written here. */
  run(call: ViewCall): Promise<ToolResult>;
  /** Takes an ack; false when it is not about a call of the view's own. */
  ack(params: unknown): boolean;
}

/**
 * Calls on behalf of a view. The tokens the view chose stay on this hop: upstream each call has tokens of its
 * own, so that neither two views nor a view and its host can collide. Chunks come back through the stages every
 * stream passes, under the view's token (D1); where such a feed would send a result, the response takes its
 * place, on the same path and so behind every chunk.
 */
export function createViewCalls(options: ViewCallsOptions): ViewCalls {
  const { client, hop, sanitizer, scheduler, onEvent } = options;
  const streams = new Map<PartialResultToken, ViewFeed>();

  async function make(
    call: ViewCall,
    token: PartialResultToken | undefined,
    onprogress: CallProgress,
  ): Promise<ToolResult> {
    const { tool, args, request } = call;
    let response: ToolResult | undefined;
    const report = (event: Extract<FrameEvent, { type: 'view_call' }>['event']): void =>
      onEvent({ type: 'view_call', tool: tool.name, event });
    const output = startToolCall(
      client,
      { tool: { ...tool }, arguments: args },
      {
        partials: token !== undefined,
        signal: request.signal,
        onprogress,
        sanitizer,
        scheduler,
        origin: options.origin,
        onEvent: report,
      },
    );
    const feed =
      token === undefined
        ? undefined
        : createViewFeed({
            output,
            token,
            scheduler,
            limits: options.limits,
            send: { input: false },
            onEvent: report,
            notify(method, params) {
              if (method === TOOL_RESULT_METHOD) response = params;
              else if (method !== TOOL_CANCELLED_METHOD) hop.notify(method, params);
            },
          });
    if (token !== undefined && feed) streams.set(token, feed);
    try {
      feed?.open({ acks: hop.acks() });
      const end = await output.done;
      if (end.status === 'cancelled') throw failure('The call was cancelled.');
      if (end.error !== undefined) throw answerable(end.error);
      return response ?? end.result;
    } finally {
      if (token !== undefined) streams.delete(token);
      feed?.close();
      output.close();
    }
  }

  return {
    async run(call) {
      const { token, progressToken } = readViewOptIn(call.request);
      if (token !== undefined && (streams.has(token) || options.isTaken(token))) {
        const message =
          'This partialResultToken is in use: choose a new one for each call, unique among the calls in flight.';
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
      const relay =
        progressToken === undefined
          ? undefined
          : createProgressRelay({ token: progressToken, scheduler, notify: hop.notify });
      try {
        const result = await make(call, token, relay?.push);
        relay?.flush();
        return result;
      } finally {
        relay?.close();
      }
    },
    ack(params) {
      const token = isPlainObject(params) ? params['partialResultToken'] : undefined;
      const feed = streams.get(token as PartialResultToken);
      feed?.ack(params);
      return feed !== undefined;
    },
  };
}

type CallProgress = Parameters<typeof callTool>[2] extends { onprogress?: infer Progress } | undefined
  ? Progress
  : never;

/** A JSON-RPC error is the server's own word to its view; anything else may name internals of the host. */
function answerable(error: unknown): Error {
  const isRpc = error instanceof Error && typeof (error as { code?: unknown }).code === 'number';
  return isRpc ? error : failure(describeFailure(error).text);
}

function failure(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}
