import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreground, ROOT } from './foreground.mjs';

const STAMP = join(ROOT, 'demo', 'dist', '.built');

/**
 * Builds host page and apps, unless nothing they are made of has changed. Output goes to stderr.
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 * @throws Error when the build fails.
 */
export async function buildDemo(signal) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  process.stderr.write('Building host page and apps…\n');
  const code = await foreground(process.execPath, ['demo/build.mjs'], { signal });
  if (code !== 0) throw new Error(`The build failed with exit code ${code}; its output is above.`);
  writeFileSync(STAMP, wanted);
}

/** Over the contents: times of files say nothing after a checkout. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = [
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'demo/build.mjs',
    'demo/package.json',
    'demo/tsconfig.json',
  ];
  for (const folder of [
    'demo/src',
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`),
  ]) {
    if (existsSync(join(ROOT, folder))) files.push(...sources(folder));
  }
  for (const file of files.toSorted()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sources(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
  });
}
