import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);
const loopback = new URL('./loopback.mjs', import.meta.url).href;

/** A package's own command, as a process of its own. */
export interface AppServer {
  /** Its MCP endpoint. */
  url: string;
  stop(): Promise<void>;
}

/** Starts the command of an installed package as its users do: `node dist/index.js`. */
export async function startAppServer(name: string): Promise<AppServer> {
  const command = join(dirname(resolve(name)), 'index.js');
  const child = spawn(process.execPath, ['--import', loopback, command], {
    env: { ...process.env, DEBUG_LOG_FILE: devNull },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (data) => (errors += String(data)));
  const { port } = await new Promise<AddressInfo>((done, reject) => {
    child.once('message', (address) => done(address as AddressInfo));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${errors}`)));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, stop: async () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}
