import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The contract pages, served by a process of their own. */
export interface ContractServer {
  /** Origin of the pages. */
  host: string;
  stop(): void;
}

/** Builds and serves the pages; building takes some seconds. */
export async function startContract(): Promise<ContractServer> {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data) => (output += String(data)));
  const host = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve((JSON.parse(line) as { host: string }).host);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the contract server ended with ${code}: ${output}`)));
  });
  return { host, stop: () => void child.kill('SIGTERM') };
}
