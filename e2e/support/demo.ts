import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What `scripts/demo.mjs` prints when everything is up. */
export interface DemoUrls {
  host: string;
  sandbox: string;
  mcp: { report: string; runner: string };
}

export interface RunningDemo {
  urls: DemoUrls;
  /** Ends the demo as Ctrl-C would. @returns its exit code */
  stop(): Promise<number | null>;
}

const SCRIPT = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

/** Starts the demo on free ports and waits for its line of URLs. */
export async function startDemo(): Promise<RunningDemo> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      ...process.env,
      DEMO_HOST_PORT: '0',
      DEMO_SANDBOX_PORT: '0',
      DEMO_REPORT_PORT: '0',
      DEMO_RUNNER_PORT: '0',
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

function readyLine(child: ChildProcess): Promise<DemoUrls> {
  return new Promise((resolve, reject) => {
    let output = '';
    createInterface({ input: child.stdout! }).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('{')) resolve(JSON.parse(line) as DemoUrls);
    });
    child.stderr!.on('data', (data) => (output += String(data)));
    child.once('exit', (code) =>
      reject(new Error(`the demo ended with ${code} before it was ready:\n${output}`)),
    );
  });
}
