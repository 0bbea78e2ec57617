import { resolveTaskLogLimits } from './memory-store.ts';
import type { LoggedChunk, LogPage, TaskLogLimits, TaskRecord, TaskStore } from './store.ts';

/** Options of {@link createRedisTaskStore}. */
export interface RedisTaskStoreOptions {
  /**
   * Sends one command and gives the reply as the server sent it: integers, strings, lists, null.
   * With `redis`: `(args) => client.sendCommand(args)`; with `ioredis`: `([name, ...args]) => client.call(name, ...args)`.
   */
  command(args: string[]): Promise<unknown>;
  /** Put before each key. Default `mcp-task:`. */
  prefix?: string | undefined;
  limits?: Partial<TaskLogLimits> | undefined;
}

/*
 * A task is a hash, its log a stream whose entry ids are the numbers of the chunks, one up since 0-0 is no id.
 * The scripts run whole, so that nodes cannot come between a check and what depends on it; both keys share
 * a hash tag, so that they live on one node of a cluster.
 */

/** KEYS task, log. ARGV record, status, ttlMs. */
const CREATE = `
redis.call('HSET', KEYS[1], 'record', ARGV[1], 'status', ARGV[2], 'next', 0, 'bytes', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** KEYS task, log. ARGV seq, body, maxChunks, maxBytes. 1 when the task is at work. */
const APPEND = `
local status = redis.call('HGET', KEYS[1], 'status')
if status ~= 'working' and status ~= 'input_required' then return 0 end
local seq = tonumber(ARGV[1])
if seq < tonumber(redis.call('HGET', KEYS[1], 'next')) then return 1 end
redis.call('XADD', KEYS[2], string.format('%.0f-0', seq + 1), 'b', ARGV[2])
redis.call('HSET', KEYS[1], 'next', string.format('%.0f', seq + 1))
local bytes = redis.call('HINCRBY', KEYS[1], 'bytes', #ARGV[2])
local count = redis.call('XLEN', KEYS[2])
while count > 1 and (count > tonumber(ARGV[3]) or bytes > tonumber(ARGV[4])) do
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  redis.call('XDEL', KEYS[2], oldest[1])
  bytes = redis.call('HINCRBY', KEYS[1], 'bytes', -#oldest[2][2])
  count = count - 1
  redis.call('HSET', KEYS[1], 'truncated', 1)
end
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
return 1`;

/** KEYS task, log. ARGV afterSeq, maxPageChunks. next, truncatedBefore or '', entries. */
const READ = `
local next = redis.call('HGET', KEYS[1], 'next')
if not next then return false end
local from = string.format('%.0f-0', tonumber(ARGV[1]) + 2)
local entries = redis.call('XRANGE', KEYS[2], from, '+', 'COUNT', ARGV[2])
local before = ''
if redis.call('HGET', KEYS[1], 'truncated') then
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  if oldest then before = oldest[1] end
end
return { next, before, entries }`;

/** KEYS task. ARGV record, status. */
const FINISH = `
local status = redis.call('HGET', KEYS[1], 'status')
if status ~= 'working' and status ~= 'input_required' then return 0 end
redis.call('HSET', KEYS[1], 'record', ARGV[1], 'status', ARGV[2])
return 1`;

/**
 * Tasks in Redis 5 or later: any server process that reaches it answers for any task, and goes on where another one
 * ended. Task and log expire together, `ttlMs` after the creation.
 * @throws PartialResultsError `invalid_option`
 */
export function createRedisTaskStore(options: RedisTaskStoreOptions): TaskStore {
  const limits = resolveTaskLogLimits(options.limits);
  const { prefix = 'mcp-task:' } = options;

  const keys = (taskId: string): [task: string, log: string] => {
    const task = `${prefix}{${taskId}}`;
    return [task, `${task}:log`];
  };
  const run = (script: string, taskId: string, ...args: string[]): Promise<unknown> =>
    options.command(['EVAL', script, '2', ...keys(taskId), ...args]);

  async function append(taskId: string, { seq, body }: LoggedChunk): Promise<boolean> {
    const caps = [String(limits.maxChunks), String(limits.maxBytes)];
    return (await run(APPEND, taskId, String(seq), JSON.stringify(body), ...caps)) === 1;
  }

  async function get(taskId: string): Promise<TaskRecord | undefined> {
    const text = await options.command(['HGET', keys(taskId)[0], 'record']);
    return typeof text === 'string' ? (JSON.parse(text) as TaskRecord) : undefined;
  }

  return {
    async create(record, chunks) {
      await run(CREATE, record.taskId, JSON.stringify(record), record.status, String(record.ttlMs));
      for (const chunk of chunks) await append(record.taskId, chunk);
    },
    get,
    append,
    async read(taskId, afterSeq) {
      const reply = await run(READ, taskId, String(afterSeq), String(limits.maxPageChunks));
      return Array.isArray(reply) ? readPage(reply as Reply, limits.maxPageBytes) : undefined;
    },
    async finish(taskId, end, lastUpdatedAt) {
      const record = await get(taskId);
      if (!record) return false;
      const ended = { ...record, ...end, lastUpdatedAt };
      return (await run(FINISH, taskId, JSON.stringify(ended), end.status)) === 1;
    },
  };
}

type Reply = [next: string, truncatedBefore: string, entries: [id: string, fields: string[]][]];

function readPage([next, before, entries]: Reply, maxBytes: number): LogPage {
  const chunks: LoggedChunk[] = [];
  let bytes = 0;
  for (const [id, fields] of entries) {
    const text = fields[1] ?? '{}';
    bytes += text.length;
    if (chunks.length > 0 && bytes > maxBytes) break;
    chunks.push({ seq: seqOf(id), body: JSON.parse(text) as LoggedChunk['body'] });
  }
  return { chunks, nextSeq: Number(next), ...(before !== '' && { truncatedBefore: seqOf(before) }) };
}

function seqOf(id: string): number {
  return Number(id.slice(0, id.indexOf('-'))) - 1;
}
