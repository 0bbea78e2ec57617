import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { expect, test } from 'vitest';
import { createToolDirectory } from './tool-directory.ts';

function setUp(names: string[][] = [['a'], ['b']]) {
  const scheduler = createManualScheduler();
  let asked = 0;
  const client = {
    async listTools({ cursor = '0' }: { cursor?: string } = {}) {
      asked++;
      const page = Number(cursor);
      const next = page + 1 < names.length ? { nextCursor: String(page + 1) } : {};
      return { tools: (names[page] ?? []).map((name) => ({ name })), ...next };
    },
  };
  const directory = createToolDirectory(client, [{ name: 'known' }], scheduler);
  return { directory, scheduler, names, asked: () => asked };
}

test('what the host knows already costs no request', async () => {
  const { directory, asked } = setUp();
  expect(await directory.find('known')).toEqual({ name: 'known' });
  expect(asked()).toBe(0);
});

test('a thousand names at once cost one listing, and a thousand more soon after it none', async () => {
  const { directory, asked } = setUp();
  const find = async (count: number): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, async (_, i) => directory.find(`made up ${i}`)));
  expect(new Set(await find(1_000))).toEqual(new Set([undefined]));
  await find(1_000);
  expect(asked()).toBe(2);
  expect(await directory.find('b')).toEqual({ name: 'b' });
});

test('a tool that the server adds is found a little later', async () => {
  const { directory, scheduler, names } = setUp([['a']]);
  expect(await directory.find('new')).toBeUndefined();
  names[0]!.push('new');
  scheduler.advance(5_000);
  expect(await directory.find('new')).toEqual({ name: 'new' });
});

test('a listing that failed is asked for again', async () => {
  let fail = true;
  const client = {
    async listTools() {
      if (fail) throw new Error('down');
      return { tools: [{ name: 'a' }] };
    },
  };
  const directory = createToolDirectory(client, []);
  await expect(directory.find('a')).rejects.toThrow('down');
  fail = false;
  expect(await directory.find('a')).toEqual({ name: 'a' });
});
