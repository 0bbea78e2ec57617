import { isPlainObject } from '../guards.ts';
import {
  CLIENT_CAPABILITIES_KEY,
  PARTIAL_RESULTS_CAPABILITY,
  TASK_HANDLE_META_KEY,
  TASK_LOG_META_KEY,
} from '../vocabulary.ts';
import type { TaskStore } from './store.ts';

/** The members of a server's transport that are used. */
interface ServerTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  send(message: unknown, options?: unknown): Promise<void>;
}

export interface TaskServiceOptions {
  store: TaskStore;
  /** Stops the work of a task if it runs in this process. */
  stop(taskId: string): void;
  onStoreError(error: unknown): void;
}

type Answer = { result: Record<string, unknown> } | { error: { code: number; message: string } };

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/**
 * Answers `tasks/get`, `tasks/cancel` and `tasks/update` on one transport, in front of an SDK that has no tasks of
 * its own, and turns the result of a call that became a task into its handle. All else passes untouched.
 */
export function serveTasksOn(transport: ServerTransport, options: TaskServiceOptions): void {
  const { store } = options;
  const receive = transport.onmessage;
  const { send } = transport;

  const methods: Record<string, (params: Record<string, unknown>) => Promise<Answer>> = {
    'tasks/get': async (params) => {
      const { taskId } = params;
      const record = typeof taskId === 'string' ? await store.get(taskId) : undefined;
      if (!record) return unknownTask();
      const afterSeq = readCursor(params['_meta']);
      const page = afterSeq === undefined ? undefined : await store.read(record.taskId, afterSeq);
      const _meta = page && { _meta: { [TASK_LOG_META_KEY]: page } };
      return { result: { resultType: 'complete', ...record, ..._meta } };
    },
    'tasks/cancel': async ({ taskId }) => {
      if (typeof taskId !== 'string' || !(await store.get(taskId))) return unknownTask();
      await store.finish(taskId, { status: 'cancelled' }, new Date().toISOString());
      options.stop(taskId);
      return { result: { resultType: 'complete' } };
    },
    'tasks/update': async ({ taskId }) => {
      const known = typeof taskId === 'string' && (await store.get(taskId));
      return known ? { result: { resultType: 'complete' } } : unknownTask();
    },
  };

  async function answer(id: unknown, method: string, params: unknown): Promise<void> {
    let body: Answer;
    try {
      body = await methods[method]!(isPlainObject(params) ? params : {});
    } catch (error) {
      options.onStoreError(error);
      body = { error: { code: INTERNAL_ERROR, message: 'The task store cannot be reached.' } };
    }
    try {
      await send.call(transport, { jsonrpc: '2.0', id, ...body }, { relatedRequestId: id });
    } catch {
      // Whoever asked has gone.
    }
  }

  transport.onmessage = (message, extra) => {
    const { id, method, params } = isPlainObject(message) ? message : {};
    if (id !== undefined && typeof method === 'string' && Object.hasOwn(methods, method))
      void answer(id, method, params);
    else receive?.call(transport, message, extra);
  };
  transport.send = (message, sendOptions) => send.call(transport, withHandle(message), sendOptions);
}

function unknownTask(): Answer {
  return { error: { code: INVALID_PARAMS, message: 'There is no such task, or no longer.' } };
}

/** The cursor, if the request itself opted in to partial results (S1) and names one. */
function readCursor(meta: unknown): number | undefined {
  if (!isPlainObject(meta)) return undefined;
  const capabilities = meta[CLIENT_CAPABILITIES_KEY];
  const asked = meta[TASK_LOG_META_KEY];
  if (!isPlainObject(capabilities) || !isPlainObject(capabilities[PARTIAL_RESULTS_CAPABILITY]))
    return undefined;
  const afterSeq = isPlainObject(asked) ? asked['afterSeq'] : undefined;
  return Number.isSafeInteger(afterSeq) && (afterSeq as number) >= -1 ? (afterSeq as number) : undefined;
}

function withHandle(message: unknown): unknown {
  const result = isPlainObject(message) ? message['result'] : undefined;
  const meta = isPlainObject(result) ? result['_meta'] : undefined;
  const handle = isPlainObject(meta) ? meta[TASK_HANDLE_META_KEY] : undefined;
  if (!isPlainObject(message) || !isPlainObject(meta) || !isPlainObject(handle)) return message;
  const { [TASK_HANDLE_META_KEY]: _, ...rest } = meta;
  return {
    ...message,
    result: { resultType: 'task', ...handle, ...(Object.keys(rest).length > 0 && { _meta: rest }) },
  };
}
