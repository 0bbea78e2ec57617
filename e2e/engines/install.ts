import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Engine } from './engine.ts';

export const isThere = ({ needs }: Engine): boolean => needs.every((path) => existsSync(path));

/** Brings the engines that are missing, where this process may: as root on Debian and its kin. */
export function install(engines: readonly Engine[]): void {
  const missing = engines.filter((engine) => !isThere(engine)).flatMap(({ packages }) => packages);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stderr.write(`installing ${missing.join(', ')} with apt-get\n`);
  const apt = (...args: string[]): void => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) process.stderr.write(stderr);
  };
  apt('update');
  apt('install', '-y', ...missing);
}
