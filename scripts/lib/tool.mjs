import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * @typedef {{ ok: boolean, output: string }} Verdict
 * @typedef {object} Check one static check; counts as one test
 * @property {string} name
 * @property {() => Promise<Verdict>} run
 */

/**
 * A check that runs a tool of `node_modules/.bin`.
 * @param {string} name
 * @param {string} command
 * @param {...string} args
 * @returns {Check}
 */
export function tool(name, command, ...args) {
  return { name, run: () => verdict(join('node_modules', '.bin', command), args) };
}

/**
 * A check that is a script of this repository.
 * @param {string} name
 * @param {...string} args
 * @returns {Check}
 */
export function script(name, ...args) {
  return { name, run: () => verdict(process.execPath, args) };
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Verdict>}
 */
async function verdict(command, args) {
  const { code, output } = await run(command, args);
  return { ok: code === 0, output };
}
