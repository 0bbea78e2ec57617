/** `SKIPPED` says that the check could not be made and why; it is neither good nor bad. */
export type Status = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED';

/** What one check is about. Its id is its key in a catalogue. */
export interface CheckInfo {
  /** The rule it checks, as numbered in `traceability.yaml`: `S1` … `S18`. */
  rule: string;
  /** What must hold, in one sentence. */
  title: string;
}

export interface CheckResult {
  id: string;
  rule: string;
  status: Status;
  /** What was seen. */
  message: string;
}

export interface Report {
  /** `server` or `client`. */
  kind: 'server' | 'client';
  /** The URL or command that was checked. */
  subject: string;
  results: CheckResult[];
  totals: Record<Status, number>;
}

/** The verdict on one check, before it knows its id: a status and what was seen. */
export interface Verdict {
  status: Status;
  message: string;
}

export const success = (message: string): Verdict => ({ status: 'SUCCESS', message });
export const failure = (message: string): Verdict => ({ status: 'FAILURE', message });
export const warning = (message: string): Verdict => ({ status: 'WARNING', message });
export const skipped = (message: string): Verdict => ({ status: 'SKIPPED', message });

/** `failure` with the first few of the problems, or `success`. */
export function expectNone(
  problems: readonly string[],
  good: string,
  otherwise: (message: string) => Verdict = failure,
): Verdict {
  if (problems.length === 0) return success(good);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return otherwise(problems.slice(0, 3).join('; ') + more);
}

/** Collects one result for each check of a catalogue; a check nobody judged is reported as skipped. */
export function createReport<Id extends string>(
  kind: Report['kind'],
  subject: string,
  catalogue: Readonly<Record<Id, CheckInfo>>,
  verdicts: ReadonlyMap<Id, Verdict>,
): Report {
  const totals: Report['totals'] = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0 };
  const results = Object.keys(catalogue).map((key) => {
    const id = key as Id;
    const { status, message } = verdicts.get(id) ?? skipped('the run ended before this check');
    totals[status]++;
    return { id, rule: catalogue[id].rule, status, message };
  });
  return { kind, subject, results, totals };
}

const MARKS: Readonly<Record<Status, string>> = { SUCCESS: '✓', FAILURE: '✗', WARNING: '!', SKIPPED: '-' };

/** One line a check, then the totals. */
export function formatReport(report: Report, catalogue: Readonly<Record<string, CheckInfo>>): string {
  const width = Math.max(...report.results.map(({ id }) => id.length));
  const lines = report.results.map(
    ({ id, rule, status, message }) =>
      `${MARKS[status]} ${status.padEnd(7)} ${rule.padEnd(4)} ${id.padEnd(width)}  ${catalogue[id]!.title}\n` +
      (status === 'SUCCESS' ? '' : `    ${message}\n`),
  );
  const { SUCCESS, FAILURE, WARNING, SKIPPED } = report.totals;
  return `${report.kind} ${report.subject}\n${lines.join('')}${SUCCESS} passed, ${FAILURE} failed, ${WARNING} warnings, ${SKIPPED} skipped\n`;
}

/** 0 when nothing failed, 1 when something did; `strict` counts warnings as failures. */
export function exitCode({ totals }: Report, strict = false): 0 | 1 {
  return totals.FAILURE > 0 || (strict && totals.WARNING > 0) ? 1 : 0;
}
