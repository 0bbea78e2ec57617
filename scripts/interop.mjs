#!/usr/bin/env node
/*
 * Runs the tests of every pairing of SDK generation, protocol era and transport, and writes what was seen into
 * docs/interop.md. The unit suite runs the same tests; this writes them down.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { APPS, interopDocument, PAIRINGS } from './lib/interop.mjs';
import { run } from './lib/run.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

const folder = mkdtempSync(join(tmpdir(), 'interop-'));
try {
  const file = join(folder, 'report.json');
  const args = ['run', '--project', 'unit', '--reporter=json', `--outputFile.json=${file}`, PAIRINGS, APPS];
  const { code, output } = await run(join('node_modules', '.bin', 'vitest'), args);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync('docs/interop.md', interopDocument(report));
  await run(join('node_modules', '.bin', 'oxfmt'), ['docs/interop.md']);
  if (code !== 0) console.error(output.trimEnd());
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
