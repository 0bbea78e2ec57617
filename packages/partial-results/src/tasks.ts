/* `./tasks`: tool calls that outlive their requests, with their streams, for servers of SDK v2. */
export { createTasks, type Tasks, type TasksOptions } from './lib/tasks/tasks.ts';
export type { TaskCall, TaskWork } from './lib/tasks/task-call.ts';
export { createMemoryTaskStore, type MemoryTaskStoreOptions } from './lib/tasks/memory-store.ts';
export { createRedisTaskStore, type RedisTaskStoreOptions } from './lib/tasks/redis-store.ts';
export {
  DEFAULT_TASK_LOG_LIMITS,
  type LoggedChunk,
  type LogPage,
  type TaskEnd,
  type TaskLogLimits,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
} from './lib/tasks/store.ts';
