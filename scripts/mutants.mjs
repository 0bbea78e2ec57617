#!/usr/bin/env node
/*
 * Switches off every guard between server, view and host page in turn, and shows which test notices:
 *
 *   node scripts/mutants.mjs                  all of them, some minutes
 *   node scripts/mutants.mjs csp channel      those whose name holds one of the words
 *   node scripts/mutants.mjs --markdown FILE  writes the table as well
 *
 * Exit code 1 when one goes unnoticed, or when a test fails with every guard on.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { findChromium } from './lib/chromium.mjs';
import { MUTANTS } from './lib/mutants.mjs';
import { run } from './lib/run.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));
process.env['CHROMIUM_PATH'] ??= await findChromium();

const args = process.argv.slice(2);
const markdown = args.includes('--markdown') ? args.splice(args.indexOf('--markdown'), 2)[1] : undefined;
const chosen = MUTANTS.filter(({ id }) => args.length === 0 || args.some((word) => id.includes(word)));

let failed = 0;
for (const project of /** @type {const} */ (['unit', 'browser'])) {
  const tests = [...new Set(chosen.filter((m) => m.project === project).flatMap((m) => m.tests))];
  if (tests.length === 0) continue;
  const broken = await failingTests(project, tests);
  if (broken.length === 0) continue;
  failed++;
  console.log(`fails with every guard on: ${broken.join('; ')}`);
}

/** @type {string[]} */
const rows = [];
for (const mutant of chosen) {
  const noticed = await failingTests(mutant.project, mutant.tests, mutant.id);
  if (noticed.length === 0) failed++;
  console.log(`${noticed.length > 0 ? 'caught ' : 'MISSED '} ${mutant.id}  ${noticed[0] ?? ''}`);
  rows.push(`| ${mutant.id} | \`${mutant.file}\` | ${noticed[0]?.replaceAll('|', '\\|') ?? '**nothing**'} |`);
}
console.log(
  `${chosen.length - rows.filter((row) => row.includes('**nothing**')).length} of ${chosen.length} caught`,
);
if (markdown !== undefined) {
  writeFileSync(
    markdown,
    [
      '# Guards, and the tests that notice when one is gone',
      '',
      'Written by `node scripts/mutants.mjs --markdown docs/mutants.md`, which switches each off in turn.',
      '',
      '| guard switched off | in | noticed by, for one |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n'),
  );
}
process.exitCode = failed === 0 ? 0 : 1;

/**
 * @param {string} project
 * @param {readonly string[]} tests
 * @param {string} [mutant]
 * @returns {Promise<string[]>} names of the tests that fail
 */
async function failingTests(project, tests, mutant) {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    const file = join(folder, 'report.json');
    const vitest = ['run', '--project', project, '--reporter=json', `--outputFile.json=${file}`, ...tests];
    const env = mutant === undefined ? {} : { MUTANT: mutant };
    const { code, output } = await run(join('node_modules', '.bin', 'vitest'), vitest, { env });
    const names = readFailures(file);
    return code !== 0 && names.length === 0 ? [`the run itself: ${output.trim().split('\n').at(-1)}`] : names;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file @returns {string[]} */
function readFailures(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return report.testResults.flatMap((/** @type {any} */ suite) =>
      suite.assertionResults
        .filter((/** @type {any} */ test) => test.status === 'failed')
        .map((/** @type {any} */ test) => test.fullName),
    );
  } catch {
    return [];
  }
}
