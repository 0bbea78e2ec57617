/**
 * @typedef {object} Totals
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Totals of a Vitest JSON report. A file that could not be collected counts as one failure, and so
 * does a run that ended badly although each of its tests passed (an unhandled error).
 * @param {any} report parsed JSON, or undefined when the run wrote none
 * @param {number} code exit code of the run
 * @returns {Totals}
 */
export function vitestTotals(report, code) {
  if (!report) return crashed();
  const brokenFiles = report.testResults.filter(
    (/** @type {any} */ file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  ).length;
  return settle(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    },
    code,
  );
}

/**
 * Totals of a Playwright JSON report. A flaky test (failed, then passed on a retry) is a failure.
 * @param {any} report parsed JSON, or undefined when the run wrote none
 * @param {number} code exit code of the run
 * @returns {Totals}
 */
export function playwrightTotals(report, code) {
  if (!report) return crashed();
  const { expected, unexpected, flaky, skipped } = report.stats;
  return settle({ passed: expected, failed: unexpected + flaky + report.errors.length, skipped }, code);
}

/**
 * @param {readonly Totals[]} all
 * @returns {Totals}
 */
export function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const one of all) {
    total.passed += one.passed;
    total.failed += one.failed;
    total.skipped += one.skipped;
  }
  return total;
}

/**
 * The line a run ends with.
 * @param {Totals} totals
 */
export function totalsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @param {{ status: string }} assertion */
function isFailed(assertion) {
  return assertion.status === 'failed';
}

/** @returns {Totals} */
function crashed() {
  return { passed: 0, failed: 1, skipped: 0 };
}

/**
 * A run that failed without a failed test, or that ran nothing, has failed all the same.
 * @param {Totals} totals
 * @param {number} code
 * @returns {Totals}
 */
function settle(totals, code) {
  const ran = totals.passed + totals.failed > 0;
  return totals.failed === 0 && (code !== 0 || !ran) ? { ...totals, failed: 1 } : totals;
}
