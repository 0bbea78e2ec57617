import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import {
  callTool,
  PartialResultsError,
  type CallToolEvent,
  type CallToolOptions,
  type FollowTaskEvent,
  type Progress,
  type TaskHandle,
  type ToolClient,
} from '@mcp-apps-bridge/partial-results/client';
import { systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { OutputEvent } from '../events.ts';
import { createCallGate, type CallGate } from './call-gate.ts';
import { createTaskFollower } from './follow-task.ts';
import { createToolOutput } from './output.ts';
import type { ToolLike, ToolOutput, ToolOutputOptions } from './output-types.ts';
import type { OutputEnd } from './types.ts';

/** What is called. */
export interface ToolCallRequest {
  /** The tool's definition, as listed; at least its name. */
  tool: ToolLike & { name: string };
  arguments?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
  /**
   * A task that a call of this tool became, in this process or an earlier one: its stream is read from the
   * beginning, and no call is made.
   */
  taskId?: string | undefined;
}

export type ToolCallEvent =
  | OutputEvent
  | { type: 'client'; event: CallToolEvent }
  /** All places for this origin are taken; the call starts when one is free. */
  | { type: 'call_queued'; origin: string }
  /** A call that was queued has its place now. */
  | { type: 'call_started'; origin: string }
  | { type: 'task_started'; task: TaskHandle }
  /** Trouble in following a task. */
  | { type: 'task'; event: FollowTaskEvent };

export interface ToolCallOptions extends Omit<ToolOutputOptions, 'tool' | 'onEvent'> {
  /** Milliseconds the call may take, as a task as well. Default: no limit. */
  timeoutMs?: CallToolOptions['timeoutMs'];
  /** Milliseconds without a sign of life; not counted while the call is followed as a task. Default 60,000. */
  idleTimeoutMs?: CallToolOptions['idleTimeoutMs'];
  onprogress?: ((progress: Progress) => void) | undefined;
  /** Ask for partial results. False makes the call of a client that knows nothing of them (S17). Default true. */
  partials?: boolean | undefined;
  /** Further options of the SDK's own `callTool`. */
  requestOptions?: CallToolOptions['requestOptions'];
  /** Cancels the call when it aborts. */
  signal?: AbortSignal | undefined;
  /**
   * Fetches the result of a call that became a task (field case 86). Default: the task is polled, and its stream
   * read where the server keeps one.
   */
  resolveTask?: ((task: TaskHandle, signal: AbortSignal) => Promise<ToolResult>) | undefined;
  /**
   * The server's origin, for calls over HTTP from a browser: at most four to one origin then run at
   * once, so that a cancel always finds a connection. Default: no such limit.
   */
  origin?: string | undefined;
  /** Counts the calls to each origin. Default: one for the whole page. */
  gate?: CallGate | undefined;
  onEvent?: ((event: ToolCallEvent) => void) | undefined;
}

/** How a call ended. */
export type Outcome = OutputEnd;

/** A call under way and its output. */
export interface ToolCall extends ToolOutput {
  /** Settles at the end and never rejects. */
  readonly done: Promise<Outcome>;
  /** Also aborts the request: the server is told to stop. */
  cancel(reason?: string): void;
  /** Cancels the call if it still runs, then forgets it. */
  close(): void;
}

const pageGate = createCallGate();

/**
 * Calls a tool and gives its output, ready to be shown in any number of views. Starting calls is the
 * embedder's business and not a component's: a component that mounts twice must not call twice.
 * @throws HostBridgeError `invalid_option`
 */
export function startToolCall(
  client: ToolClient,
  request: ToolCallRequest,
  options: ToolCallOptions = {},
): ToolCall {
  const {
    timeoutMs,
    idleTimeoutMs,
    onprogress,
    partials = true,
    requestOptions,
    signal,
    resolveTask,
    origin,
    gate,
    onEvent,
    ...rest
  } = options;
  const { tool } = request;
  const output = createToolOutput({ ...rest, tool, onEvent });
  const controller = new AbortController();
  const tasks = createTaskFollower({
    client,
    push: output.push,
    partials,
    resolveTask,
    signal: controller.signal,
    timeoutMs,
    scheduler: options.scheduler ?? systemScheduler,
    onEvent: (event) => emit({ type: 'task', event }),
  });
  let settle: (outcome: Outcome) => void;
  const done = new Promise<Outcome>((resolve) => {
    settle = resolve;
  });

  function emit(event: ToolCallEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // An observer is no reason to fail a call.
    }
  }

  async function call(): Promise<ToolResult> {
    const leave = origin === undefined ? undefined : await enter(origin);
    try {
      const params = { name: tool.name, arguments: request.arguments, _meta: request._meta };
      return await callTool<ToolClient>(client, dropUndefined(params), {
        onpartialresult: partials ? tasks.push : undefined,
        onattempt() {
          tasks.restart();
          output.restart();
        },
        onEvent: (event) => emit({ type: 'client', event }),
        signal: controller.signal,
        timeoutMs,
        idleTimeoutMs,
        onprogress,
        requestOptions,
        scheduler: options.scheduler,
      });
    } finally {
      leave?.();
    }
  }

  async function enter(origin: string): Promise<() => void> {
    let queued = false;
    const leave = await (gate ?? pageGate).enter(origin, controller.signal, () => {
      queued = true;
      emit({ type: 'call_queued', origin });
    });
    if (queued) emit({ type: 'call_started', origin });
    return leave;
  }

  async function run(): Promise<void> {
    try {
      const joined = request.taskId === undefined ? undefined : { taskId: request.taskId };
      output.finish(joined ? await tasks.follow(joined) : await call().catch(awaitTask));
    } catch (error) {
      if (output.end) return;
      if (controller.signal.aborted || wasCancelled(error)) output.cancel();
      else output.fail(error);
    }
  }

  /** A handle is no result (D9); what it leads to is. */
  async function awaitTask(error: unknown): Promise<ToolResult> {
    const task = error instanceof PartialResultsError ? error.task : undefined;
    if (!task) throw error;
    emit({ type: 'task_started', task });
    return tasks.follow(task);
  }

  function cancel(reason?: string): void {
    output.cancel(reason);
    controller.abort();
    tasks.cancel();
  }

  const onAbort = (): void => cancel();
  signal?.addEventListener('abort', onAbort, { once: true });
  let shown = false;
  output.subscribe({
    end(end) {
      shown = true;
      settle(end);
    },
  });
  output.input(request.arguments);
  if (signal?.aborted) cancel();
  else void run().finally(() => signal?.removeEventListener('abort', onAbort));

  return {
    ...delegate(output),
    cancel,
    close() {
      if (!shown) cancel();
      output.close();
    },
    done,
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
}

/** Somebody else cancelled the task: a cancellation all the same (H18). */
function wasCancelled(error: unknown): boolean {
  return error instanceof PartialResultsError && error.code === 'task_cancelled';
}

function delegate(output: ToolOutput): Omit<ToolOutput, 'status' | 'end' | 'counters' | 'cancel' | 'close'> {
  const { input, push, restart, finish, fail, release, subscribe } = output;
  return { input, push, restart, finish, fail, release, subscribe };
}

function dropUndefined(params: { name: string; arguments: unknown; _meta: unknown }): { name: string } {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as {
    name: string;
  };
}
