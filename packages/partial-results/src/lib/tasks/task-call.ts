import { createEmitter, type PartialEmitterOptions } from '../emitter.ts';
import { isPlainObject } from '../guards.ts';
import { readCallContext, type AbortSignalLike, type OutgoingNotification } from '../opt-in.ts';
import { createAbortController, createTaskId } from '../platform.ts';
import type { PartialResultBody, ToolResult } from '../types.ts';
import { CLIENT_CAPABILITIES_KEY, TASK_HANDLE_META_KEY, TASKS_EXTENSION } from '../vocabulary.ts';
import type { LoggedChunk, TaskEnd, TaskRecord, TaskStore } from './store.ts';

/** What the work of a call is given. */
export interface TaskWork {
  /** Undefined when the caller takes no tasks and waits for the result. */
  taskId: string | undefined;
  /** As on a tool's context; the numbers go on from the chunks before. */
  emitPartial(body: PartialResultBody): Promise<void>;
  /** Aborted when the task is cancelled; for a call that waits, when that is. */
  signal: AbortSignalLike;
}

/** A call that may become a task. */
export interface TaskCall {
  emitPartial(body: PartialResultBody): Promise<void>;
  /**
   * Goes on without the request: what `work` resolves to is the task's result, its error the task's failure. For a
   * caller that did not declare the tasks extension in this very call, `work` runs within it.
   * @returns what the handler has to return.
   * @throws the store's error when the task could not be created; the call then fails.
   */
  becomeTask(work: (task: TaskWork) => Promise<ToolResult>): Promise<ToolResult>;
}

export interface TaskCallOptions extends Omit<PartialEmitterOptions, 'taskId'> {
  store: TaskStore;
  ttlMs: number;
  pollIntervalMs: number;
  /** Chunks before the task exists that its log will begin with, the newest. */
  maxEarlyChunks: number;
  /** The task was created; `cancel` stops its work. */
  onStart(taskId: string, cancel: () => void): void;
  onEnd(taskId: string): void;
  onStoreError(error: unknown): void;
}

/** `context` is the last parameter of a tool handler. */
export function createTaskCall(context: unknown, options: TaskCallOptions): TaskCall {
  const { store } = options;
  const call = readCallContext(context);
  const controller = createAbortController();
  const stop = (): void => controller.abort();
  call?.signal?.addEventListener('abort', stop);
  if (call?.signal?.aborted) stop();

  let taskId: string | undefined;
  let live = true;
  const early: LoggedChunk[] = [];
  let log = async (chunk: LoggedChunk): Promise<void> => {
    if (early.push(chunk) > options.maxEarlyChunks) early.shift();
  };

  /** Into the log first: what a live reader has seen, a later one finds there too. */
  async function notify({ method, params }: OutgoingNotification): Promise<void> {
    const { partialResultToken, seq, ...body } = params;
    await log({ seq: seq as number, body });
    if (!live) return;
    const named = taskId === undefined ? body : { ...body, taskId };
    try {
      await call?.notify({ method, params: { partialResultToken, seq, ...named } });
    } catch (error) {
      if (taskId === undefined) throw error;
      live = false; // the request's stream went with its response; the log is what is left
    }
  }

  const emitter = createEmitter(call && { ...call, notify, signal: controller.signal }, options);

  async function append(id: string, chunk: LoggedChunk): Promise<void> {
    try {
      if (!(await store.append(id, chunk))) stop();
    } catch (error) {
      options.onStoreError(error);
    }
  }

  async function create(): Promise<TaskRecord> {
    const now = new Date().toISOString();
    const { ttlMs, pollIntervalMs } = options;
    const id = createTaskId();
    const times = { createdAt: now, lastUpdatedAt: now, ttlMs, pollIntervalMs };
    const record: TaskRecord = { taskId: id, status: 'working', ...times };
    const created = store.create(record, early);
    log = async (chunk) => {
      await created;
      await append(id, chunk);
    };
    await created;
    taskId = id;
    return record;
  }

  async function execute(id: string, work: (task: TaskWork) => Promise<ToolResult>): Promise<void> {
    const end = await endOf(() => work({ taskId: id, emitPartial: emitter.emit, signal: controller.signal }));
    await emitter.end();
    try {
      await store.finish(id, end, new Date().toISOString());
    } catch (error) {
      options.onStoreError(error);
    }
    options.onEnd(id);
  }

  return {
    emitPartial: emitter.emit,
    async becomeTask(work) {
      if (!acceptsTasks(context)) {
        try {
          return await work({ taskId: undefined, emitPartial: emitter.emit, signal: controller.signal });
        } finally {
          await emitter.end();
        }
      }
      const record = await create();
      call?.signal?.removeEventListener('abort', stop);
      options.onStart(record.taskId, stop);
      void execute(record.taskId, work);
      return handleResult(record);
    },
  };
}

async function endOf(work: () => Promise<ToolResult>): Promise<TaskEnd> {
  try {
    return { status: 'completed', result: await work() };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const isRpc = Number.isSafeInteger(code) && typeof message === 'string';
    return {
      status: 'failed',
      error: isRpc ? { code: code as number, message } : { code: -32603, message: 'The tool failed.' },
    };
  }
}

/** Whether this very request declared the extension (SEP-2663: never inferred from an earlier one). */
function acceptsTasks(context: unknown): boolean {
  const request = isPlainObject(context) ? context['mcpReq'] : undefined;
  const envelope = isPlainObject(request) ? request['envelope'] : undefined;
  const capabilities = isPlainObject(envelope) ? envelope[CLIENT_CAPABILITIES_KEY] : undefined;
  const extensions = isPlainObject(capabilities) ? capabilities['extensions'] : undefined;
  return isPlainObject(extensions) && isPlainObject(extensions[TASKS_EXTENSION]);
}

/** A tool result that `serve` replaces by the handle; an error, so that no output schema applies to it. */
function handleResult(record: TaskRecord): ToolResult {
  const text = 'This call goes on as a task, but the server does not serve tasks: call tasks.serve(server).';
  return { content: [{ type: 'text', text }], isError: true, _meta: { [TASK_HANDLE_META_KEY]: record } };
}
