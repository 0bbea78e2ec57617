import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface AttackServers {
  /** Origin of the host page. */
  host: string;
  stop(): void;
}

/** Builds and serves what the attacks need, in a process of its own. */
export async function startAttacks(): Promise<AttackServers> {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data) => (output += String(data)));
  const host = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve((JSON.parse(line) as { host: string }).host);
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the servers of the attacks ended with ${code}: ${output}`)),
    );
  });
  return { host, stop: () => void child.kill('SIGTERM') };
}
