/* The part of the README that is made of the catalogues and the faults. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CLIENT_CHECKS } from '../lib/client/catalogue.ts';
import type { CheckInfo } from '../lib/report.ts';
import { SERVER_CHECKS } from '../lib/server/catalogue.ts';
import { CLIENT_FAULTS } from '../testing/client-faults.ts';
import { type FaultInfo, SERVER_FAULTS } from '../testing/server-faults.ts';

export const README: string = fileURLToPath(new URL('../../README.md', import.meta.url));

export function readReadme(): string {
  return readFileSync(README, 'utf8');
}

/** Puts the tables between their marks. */
export function renderReadme(text: string): string {
  const tables = {
    'server checks': checkTable(SERVER_CHECKS),
    'client checks': checkTable(CLIENT_CHECKS),
    'broken servers': faultTable(SERVER_FAULTS),
    'broken clients': faultTable(CLIENT_FAULTS),
    'protocol run': runTable(readSubjects()),
    'protocol exceptions': exceptionTable(readSubjects()),
  };
  return Object.entries(tables).reduce((sum, [name, table]) => replaceBetween(sum, name, table), text);
}

function replaceBetween(text: string, name: string, table: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(open);
  const to = text.indexOf(close);
  if (from < 0 || to < from) throw new Error(`the README has no place for: ${name}`);
  return `${text.slice(0, from)}${open}\n\n${table}\n\n${text.slice(to)}`;
}

function checkTable(checks: Readonly<Record<string, CheckInfo>>): string {
  return table(
    ['check', 'rule', 'what must hold'],
    Object.entries(checks).map(([id, { rule, title }]) => [`\`${id}\``, rule, title]),
  );
}

function faultTable(faults: Readonly<Record<string, FaultInfo<string>>>): string {
  const code = (ids: readonly string[], mark = ''): string[] => ids.map((id) => `\`${id}\`${mark}`);
  return table(
    ['rule', 'broken variant', 'what it does', 'checks that catch it'],
    Object.entries(faults).map(([name, { rule, does, fails, warns = [] }]) => [
      rule,
      `\`${name}\``,
      does,
      [...code(fails), ...code(warns, ' (warning)')].join(', '),
    ]),
  );
}

/** A server under the published suite of the protocol, as `protocol/scenarios.json` has it. */
interface Subject {
  name: string;
  version: string;
  about: string;
  run: string[];
  fails: { scenario: string; checks: string[]; reason: string }[];
  notRun: { reason: string; scenarios: string[] }[];
}

function readSubjects(): Subject[] {
  const file = new URL('../../protocol/scenarios.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { subjects: Subject[] }).subjects;
}

function runTable(subjects: readonly Subject[]): string {
  return table(
    ['server', 'protocol', 'what', 'scenarios run'],
    subjects.map(({ name, version, about, run }) => [name, version, about, codeList(run)]),
  );
}

/** One row a reason: what it excuses, and on which servers. */
function exceptionTable(subjects: readonly Subject[]): string {
  const byReason = new Map<string, { what: Set<string>; servers: Set<string> }>();
  for (const { name, version, fails, notRun } of subjects) {
    const failing = fails.map(({ scenario, checks, reason }) => ({
      reason,
      what: checks.map((check) => `failure of \`${check}\` (\`${scenario}\`)`),
    }));
    const left = notRun.map(({ scenarios, reason }) => ({
      reason,
      what: scenarios.map((scenario) => `\`${scenario}\``),
    }));
    for (const { reason, what } of [...failing, ...left]) {
      const row = byReason.get(reason) ?? { what: new Set(), servers: new Set() };
      byReason.set(reason, row);
      what.forEach((item) => row.what.add(item));
      row.servers.add(`${name} ${version}`);
    }
  }
  return table(
    ['what', 'on', 'reason'],
    [...byReason].map(([reason, { what, servers }]) => [
      [...what].join(', '),
      [...servers].join(', '),
      reason,
    ]),
  );
}

function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Padded as the formatter pads, so that neither undoes the other's work. */
function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((cell, column) =>
    Math.max(...[cell, ...rows.map((row) => row[column] ?? '')].map((text) => text.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}
