import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * What `scripts/demo.mjs` prints when everything is up.
 * @typedef {{ host: string, sandbox: string, mcp: { report: string, runner: string } }} DemoUrls
 *
 * @typedef {object} RunningDemo
 * @property {DemoUrls} urls
 * @property {() => Promise<number | null>} stop ends it as Ctrl-C would; gives its exit code
 */

const SCRIPT = fileURLToPath(new URL('../demo.mjs', import.meta.url));

/**
 * Starts the demo on free ports and waits for its line of URLs.
 * @param {{ paceMs?: number }} [options] `paceMs` between two steps of a streamed tool, instead of the demo's own
 * @returns {Promise<RunningDemo>}
 */
export async function startDemo({ paceMs } = {}) {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      ...process.env,
      DEMO_HOST_PORT: '0',
      DEMO_SANDBOX_PORT: '0',
      DEMO_REPORT_PORT: '0',
      DEMO_RUNNER_PORT: '0',
      DEMO_DEBUG: '1',
      ...(paceMs !== undefined && { DEMO_PACE_MS: String(paceMs) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const urls = await readyLine(child);
  return {
    urls,
    stop: async () => {
      if (child.exitCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGINT');
        await exit;
      }
      return child.exitCode;
    },
  };
}

/**
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @returns {Promise<DemoUrls>}
 */
function readyLine(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('{')) resolve(JSON.parse(line));
    });
    child.stderr.on('data', (data) => (output += String(data)));
    child.once('exit', (code) =>
      reject(new Error(`the demo ended with ${code} before it was ready:\n${output}`)),
    );
  });
}
