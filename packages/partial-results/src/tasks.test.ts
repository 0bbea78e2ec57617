import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callTool } from './lib/call-tool.ts';
import { PartialResultsError, type TaskHandle } from './lib/errors.ts';
import { cancelTask, followTask } from './lib/tasks/follow-task.ts';
import type { PartialToolResult } from './lib/types.ts';
import { connect, startHttp, texts, type HttpFixture, type Peer } from './testing/fixture-peers.ts';
import { hasRedis, startRedis, type RedisFixture } from './testing/redis.ts';

/* Calls that outlive their requests, over real servers and clients. */

let http: HttpFixture;
let redis: RedisFixture | undefined;
const peers: Peer[] = [];
const servers: HttpFixture[] = [];

beforeAll(async () => {
  http = await startHttp('server-tasks');
  redis = hasRedis ? await startRedis() : undefined;
});
afterAll(async () => {
  await http.stop();
  await redis?.stop();
});
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function join(kind: Parameters<typeof connect>[0], target: string): Promise<Peer> {
  const peer = await connect(kind, target);
  peers.push(peer);
  return peer;
}

interface Started {
  task: TaskHandle;
  chunks: PartialToolResult[];
}

/** Calls `count` and gives the handle it became. */
async function start(peer: Peer, args: Record<string, unknown>): Promise<Started> {
  const chunks: PartialToolResult[] = [];
  const error: unknown = await callTool(
    peer.client,
    { name: 'count', arguments: args },
    { onpartialresult: (chunk) => chunks.push(chunk) },
  ).catch((reason: unknown) => reason);
  if (!(error instanceof PartialResultsError) || !error.task) throw error;
  return { task: error.task, chunks };
}

async function follow(
  peer: Peer,
  taskId: string,
  afterSeq = -1,
): Promise<{ seqs: number[]; words: string[]; taskIds: Set<unknown>; final: string[] }> {
  const chunks: PartialToolResult[] = [];
  const result = await followTask(peer.client, taskId, {
    afterSeq,
    onpartialresult: (chunk) => chunks.push(chunk),
  });
  return {
    seqs: chunks.map(({ seq }) => seq),
    words: chunks.flatMap(texts),
    taskIds: new Set(chunks.map((chunk) => chunk.taskId)),
    final: texts(result),
  };
}

const upTo = (count: number, from = 0): number[] => Array.from({ length: count - from }, (_, i) => from + i);

describe.each(['http', 'stdio'])('a call that becomes a task over %s', (transport) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await connect('v2 modern', transport === 'http' ? http.url : 'server-tasks');
  });
  afterAll(() => peer.close());

  test('is answered with a handle; its log is one sequence from before the task was', async () => {
    const { task, chunks } = await start(peer, { early: 3, count: 5 });
    expect(task).toMatchObject({ status: 'working', pollIntervalMs: 25, ttlMs: 600_000 });
    expect(chunks.slice(0, 3).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    const { seqs, words, taskIds, final } = await follow(peer, task.taskId);
    expect(seqs).toEqual(upTo(8));
    expect(words).toEqual(upTo(8).map(String));
    expect([...taskIds]).toEqual([task.taskId]);
    expect(final).toEqual([upTo(8).join(' ')]);
  });

  test('is followed from a cursor', async () => {
    const { task } = await start(peer, { early: 2, count: 4 });
    expect((await follow(peer, task.taskId, 3)).seqs).toEqual([4, 5]);
    expect((await follow(peer, task.taskId, 5)).seqs).toEqual([]);
  });

  test('is followed while it runs, and each chunk comes once', async () => {
    const { task } = await start(peer, { early: 1, count: 20, delayMs: 10 });
    const { seqs, final } = await follow(peer, task.taskId);
    expect(seqs).toEqual(upTo(21));
    expect(final).toEqual([upTo(21).join(' ')]);
  });

  test('fails with the error of the tool', async () => {
    const { task } = await start(peer, { fail: true });
    const outcome = follow(peer, task.taskId);
    await expect(outcome).rejects.toMatchObject({
      code: 'task_failed',
      message: 'no such site',
      cause: { code: -32050 },
    });
  });

  test('stops when it is cancelled', async () => {
    const { task } = await start(peer, { early: 1, count: 10_000, delayMs: 10 });
    await cancelTask(peer.client, task.taskId);
    await expect(follow(peer, task.taskId)).rejects.toMatchObject({ code: 'task_cancelled' });
  });

  test('is unknown under another id', async () => {
    await expect(follow(peer, 'task-guessed')).rejects.toMatchObject({ code: 'task_unknown' });
  });
});

test('a client that takes no tasks waits for the result', async () => {
  const peer = await join('v2 legacy', http.url);
  const chunks: PartialToolResult[] = [];
  const result = await callTool(
    peer.client,
    { name: 'count', arguments: { early: 1, count: 2 } },
    { onpartialresult: (chunk) => chunks.push(chunk) },
  );
  expect(texts(result)).toEqual(['0 1 2']);
  expect(chunks.map(({ seq, taskId }) => [seq, taskId])).toEqual([
    [0, undefined],
    [1, undefined],
    [2, undefined],
  ]);
});

test('a client started later shows the whole stream of a task whose caller is gone', async () => {
  const caller = await join('v2 modern', http.url);
  const { task } = await start(caller, { early: 2, count: 10, delayMs: 10 });
  await peers.pop()?.close();
  const { seqs, final } = await follow(await join('v2 modern', http.url), task.taskId);
  expect(seqs).toEqual(upTo(12));
  expect(final).toEqual([upTo(12).join(' ')]);
});

test('following ends with its signal, and the task does not', async () => {
  const peer = await join('v2 modern', http.url);
  const { task } = await start(peer, { count: 10, delayMs: 10 });
  const controller = new AbortController();
  const stopped = followTask(peer.client, task.taskId, {
    signal: controller.signal,
    onpartialresult: () => controller.abort(),
  });
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  expect((await follow(peer, task.taskId)).seqs).toEqual(upTo(10));
});

test.skipIf(!hasRedis)(
  'with Redis another server process answers for a task, while it runs and after its server died',
  async () => {
    const env = { REDIS_URL: redis!.url };
    const [first, second] = await Promise.all([
      startHttp('server-tasks', env),
      startHttp('server-tasks', env),
    ]);
    servers.push(first, second);
    const { task } = await start(await join('v2 modern', first.url), { early: 2, count: 10, delayMs: 10 });
    const other = await join('v2 modern', second.url);
    const whole = { seqs: upTo(12), final: [upTo(12).join(' ')] };
    expect(await follow(other, task.taskId)).toMatchObject(whole);
    await first.stop();
    expect(await follow(other, task.taskId)).toMatchObject(whole);
  },
);
