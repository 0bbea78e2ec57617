import { checkAtLeast } from '../errors.ts';
import { systemScheduler, type Scheduler } from '../scheduler.ts';
import { TASKS_EXTENSION } from '../vocabulary.ts';
import { createMemoryTaskStore } from './memory-store.ts';
import { serveTasksOn } from './serve-tasks.ts';
import { DEFAULT_TASK_LOG_LIMITS, type TaskStore } from './store.ts';
import { createTaskCall, type TaskCall, type TaskCallOptions } from './task-call.ts';

/** Options of {@link createTasks}. */
export interface TasksOptions {
  /** Default: in this process. */
  store?: TaskStore | undefined;
  /** Milliseconds from its creation after which a task, its result and its log are gone. Default 600,000. */
  ttlMs?: number | undefined;
  /** Milliseconds a client should let pass between two polls. Default 500. */
  pollIntervalMs?: number | undefined;
  /** The store could not be reached. Must not throw; what it throws is ignored. */
  onStoreError?: ((error: unknown) => void) | undefined;
  scheduler?: Scheduler | undefined;
}

/** Tool calls that outlive their requests, with their streams (SEP-2663, and question 6 of SEP-2998). */
export interface Tasks {
  /** In a tool's handler, in place of `withPartialResults`. */
  open(context: unknown, options?: Pick<TaskCallOptions, 'modes' | 'limits' | 'onEvent'>): TaskCall;
  /** Makes a server of SDK v2 answer for tasks. Before it connects; an `McpServer` or its `Server`. */
  serve(server: object): void;
}

/** What is used of an SDK server. */
interface ServerLike {
  connect(transport: never): Promise<void>;
  registerCapabilities(capabilities: object): void;
}

/**
 * ```ts
 * const tasks = createTasks();
 * tasks.serve(server);
 * server.registerTool('audit', { inputSchema }, async ({ site }, ctx) => {
 *   const call = tasks.open(ctx);
 *   await call.emitPartial(text('Looking up the site'));
 *   return call.becomeTask(({ emitPartial, signal }) => audit(site, emitPartial, signal));
 * });
 * ```
 * @throws PartialResultsError `invalid_option`
 */
export function createTasks(options: TasksOptions = {}): Tasks {
  const { scheduler = systemScheduler, ttlMs = 600_000, pollIntervalMs = 500 } = options;
  checkAtLeast('ttlMs', ttlMs, 1);
  checkAtLeast('pollIntervalMs', pollIntervalMs, 1);
  const store = options.store ?? createMemoryTaskStore({ scheduler });
  const running = new Map<string, () => void>();

  function onStoreError(error: unknown): void {
    try {
      options.onStoreError?.(error);
    } catch {
      // An observer is no reason to fail a task.
    }
  }

  return {
    open: (context, callOptions) =>
      createTaskCall(context, {
        ...callOptions,
        store,
        ttlMs,
        pollIntervalMs,
        scheduler,
        maxEarlyChunks: DEFAULT_TASK_LOG_LIMITS.maxPageChunks,
        onStart: (taskId, cancel) => running.set(taskId, cancel),
        onEnd: (taskId) => running.delete(taskId),
        onStoreError,
      }),
    serve(given) {
      const server = ((given as { server?: unknown }).server ?? given) as ServerLike;
      server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
      const { connect } = server;
      server.connect = async (transport) => {
        await connect.call(server, transport);
        serveTasksOn(transport, { store, stop: (taskId) => running.get(taskId)?.(), onStoreError });
      };
    },
  };
}
