#!/usr/bin/env node
/*
 * Writes the table of field cases and their tests into e2e/README.md; with `--check` it only says
 * whether the table is current.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { fieldCaseTable, withTable } from './lib/field-cases.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

const DOCUMENT = 'e2e/README.md';
const packages = readdirSync('packages').map((name) => join('packages', name, 'src'));
const folders = ['demo/src', 'e2e/tests', 'e2e/chain', 'conformance/src'];
const files = [...packages, ...folders]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((file) => /\.(test|spec)\.tsx?$/.test(file))
  .sort()
  .map((file) => ({ file: file.replaceAll('\\', '/'), source: readFileSync(file, 'utf8') }));

const titles = JSON.parse(readFileSync('e2e/field-cases.json', 'utf8'));
const before = readFileSync(DOCUMENT, 'utf8');
const after = withTable(before, fieldCaseTable(titles, files));
if (before !== after) {
  if (process.argv.includes('--check')) {
    console.error(`${DOCUMENT} is not current: run node scripts/field-cases.mjs`);
    process.exitCode = 1;
  } else {
    writeFileSync(DOCUMENT, after);
  }
}
