import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { run } from '../../scripts/lib/run.mjs';
import { launchOptions } from '../../scripts/lib/chromium.mjs';

/** What a reader needs to know of where a run took place. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  browser: string;
  /** One-minute load before and after: above the number of cores, others were at work. */
  load: [before: number, after: number];
}

export async function describeMachine(): Promise<Machine> {
  const { executablePath } = await launchOptions();
  const { stdout } = await run(executablePath, ['--version']);
  const load = loadavg()[0] ?? 0;
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1_024 ** 3),
    system: `${platform()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`,
    node: process.version,
    browser: /\S+ [\d.]+/.exec(stdout)?.[0] ?? 'Chromium',
    load: [load, load],
  };
}
