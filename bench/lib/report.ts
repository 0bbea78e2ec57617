import type { Change } from './compare.ts';
import type { Figure } from './figures.ts';
import { digits, show, type Judged } from './goals.ts';
import type { Machine } from './machine.ts';

/** A whole run, as `--json` writes it and a baseline keeps it. */
export interface RunReport {
  date: string;
  machine: Machine;
  rounds: number;
  goals: Judged[];
  figures: Figure[];
  skipped: Readonly<Record<string, string>>;
  failures: string[];
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Goals as a table in Markdown. */
export function goalTable(goals: readonly Judged[]): string {
  const rows = goals.map(({ work, goal, verdict, seen }) => row(work, goal, `**${verdict}**`, seen));
  return [
    row('work', 'goal', 'verdict', 'median (quartiles)'),
    row('---', '---', '---', '---'),
    ...rows,
  ].join('\n');
}

/** Every figure, a table for each scenario. */
export function figureTables(figures: readonly Figure[]): string {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures) {
    const group = figure.name.split('/', 1)[0]!;
    groups.set(group, [...(groups.get(group) ?? []), figure]);
  }
  return [...groups]
    .map(([group, list]) => {
      const rows = list.map((figure) =>
        row(`\`${figure.name}\``, show(figure), String(figure.samples.length)),
      );
      const head = [row('figure', 'median (quartiles)', 'rounds'), row('---', '---', '---')];
      return [`### ${group}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}

/** What makes two runs unfit to be compared; empty when nothing does. */
export function doubts(...runs: readonly RunReport[]): string[] {
  return runs.flatMap(({ date, rounds, machine }) => [
    ...(rounds < 7
      ? [`The run of ${date.slice(0, 16)} has ${rounds} rounds; a median needs 7 to be told from noise.`]
      : []),
    ...(Math.max(...machine.load) > machine.cores
      ? [
          `The run of ${date.slice(0, 16)} shared its machine: load ${Math.max(...machine.load).toFixed(1)} on ${machine.cores} cores.`,
        ]
      : []),
  ]);
}

export function changeTable(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Nothing changed beyond the noise.';
  const rows = changes.map(({ name, before, after, factor, noise, kind }) =>
    row(
      kind,
      `\`${name}\``,
      digits(before),
      digits(after),
      `×${digits(factor)}`,
      `±${Math.round(noise * 100)} %`,
    ),
  );
  return [
    row('', 'figure', 'before', 'after', 'factor', 'noise'),
    row(...Array<string>(6).fill('---')),
    ...rows,
  ].join('\n');
}

/** The generated part of the results page. */
export function markdown(report: RunReport): string {
  const { date, machine, rounds, goals, figures, skipped, failures } = report;
  const { cpu, cores, memoryGb, system, node, browser, load } = machine;
  const missing = Object.entries(skipped).map(([name, reason]) => `- \`${name}\`: ${reason}`);
  return [
    `Run of ${date.slice(0, 10)}, ${rounds} rounds. ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}; ${browser}, Node ${node}.`,
    `Load of the machine before and after: ${load.map((value) => value.toFixed(1)).join(' and ')}.`,
    '',
    ...doubts(report).flatMap((doubt) => [doubt, '']),
    '### Goals',
    '',
    goalTable(goals),
    '',
    ...(missing.length > 0 ? ['Not measured:', '', ...missing, ''] : []),
    ...(failures.length > 0 ? ['Failed:', '', ...failures.map((line) => `- ${line}`), ''] : []),
    figureTables(figures),
    '',
  ].join('\n');
}
