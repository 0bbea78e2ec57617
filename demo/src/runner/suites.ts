/** The quick part of that package: its rules for messages, without servers of its own. */
const MESSAGE_RULES = ['guards', 'merge', 'record-splitter', 'size'].map(
  (name) => `packages/partial-results/src/lib/${name}.test.ts`,
);

/** The checks of this repository that `run_checks` offers; the first is run when none is named. */
export const SUITES: Record<string, Suite> = {
  'partial-results': unitTests('partial-results tests', ...MESSAGE_RULES),
  types: {
    title: 'Type check',
    script: 'node_modules/typescript/bin/tsc',
    args: ['-b', '--verbose', '--pretty', 'false'],
  },
  'host-bridge': unitTests('host-bridge tests', 'packages/host-bridge'),
  'app-runtime': unitTests('app-runtime tests', 'packages/app-runtime'),
  demo: unitTests('Demo tests', 'demo'),
};

export interface Suite {
  title: string;
  /** Run by this very Node, relative to the root of the repository. */
  script: string;
  args: readonly string[];
}

function unitTests(title: string, ...files: string[]): Suite {
  return {
    title,
    script: 'node_modules/vitest/vitest.mjs',
    args: ['run', '--project', 'unit', ...files, '--reporter', 'verbose'],
  };
}

/** What the log says of single tests, for the badges. */
export interface Tally {
  passed: number;
  failed: number;
}

/** Adds what a line says: the marks of the verbose reporter, or an error of the compiler. */
export function tallyLine(tally: Tally, line: string): Tally {
  if (/^\s*[✓✔] /.test(line)) return { ...tally, passed: tally.passed + 1 };
  if (/^\s*[×✗] /.test(line) || /\berror TS\d+:/.test(line)) return { ...tally, failed: tally.failed + 1 };
  return tally;
}
