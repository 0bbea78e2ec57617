import { spawnSync } from 'node:child_process';
import { installPackages } from './debian.mjs';

/**
 * Sees to it that `redis-server` can be started, where this process may install it. The tests that need one are
 * skipped, and counted so, where there is none.
 * @param {(line: string) => void} log
 */
export async function ensureRedis(log) {
  if (spawnSync('redis-server', ['--version']).status === 0) return;
  await installPackages(['redis-server'], log);
}
