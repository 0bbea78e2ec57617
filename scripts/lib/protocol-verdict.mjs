/**
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} version of the protocol
 * @property {string} entry the server, from the root of the repository
 * @property {Record<string, string>} env
 * @property {string[]} run scenarios that apply
 * @property {{ scenario: string, checks: string[], reason: string }[]} fails checks of those that are known to fail
 * @property {{ reason: string, scenarios: string[] }[]} notRun every other scenario
 *
 * @typedef {{ id: string, status: string, errorMessage?: string }} Check
 * @typedef {import('./reports.mjs').Totals} Totals
 */

/**
 * Holds what a run gave against what is listed: an unlisted failure is one, and so is a listed failure
 * that passes, a scenario that checked nothing, and a scenario that the list does not know.
 * @param {Subject} subject
 * @param {ReadonlyMap<string, readonly Check[]>} results checks by scenario
 * @returns {{ totals: Totals, problems: string[] }} listed failures count as skipped
 */
export function judge(subject, results) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  const problems = [];
  const problem = (/** @type {string} */ text) => {
    totals.failed++;
    problems.push(text);
  };

  const listed = [...subject.run, ...subject.notRun.flatMap(({ scenarios }) => scenarios)];
  for (const scenario of results.keys()) {
    if (!listed.includes(scenario)) problem(`${scenario}: not listed; say whether it applies`);
  }
  for (const scenario of new Set(listed)) {
    if (!results.has(scenario)) problem(`${scenario}: listed, but the suite does not have it`);
    if (listed.indexOf(scenario) !== listed.lastIndexOf(scenario)) problem(`${scenario}: listed twice`);
  }
  for (const { scenario } of subject.fails) {
    if (!subject.run.includes(scenario)) problem(`${scenario}: listed as failing, but not as run`);
  }

  for (const scenario of subject.run) {
    const checks = results.get(scenario) ?? [];
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    if (results.has(scenario) && passed === 0) problem(`${scenario}: no check passed`);
    totals.passed += passed;
    const expected = subject.fails.filter((row) => row.scenario === scenario).flatMap((row) => row.checks);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    for (const { id, errorMessage = '' } of failed) {
      if (expected.includes(id)) totals.skipped++;
      else problem(`${scenario}: ${id}: ${errorMessage}`);
    }
    for (const id of expected) {
      if (!failed.some((check) => check.id === id)) {
        problem(`${scenario}: ${id} does not fail any more; take it off the list`);
      }
    }
  }
  return { totals, problems };
}
