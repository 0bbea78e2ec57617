import { spawn } from 'node:child_process';

/**
 * @typedef {object} RunResult
 * @property {number} code exit code; 1 when the process died of a signal or did not start
 * @property {string} output stdout and stderr, interleaved
 * @property {string} stdout
 */

/**
 * Runs a command to its end without a shell and without stdin.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, echo?: boolean, timeoutMs?: number }} [options]
 *   `echo` copies the output through as it comes.
 * @returns {Promise<RunResult>} never rejects
 */
export function run(command, args, { cwd, env, echo = false, timeoutMs = 900_000 } = {}) {
  return new Promise((resolve) => {
    let output = '';
    let stdout = '';
    // A group of its own, so that a suite that hangs takes its browsers and servers down with it.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32',
    });
    const stop = () => killGroup(child.pid);
    const timer = setTimeout(() => {
      output += `\n${command} did not end within ${timeoutMs / 1000} s and was stopped\n`;
      stop();
    }, timeoutMs);
    process.once('exit', stop);
    child.stdout.on('data', (data) => {
      output += data;
      stdout += data;
      if (echo) process.stdout.write(data);
    });
    child.stderr.on('data', (data) => {
      output += data;
      if (echo) process.stderr.write(data);
    });
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer);
      process.off('exit', stop);
      resolve({ code, output, stdout });
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      finish(1);
    });
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
