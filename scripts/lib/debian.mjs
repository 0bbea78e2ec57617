import { existsSync } from 'node:fs';
import { run } from './run.mjs';

/**
 * Installs packages of the distribution where this process may: as root on Debian and its kin.
 * @param {readonly string[]} packages
 * @param {(line: string) => void} log
 * @returns {Promise<boolean>} false where it may not; whether they are there now is for the caller to see
 */
export async function installPackages(packages, log) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  log(`installing ${packages.join(', ')} with apt-get`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env });
  const { code, output } = await run('apt-get', ['install', '-y', ...packages], { env });
  if (code !== 0) log(output.trimEnd());
  return true;
}
