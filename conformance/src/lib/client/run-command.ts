import { createInterface } from 'node:readline';
import { spawnCommand } from '../wire/spawn.ts';
import type { RunClient } from './check-client.ts';
import { PLAN_VARIABLE } from './protocol.ts';

/** Runs a client that is a command line. */
export function runCommand(command: string): RunClient {
  return async (plan, line, signal) => {
    const child = spawnCommand(command, { [PLAN_VARIABLE]: JSON.stringify(plan) });
    child.stdin.end();
    const lines = createInterface({ input: child.stdout });
    lines.on('line', line);
    const closed = new Promise<void>((resolve) => lines.once('close', resolve));
    const stop = (): void => void child.stop();
    signal.addEventListener('abort', stop);
    const ended = await child.exited;
    signal.removeEventListener('abort', stop);
    // The last lines may still be in the pipe; something the client left running may hold it open.
    await Promise.race([closed, child.stop().then(() => new Promise((resolve) => setTimeout(resolve, 500)))]);
    lines.close();
    return typeof ended === 'number' ? `exit ${ended}` : ended;
  };
}
