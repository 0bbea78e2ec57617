import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { embedChecks } from './embeds.mjs';
import { PNPM } from './install.mjs';
import { run } from './run.mjs';
import { tool } from './tool.mjs';

/** @typedef {import('./tool.mjs').Check} Check */

/**
 * Builds and packs every package, checks each tarball as a stranger would meet it, and runs the
 * embeds of the README on them.
 * @returns {Check[]} to be run in order: the later ones need what the first one packs
 */
export function packageChecks() {
  const folder = mkdtempSync(join(tmpdir(), 'tarballs-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const names = readdirSync('packages');
  /** @param {string} name */
  const tarball = (name) => {
    const file = readdirSync(folder).find((entry) => entry.startsWith(`mcp-apps-bridge-${name}-`));
    if (!file) throw new Error(`${name} was not packed`);
    return join(folder, file);
  };
  return [
    { name: 'build and pack', run: () => pack(names, folder) },
    ...names.flatMap((name) => [
      lazy(`publint ${name}`, () => tool('publint', 'publint', 'run', tarball(name), '--strict')),
      lazy(`attw ${name}`, () => tool('attw', 'attw', tarball(name), '--profile', 'esm-only')),
    ]),
    tool('size of the app-runtime core', 'size-limit'),
    ...embedChecks(() => names.map(tarball)),
  ];
}

/**
 * @param {readonly string[]} names
 * @param {string} folder
 */
async function pack(names, folder) {
  // Files of deleted sources would be packed too.
  for (const name of names) rmSync(join('packages', name, 'dist'), { recursive: true, force: true });
  const built = await tool('tsc -b', 'tsc', '-b').run();
  if (!built.ok) return built;
  let output = '';
  for (const name of names) {
    const cwd = resolve('packages', name);
    const packed = await run('npx', ['--yes', PNPM, 'pack', '--pack-destination', folder], { cwd });
    output += packed.output;
    if (packed.code !== 0) return { ok: false, output };
  }
  return { ok: true, output };
}

/**
 * A check whose arguments are known only when it runs.
 * @param {string} name
 * @param {() => Check} make
 * @returns {Check}
 */
function lazy(name, make) {
  return { name, run: async () => make().run() };
}
