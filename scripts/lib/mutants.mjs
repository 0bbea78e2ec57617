/*
 * Every guard between server, view and host page, and the change that switches it off. `scripts/mutants.mjs`
 * runs the tests named here once per entry; at least one must fail.
 */
import { CONTENT_MUTANTS } from './mutants-content.mjs';
import { FRAME_MUTANTS } from './mutants-frame.mjs';
import { REQUEST_MUTANTS } from './mutants-requests.mjs';

/** @type {readonly import('./mutant-plugin.mjs').Mutant[]} */
export const MUTANTS = [...FRAME_MUTANTS, ...REQUEST_MUTANTS, ...CONTENT_MUTANTS];
