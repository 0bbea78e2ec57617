/*
 * The benchmark: `pnpm bench`. Rivals take turns round by round, so that what slows the machine slows all of them,
 * and what is stated are ratios within a round. `--quick` runs the whole harness small and asserts structure and
 * counts only; its last line is one of JSON with the totals.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { run } from '../scripts/lib/run.mjs';
import { readArguments, USAGE, type BenchArguments } from './lib/arguments.ts';
import { compare } from './lib/compare.ts';
import { createSheet } from './lib/figures.ts';
import { judge } from './lib/goals.ts';
import { describeMachine } from './lib/machine.ts';
import { changeTable, doubts, figureTables, goalTable, markdown, type RunReport } from './lib/report.ts';
import type { Bench } from './lib/scenario.ts';
import { openPage, type OpenPage } from './harness/browser.ts';
import { buildPages } from './harness/build.ts';
import { serve } from './harness/serve.ts';
import { SCENARIOS } from './scenarios/all.ts';

const BASELINE = fileURLToPath(new URL('./baseline.json', import.meta.url));
const MARKERS = ['<!-- results:start -->', '<!-- results:end -->'] as const;

async function main(options: BenchArguments): Promise<number> {
  const { effort, only } = options;
  const unknown = only.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `unknown: ${unknown.join(', ')}; there are ${SCENARIOS.map(({ name }) => name).join(', ')}`,
    );
  }
  const machine = await describeMachine();
  const sheet = createSheet();
  const failures: string[] = [];
  let assertions = 0;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);

  await buildPages();
  const servers = await serve();
  let page: Promise<OpenPage> | undefined;
  const bench: Bench = {
    sheet,
    effort,
    servers,
    page: () => (page ??= openPage(servers)),
    log: say,
    assert(what, ok, detail) {
      assertions++;
      if (!ok) failures.push(detail === undefined ? what : `${what}: ${JSON.stringify(detail)}`);
    },
  };
  try {
    for (const { name, run: measure } of SCENARIOS.filter(
      (each) => only.length === 0 || only.includes(each.name),
    )) {
      const start = performance.now();
      try {
        await measure(bench);
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        // What is left in a page of a scenario that failed must not be measured with the next.
        await (await page)?.close();
        page = undefined;
      }
      say(`${name}: ${Math.round((performance.now() - start) / 1_000)} s`);
    }
  } finally {
    await (await page)?.close();
    servers.close();
  }
  machine.load[1] = loadavg()[0] ?? 0;

  const report: RunReport = {
    date: new Date().toISOString(),
    machine,
    rounds: effort.rounds,
    goals: judge(sheet),
    figures: [...sheet.figures],
    skipped: sheet.skipped,
    failures,
  };
  if (effort.quick) {
    for (const failure of failures) say(`✗ ${failure}`);
    const failed = failures.length;
    console.log(JSON.stringify({ passed: Math.max(0, assertions - failed), failed, skipped: 0 }));
    return failed === 0 ? 0 : 1;
  }
  await write(report, options);
  return failures.length === 0 ? 0 : 1;
}

async function write(report: RunReport, options: BenchArguments): Promise<void> {
  console.log(`${figureTables(report.figures)}\n\n### Goals\n\n${goalTable(report.goals)}`);
  for (const failure of report.failures) console.log(`✗ ${failure}`);
  if (options.compare !== undefined) {
    const before = JSON.parse(readFileSync(options.compare, 'utf8')) as RunReport;
    console.log(`\n### Against ${options.compare}\n`);
    for (const doubt of doubts(before, report)) console.log(`${doubt}\n`);
    console.log(changeTable(compare(before.figures, report.figures, options.absolutes)));
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rounded(report))}\n`);
  if (options.markdown !== undefined) await fillIn(options.markdown, markdown(report));
}

/** More digits than were measured would only make files long. */
function rounded(report: RunReport): RunReport {
  const figures = report.figures.map((figure) => ({
    ...figure,
    samples: figure.samples.map((value) => (figure.kind === 'count' ? value : Number(value.toPrecision(4)))),
  }));
  return { ...report, figures };
}

async function fillIn(file: string, results: string): Promise<void> {
  const [start, end] = MARKERS;
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} lacks ${start} and ${end}`);
  writeFileSync(file, `${before}${start}\n\n${results}\n${end}${after}`);
  // Tables as the formatter wants them, or its check would fail.
  const { code, output } = await run(fileURLToPath(new URL('../node_modules/.bin/oxfmt', import.meta.url)), [
    file,
  ]);
  if (code !== 0) throw new Error(output);
}

let options: BenchArguments;
try {
  options = readArguments(process.argv.slice(2), BASELINE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error, `\n\n${USAGE}`);
  process.exit(2);
}
process.exitCode = await main(options);
