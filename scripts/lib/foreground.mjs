import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a command at the root of the repository to its end. What it prints goes to stderr: stdout is for
 * results.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ signal?: AbortSignal | undefined, shell?: boolean }} [options] aborting ends the command
 * @returns {Promise<number>} its exit code, 1 after a signal
 * @throws Error when it cannot be started, and an `AbortError`
 */
export function foreground(command, args, { signal, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      shell,
      stdio: ['ignore', process.stderr, process.stderr],
      ...(signal && { signal }),
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
