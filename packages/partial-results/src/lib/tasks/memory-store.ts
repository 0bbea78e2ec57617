import { checkAtLeast, PartialResultsError } from '../errors.ts';
import { systemScheduler, type Cancel, type Scheduler } from '../scheduler.ts';
import {
  DEFAULT_TASK_LOG_LIMITS,
  isTerminal,
  type LoggedChunk,
  type LogPage,
  type TaskLogLimits,
  type TaskRecord,
  type TaskStore,
} from './store.ts';

/** Options of {@link createMemoryTaskStore}. */
export interface MemoryTaskStoreOptions {
  limits?: Partial<TaskLogLimits> | undefined;
  /** Tasks kept; a further one pushes the oldest out that has ended, or else is refused. Default 1,000. */
  maxTasks?: number | undefined;
  scheduler?: Scheduler | undefined;
}

interface Entry {
  record: TaskRecord;
  chunks: { chunk: LoggedChunk; bytes: number }[];
  bytes: number;
  nextSeq: number;
  truncated: boolean;
  cancelExpiry: Cancel;
}

/**
 * Tasks in this process: gone with it, and known to no other node. A task and its log expire together.
 * @throws PartialResultsError `invalid_option`
 */
export function createMemoryTaskStore(options: MemoryTaskStoreOptions = {}): TaskStore {
  const limits = resolveTaskLogLimits(options.limits);
  const { maxTasks = 1000, scheduler = systemScheduler } = options;
  checkAtLeast('maxTasks', maxTasks, 1);
  const tasks = new Map<string, Entry>();

  function forget(taskId: string): void {
    tasks.get(taskId)?.cancelExpiry();
    tasks.delete(taskId);
  }

  function makeRoom(): void {
    if (tasks.size < maxTasks) return;
    for (const [taskId, { record }] of tasks) {
      if (isTerminal(record.status)) return forget(taskId);
    }
    throw new Error(`${maxTasks} tasks are at work; raise maxTasks to take more.`);
  }

  function add(entry: Entry, chunk: LoggedChunk): void {
    if (chunk.seq < entry.nextSeq) return;
    const bytes = JSON.stringify(chunk.body).length;
    entry.chunks.push({ chunk: structuredCloneOf(chunk), bytes });
    entry.bytes += bytes;
    entry.nextSeq = chunk.seq + 1;
    let surplus = 0;
    while (
      entry.chunks.length - surplus > 1 &&
      (entry.chunks.length - surplus > limits.maxChunks || entry.bytes > limits.maxBytes)
    ) {
      entry.bytes -= entry.chunks[surplus]!.bytes;
      surplus++;
    }
    if (surplus === 0) return;
    entry.chunks.splice(0, surplus);
    entry.truncated = true;
  }

  function page(entry: Entry, afterSeq: number): LogPage {
    const chunks: LoggedChunk[] = [];
    let bytes = 0;
    for (let i = firstAbove(entry.chunks, afterSeq); i < entry.chunks.length; i++) {
      const item = entry.chunks[i]!;
      bytes += item.bytes;
      if (chunks.length === limits.maxPageChunks || (chunks.length > 0 && bytes > limits.maxPageBytes)) break;
      chunks.push(item.chunk);
    }
    const [first] = entry.chunks;
    return {
      chunks,
      nextSeq: entry.nextSeq,
      ...(entry.truncated && first && { truncatedBefore: first.chunk.seq }),
    };
  }

  return {
    async create(record, chunks) {
      makeRoom();
      const { taskId } = record;
      const entry: Entry = {
        record,
        chunks: [],
        bytes: 0,
        nextSeq: 0,
        truncated: false,
        cancelExpiry: scheduler.delay(record.ttlMs, () => tasks.delete(taskId)),
      };
      for (const chunk of chunks) add(entry, chunk);
      tasks.set(taskId, entry);
    },
    get: async (taskId) => tasks.get(taskId)?.record,
    async append(taskId, chunk) {
      const entry = tasks.get(taskId);
      if (!entry || isTerminal(entry.record.status)) return false;
      add(entry, chunk);
      return true;
    },
    async read(taskId, afterSeq) {
      const entry = tasks.get(taskId);
      return entry && page(entry, afterSeq);
    },
    async finish(taskId, end, lastUpdatedAt) {
      const entry = tasks.get(taskId);
      if (!entry || isTerminal(entry.record.status)) return false;
      entry.record = { ...entry.record, ...end, lastUpdatedAt };
      return true;
    },
  };
}

/** Index of the first chunk above a number; the list is in order. */
function firstAbove(chunks: readonly { chunk: LoggedChunk }[], seq: number): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle]!.chunk.seq > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What the tool does with its objects later must not change the log; JSON is what travels anyway. */
function structuredCloneOf(chunk: LoggedChunk): LoggedChunk {
  return JSON.parse(JSON.stringify(chunk)) as LoggedChunk;
}

/** @throws PartialResultsError `invalid_option` on an unknown name or a value below 1. */
export function resolveTaskLogLimits(given: Partial<TaskLogLimits> = {}): TaskLogLimits {
  const limits: TaskLogLimits = { ...DEFAULT_TASK_LOG_LIMITS };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limits, name))
      throw new PartialResultsError('invalid_option', `limits.${name} is unknown`);
    if (value === undefined) continue;
    checkAtLeast(`limits.${name}`, value, 1);
    limits[name as keyof TaskLogLimits] = value;
  }
  return limits;
}
