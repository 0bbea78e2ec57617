import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, inject, test } from 'vitest';
import { settle, until } from '../../testing/proxy-frame.ts';
import type { HeldCall } from '../../testing/stream-server.ts';
import { startToolCall, type ToolCall, type ToolCallOptions } from './start-tool-call.ts';

const { streams, monitor } = inject('sandboxServers');
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Eight streaming calls to one server, all at once. */
async function startEight(group: string, options: ToolCallOptions) {
  const client = new Client({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(streams)));
  const ask = async (path: string): Promise<HeldCall[]> =>
    (await (await fetch(`${monitor}/${path}?group=${group}`)).json()) as HeldCall[];
  cleanups.push(
    () => client.close(),
    () => ask('release'),
  );
  const waiting = new Set<string>();
  const calls = new Map<string, ToolCall>();
  for (let i = 0; i < 8; i++) {
    const name = `${group}${i}`;
    const call = startToolCall(
      client,
      { tool: { name: 'hold' }, arguments: { name } },
      {
        ...options,
        onEvent({ type }) {
          if (type === 'call_queued') waiting.add(name);
          if (type === 'call_started') waiting.delete(name);
        },
      },
    );
    calls.set(name, call);
    cleanups.push(() => call.close());
  }
  const running = async (): Promise<string[]> =>
    (await ask('calls')).filter(({ state }) => state === 'running').map(({ name }) => name);
  const aborted = async (): Promise<string[]> =>
    (await ask('calls')).filter(({ state }) => state === 'aborted').map(({ name }) => name);
  return { calls, waiting, ask, running, aborted };
}

test('of eight streams to one origin four run, four are queued, and a cancel finds a connection', async () => {
  const { calls, waiting, ask, running, aborted } = await startEight('gated', {
    origin: new URL(streams).origin,
  });
  await until(async () => (await running()).length === 4);
  await settle();
  expect((await running()).sort()).toEqual(['gated0', 'gated1', 'gated2', 'gated3']);
  expect([...waiting]).toEqual(['gated4', 'gated5', 'gated6', 'gated7']);
  await until(() => calls.get('gated0')!.status === 'streaming');
  expect(calls.get('gated4')!.status).toBe('waiting');

  calls.get('gated0')!.cancel();
  await until(async () => (await aborted()).includes('gated0'));
  // Its place goes to the first in the queue; one cancelled there never reaches the server.
  await until(async () => (await running()).includes('gated4'));
  calls.get('gated6')!.cancel();
  expect((await calls.get('gated6')!.done).status).toBe('cancelled');

  await until(async () => {
    await ask('release');
    return [...calls.values()].every(({ end }) => end);
  });
  const statuses = [...calls.values()].map(({ status }) => status);
  expect(statuses.filter((status) => status === 'complete')).toHaveLength(6);
  expect((await ask('calls')).map(({ name }) => name)).not.toContain('gated6');
});

test('without the limit the browser lets fewer than eight through, and a cancel waits for a connection', async () => {
  const { calls, ask, running, aborted } = await startEight('free', {});
  await until(async () => (await running()).length >= 5);
  await settle();
  expect((await running()).length).toBeLessThan(7);
  calls.get('free0')!.cancel();
  await settle();
  expect(await running()).toContain('free0');
  expect(await aborted()).toEqual([]);
  await until(async () => {
    await ask('release');
    return [...calls.values()].every(({ end }) => end);
  });
});
