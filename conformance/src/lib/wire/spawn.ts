import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface RunningCommand {
  stdin: Writable;
  stdout: Readable;
  /** Resolves with the exit code, or the signal that ended it. */
  exited: Promise<number | string>;
  /** Asks the command to end, with all it started, and makes it after a second. */
  stop(): Promise<void>;
}

const GRACE_MS = 1_000;

/** Runs a command line of the user's in a shell of its own process group. */
export function spawnCommand(command: string, env: Record<string, string> = {}): RunningCommand {
  const child = spawn(command, {
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    child.once('error', (error) => resolve(error.message));
  });
  child.stdin.on('error', () => {}); // the command may end before it has read everything
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    async stop() {
      signal(child, 'SIGTERM');
      const force = setTimeout(() => signal(child, 'SIGKILL'), GRACE_MS);
      await exited;
      clearTimeout(force);
    },
  };
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // Ended in the meantime.
  }
}
