import { describe, expect, it } from 'vitest';
import { playwrightTotals, sum, totalsLine, vitestTotals } from './reports.mjs';

const passedFile = { status: 'passed', assertionResults: [{ status: 'passed' }] };

function vitestReport(
  counts: { passed?: number; failed?: number; pending?: number; todo?: number },
  files: unknown[],
) {
  return {
    numPassedTests: counts.passed ?? 0,
    numFailedTests: counts.failed ?? 0,
    numPendingTests: counts.pending ?? 0,
    numTodoTests: counts.todo ?? 0,
    testResults: files,
  };
}

describe('vitestTotals', () => {
  it('takes the totals of a clean run, skipped and todo together', () => {
    const report = vitestReport({ passed: 3, pending: 1, todo: 1 }, [passedFile]);
    expect(vitestTotals(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
  });

  it('counts a file that could not be collected', () => {
    const report = vitestReport({ passed: 1 }, [passedFile, { status: 'failed', assertionResults: [] }]);
    expect(vitestTotals(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('counts a failed test once, not its file as well', () => {
    const file = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
    expect(vitestTotals(vitestReport({ passed: 1, failed: 1 }, [file]), 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  it.each([
    ['an unhandled error after passing tests', vitestReport({ passed: 2 }, [passedFile]), 1, 2],
    ['a run in which no test ran', vitestReport({}, []), 0, 0],
    ['no report at all', undefined, 0, 0],
  ])('counts %s as a failure', (_, report, code, passed) => {
    expect(vitestTotals(report, code)).toEqual({ passed, failed: 1, skipped: 0 });
  });
});

describe('playwrightTotals', () => {
  const stats = { expected: 5, unexpected: 0, flaky: 0, skipped: 0 };

  it('takes the totals of a clean run', () => {
    expect(playwrightTotals({ stats, errors: [] }, 0)).toEqual({ passed: 5, failed: 0, skipped: 0 });
  });

  it('counts flaky tests and global errors as failures', () => {
    const report = {
      stats: { ...stats, unexpected: 1, flaky: 2, skipped: 3 },
      errors: [{ message: 'setup' }],
    };
    expect(playwrightTotals(report, 1)).toEqual({ passed: 5, failed: 4, skipped: 3 });
  });

  it.each([
    ['a missing report', undefined, 0, 0],
    ['a bad exit code', { stats, errors: [] }, 1, 5],
  ])('counts %s as a failure', (_, report, code, passed) => {
    expect(playwrightTotals(report, code)).toEqual({ passed, failed: 1, skipped: 0 });
  });
});

describe('totalsLine', () => {
  it('names skips only where there are some', () => {
    expect(totalsLine({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed');
    expect(
      totalsLine(
        sum([
          { passed: 1, failed: 1, skipped: 0 },
          { passed: 1, failed: 0, skipped: 4 },
        ]),
      ),
    ).toBe('2 passed, 1 failed, 4 skipped');
  });
});
