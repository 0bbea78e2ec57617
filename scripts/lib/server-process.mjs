import { spawn } from 'node:child_process';
import { ROOT } from './foreground.mjs';

/**
 * @typedef {object} ServerProcess
 * @property {Record<string, string>} urls what it said when it was ready to be used
 * @property {(message: object) => Promise<Record<string, string>>} ask sends a message, resolves with the answer
 * @property {() => void} stop asks it to end
 * @property {Promise<void>} ended
 */

/**
 * Starts one server of the demo from its TypeScript source and waits until it listens.
 * @param {string} name for messages
 * @param {string} entry path from the root of the repository
 * @param {{ env?: Record<string, string>, onUnexpectedEnd: (name: string, code: number | null) => void }} options
 * @returns {Promise<ServerProcess>}
 */
export function startServer(name, entry, { env, onUnexpectedEnd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', entry], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      // What a server prints is for developers; stdout of the launcher is for its one line.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stopping = false;
    let listening = false;
    let trouble = '';
    child.stderr?.on('data', (data) => {
      if (listening) process.stderr.write(`[${name}] ${data}`);
      else trouble += data;
    });
    const stop = () => {
      stopping = true;
      if (child.exitCode === null) child.kill('SIGTERM');
    };
    /** @type {Promise<void>} */
    const ended = new Promise((end) => {
      child.once('exit', (code) => {
        end();
        if (!listening) reject(new Error(`The ${name} server did not start. ${trouble.trim()}`));
        else if (!stopping) onUnexpectedEnd(name, code);
      });
    });
    child.once('error', reject);
    child.once('message', (urls) => {
      listening = true;
      if (trouble !== '') process.stderr.write(`[${name}] ${trouble}`);
      resolve({
        urls: /** @type {Record<string, string>} */ (urls),
        ask: (message) =>
          new Promise((answer) => {
            child.once('message', (reply) => answer(/** @type {Record<string, string>} */ (reply)));
            child.send(message);
          }),
        stop,
        ended,
      });
    });
  });
}
