/** @typedef {import('./mutant-plugin.mjs').Mutant} Mutant */

export const bridge = 'packages/host-bridge/src/lib';
export const runtime = 'packages/app-runtime/src/lib';
export const partial = 'packages/partial-results/src/lib';

/**
 * Guards of one file, each `[name, text, text without the guard]`, noticed by the same tests.
 * @param {string} file
 * @param {string | readonly string[]} tests
 * @param {readonly [string, string, string][]} guards
 * @returns {Mutant[]}
 */
export function inFile(file, tests, guards) {
  const list = typeof tests === 'string' ? [tests] : tests;
  const project = list.some((test) => test.includes('.browser.')) ? 'browser' : 'unit';
  return guards.map(([id, find, replace]) => ({ id, file, find, replace, project, tests: list }));
}
