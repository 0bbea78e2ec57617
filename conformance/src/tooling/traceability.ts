/* Holds `traceability.yaml` against the rules, the catalogues and the tests there are. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { CLIENT_CHECKS } from '../lib/client/catalogue.ts';
import { SERVER_CHECKS } from '../lib/server/catalogue.ts';

export interface Row {
  id: string;
  level: string;
  binds: string;
  text: string;
  quote?: string;
  checks?: string[];
  tests?: Array<Record<string, string>>;
  excluded?: string;
  pending?: string;
}

const ROOT = new URL('../../../', import.meta.url);
const FILE = new URL('conformance/traceability.yaml', ROOT);
const LEVELS = new Set(['MUST', 'MUST NOT', 'SHOULD', 'MAY', 'DEFINES']);
const RULES = new Set([...numbered('S', 18), ...numbered('H', 24)]);

export function readRows(): Row[] {
  return (parse(readFileSync(FILE, 'utf8')) as { rules: Row[] }).rules;
}

/** Everything that is wrong with the rows; `read` gives the text of a file of the repository. */
export function findProblems(
  rows: readonly Row[],
  read: (file: string) => string | undefined = readFile,
): string[] {
  const checks: Readonly<Record<string, unknown>> = { ...SERVER_CHECKS, ...CLIENT_CHECKS };
  const ids = rows.map(({ id }) => id);
  const named = new Set(rows.flatMap((row) => row.checks ?? []));
  return [
    ...[...RULES].filter((rule) => !ids.includes(rule)).map((rule) => `${rule}: no row`),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id}: two rows`),
    ...ids.filter((id) => !RULES.has(ruleOf(id))).map((id) => `${id}: no such rule`),
    ...Object.keys(checks)
      .filter((id) => !named.has(id))
      .map((id) => `${id}: a check that no row names`),
    ...rows.flatMap((row) => problemsOf(row, checks, read).map((problem) => `${row.id}: ${problem}`)),
  ];
}

function problemsOf(
  row: Row,
  checks: Readonly<Record<string, unknown>>,
  read: (file: string) => string | undefined,
): string[] {
  const { id, level, binds, text, excluded, pending } = row;
  const tests = (row.tests ?? []).flatMap((test) => Object.entries(test));
  const covered = tests.length + (row.checks?.length ?? 0) > 0;
  const problems: string[] = [];
  if (!LEVELS.has(level)) problems.push(`level ${level}`);
  if (!binds || !text) problems.push('binds and text are needed');
  if (!covered && !excluded && !pending) problems.push('neither check nor test nor reason');
  if (covered && (excluded || pending)) problems.push('covered, and a reason why it is not');
  if (pending && id.startsWith('S')) problems.push('pending, though its code is here');
  for (const check of row.checks ?? []) if (!Object.hasOwn(checks, check)) problems.push(`no check ${check}`);
  for (const [file, title] of tests) {
    const source = read(file);
    if (source === undefined) problems.push(`no file ${file}`);
    else if (!hasTest(source, title)) problems.push(`no test "${title}" in ${file}`);
  }
  return problems;
}

/** What comes before a title on its line, or on the line before when the title has one of its own. */
const CALL = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*['"`]?/;

/** A title counts where `it`, `test` or `describe` is told it, not where it is only mentioned. */
function hasTest(source: string, title: string): boolean {
  const lines = source.split('\n');
  return lines.some((line, index) => {
    const at = line.indexOf(title);
    if (at < 0) return false;
    const before = line.slice(0, at);
    return CALL.test(before) || (/^\s*['"`]/.test(before) && (lines[index - 1] ?? '').endsWith('('));
  });
}

function ruleOf(id: string): string {
  return id.replace(/[a-z]+$/, '');
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

function readFile(file: string): string | undefined {
  const path = fileURLToPath(new URL(file, ROOT));
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
