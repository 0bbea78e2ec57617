import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createAppRuntime, textConsumer } from '@mcp-apps-bridge/app-runtime';
import { createViewFeed, startToolCall, type OutputEnd, type ToolCall } from '@mcp-apps-bridge/host-bridge';
import { connect, startHttp, type HttpFixture } from '@mcp-apps-bridge/partial-results/testing/peers';
import { hasRedis, startRedis } from '@mcp-apps-bridge/partial-results/testing/redis';
import { expect, test } from 'vitest';

/* The client dies in the middle of a task; the one started next shows what the first would have shown. */

const all = Array.from({ length: 62 }, (_, i) => i);

/** Runs the caller until it has seen `count` chunks, then kills it. */
async function callAndDie(url: string, count: number): Promise<{ taskId: string; seen: number }> {
  const file = fileURLToPath(new URL('./support/task-caller.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let taskId: string | undefined;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { seq?: number; taskId?: string };
    taskId ??= said.taskId;
    if (said.seq !== undefined) seen++;
    if (taskId !== undefined && seen >= count) break;
  }
  child.kill('SIGKILL');
  if (taskId === undefined) throw new Error('the caller ended before its call became a task');
  return { taskId, seen };
}

/** Shows a call in a view, as a host and an app do. */
async function show(
  call: ToolCall,
): Promise<{ end: OutputEnd; before: string; after: unknown; applied: number }> {
  let before = '';
  const runtime = createAppRuntime({ consumer: textConsumer(), sendAck: (params) => feed.ack(params) });
  const feed = createViewFeed({
    output: call,
    notify(method, params) {
      if (method.endsWith('tool-output-partial')) runtime.receive(params);
      if (!method.endsWith('tool-result')) return;
      runtime.flush();
      before = runtime.snapshot().state.text;
      runtime.finish(params);
    },
  });
  feed.open({ acks: true });
  const end = await call.done;
  runtime.flush();
  const { state, status, counters } = runtime.snapshot();
  feed.close();
  call.close();
  runtime.close();
  return { end, before, after: { text: state.text, status }, applied: counters.applied };
}

async function check(first: HttpFixture, second: HttpFixture): Promise<void> {
  const { taskId, seen } = await callAndDie(first.url, 10);
  const { client, close } = await connect('v2 modern', second.url);
  const { end, before, after, applied } = await show(
    startToolCall(client, { tool: { name: 'count' }, taskId }),
  );
  expect(end.status).toBe('complete');
  expect(after).toEqual({ text: all.join(' '), status: 'complete' });
  // From the beginning, in order, nothing twice; the result may come with the last of it.
  expect(all.join('').startsWith(before)).toBe(true);
  expect(applied).toBeGreaterThanOrEqual(seen);
  await close();
}

test('a client killed in mid-stream, and another one after it', async () => {
  const server = await startHttp('server-tasks');
  await check(server, server).finally(server.stop);
}, 90_000);

test.skipIf(!hasRedis)(
  'the same, on another server process, with the tasks in Redis',
  async () => {
    const redis = await startRedis();
    const env = { REDIS_URL: redis.url };
    const servers = await Promise.all([startHttp('server-tasks', env), startHttp('server-tasks', env)]);
    try {
      await check(servers[0]!, servers[1]!);
    } finally {
      await Promise.all(servers.map(async (server) => server.stop()));
      await redis.stop();
    }
  },
  90_000,
);
