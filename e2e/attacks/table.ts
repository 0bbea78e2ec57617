import type { Engine, Row } from './attack.ts';
import { FAMILIES, RESIDUALS } from './families/index.ts';

export const ENGINES: Readonly<Record<Engine, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKitGTK',
};

const names = Object.keys(ENGINES) as Engine[];

/** What a cell may say. */
export const CELL = /^(?:held|not applicable: .+|open|not seen|harm)$/;

/** What a row comes to, in a cell. */
export function cellOf(row: Row | undefined, reason?: string): string {
  if (!row) return 'not run';
  if (row.guarded === 'residual') return 'open';
  if (row.family === 'residual') return 'not seen';
  if (row.guarded !== 'blocked') return 'harm';
  return row.control === 'worked' ? 'held' : `not applicable: ${reason ?? row.note}`;
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const head = (first: string, more: readonly string[] = []): string[] => {
  const cells = [first, ...names.map((name) => ENGINES[name]), ...more];
  return [line(cells), line(cells.map(() => '---'))];
};

/** The page of what holds where. */
export function renderTable(
  cell: (attack: string, engine: Engine) => string,
  agents: Partial<Record<Engine, string>>,
): string {
  const families = FAMILIES.flatMap(({ name, about, attacks }) => [
    `## ${name}: ${about}`,
    '',
    ...head('Attack'),
    ...attacks.map(({ name }) => line([name, ...names.map((engine) => cell(name, engine))])),
    '',
  ]);
  const residuals = RESIDUALS.map((residual) =>
    line([residual.name, ...names.map((engine) => cell(residual.name, engine)), residual.why]),
  );
  return [
    '# What holds where',
    '',
    'Written by `node --import tsx e2e/attacks/matrix.ts`, which runs every attack twice in every engine: against a',
    'set-up whose guard is off, and against the bridge. Each attack is judged by the harm: what the attacker’s server',
    'was sent, what the attacker’s code says it got, what the host page was made to do.',
    '',
    '- **held**: the attack works without the guard, and does no harm with it.',
    '- **not applicable**: the engine does not let it work without the guard either; it does no harm with it.',
    '- **open**, **not seen**: a known residual. Something got out, or nothing that could be seen here.',
    '',
    ...names.map((name) => `- ${ENGINES[name]}: \`${agents[name] ?? 'not run'}\``),
    '',
    ...families,
    '## Residuals: what a page cannot block, or nobody can show here',
    '',
    ...head('What', ['Why it stays']),
    ...residuals,
    '',
  ].join('\n');
}

/** The browsers a rendered page names. */
export function readAgents(text: string): Partial<Record<Engine, string>> {
  const found = names.map((name) => [name, text.match(`- ${ENGINES[name]}: \`(.+)\``)?.[1]] as const);
  return Object.fromEntries(found.filter(([, agent]) => agent !== undefined));
}

/** The cells of a rendered page: by the first cell of a row, that of each engine. */
export function readTable(text: string): Map<string, Record<Engine, string>> {
  const found = new Map<string, Record<Engine, string>>();
  for (const row of text.split('\n')) {
    if (!row.startsWith('|') || /^\|\s*-/.test(row)) continue;
    const [first, ...cells] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (first === undefined || first === 'Attack' || first === 'What') continue;
    found.set(first, Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) as never);
  }
  return found;
}
