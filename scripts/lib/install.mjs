import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreground, ROOT } from './foreground.mjs';

/** What `npx` is given to run the package manager of this repository: nothing but Node and npm is assumed. */
export const PNPM = 'pnpm@12.21.0';

/** Remembers what was installed; gone with `node_modules`. */
const STAMP = join(ROOT, 'node_modules', '.installed');

/**
 * Installs what the lockfile says, when that has not been done yet. Its output goes to stderr.
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 * @throws Error when the package manager fails.
 */
export async function installDependencies(signal) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  process.stderr.write('Installing dependencies…\n');
  const code = await foreground('npx', ['--yes', PNPM, 'install', '--frozen-lockfile'], {
    signal,
    // On Windows npx is a command script.
    shell: process.platform === 'win32',
  });
  if (code !== 0) throw new Error(`Installing failed with exit code ${code}; its output is above.`);
  writeFileSync(STAMP, wanted);
}

/** Changes when the lockfile or a manifest does. */
function fingerprint() {
  const folders = [
    '.',
    'demo',
    'e2e',
    'conformance',
    'conformance/protocol',
    'bench',
    ...subfolders('packages'),
  ];
  const hash = createHash('sha256').update(process.version);
  for (const file of [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...folders.map((folder) => join(folder, 'package.json')),
  ]) {
    const path = join(ROOT, file);
    if (existsSync(path)) hash.update(file).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function subfolders(folder) {
  return readdirSync(join(ROOT, folder)).map((name) => join(folder, name));
}
