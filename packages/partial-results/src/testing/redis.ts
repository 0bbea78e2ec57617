/* A Redis server of its own for a test, where the program is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';

export interface RedisFixture {
  url: string;
  command(args: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Whether `redis-server` can be started here; the suite's installer sees to it where it may. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis(): Promise<RedisFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await ready(child);
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url });
  await client.connect();
  return {
    url,
    command: (parts) => client.sendCommand(parts),
    async stop() {
      client.destroy();
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data) => String(data).includes('Ready to accept') && resolve());
    child.once('exit', () => reject(new Error('redis-server ended before it listened')));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
