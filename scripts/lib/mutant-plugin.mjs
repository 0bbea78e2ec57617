import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MUTANTS } from './mutants.mjs';

/**
 * @typedef {object} Mutant
 * @property {string} id names the guard that is switched off
 * @property {string} file from the root of the repository
 * @property {string} find stands in the file exactly once
 * @property {string} replace what stands there when the guard is off
 * @property {'unit' | 'browser'} project where its tests run
 * @property {readonly string[]} tests files of which at least one test must fail
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Switches one guard off while Vite loads its file; nothing on disk changes. The guard is named by the
 * environment variable `MUTANT`; without it there is no plugin.
 */
export function mutantPlugins() {
  const id = process.env['MUTANT'];
  if (id === undefined) return [];
  const mutant = MUTANTS.find((entry) => entry.id === id);
  if (!mutant) throw new Error(`no mutant is called ${id}`);
  return [
    {
      name: 'mutant',
      enforce: /** @type {const} */ ('pre'),
      /** @param {string} code @param {string} module */
      transform(code, module) {
        return module.split('?')[0] === root + mutant.file ? mutate(code, mutant) : undefined;
      },
    },
  ];
}

/**
 * @param {string} code
 * @param {Mutant} mutant
 */
function mutate(code, mutant) {
  const parts = code.split(mutant.find);
  if (parts.length !== 2) {
    throw new Error(
      `${mutant.id}: its text stands ${parts.length - 1} times in ${mutant.file}, must be once`,
    );
  }
  return parts.join(mutant.replace);
}

/** @param {Mutant} mutant */
export function readMutated(mutant) {
  return mutate(readFileSync(root + mutant.file, 'utf8'), mutant);
}
