/*
 * Writes docs/security-matrix.md from what is seen now: `node --import tsx e2e/attacks/matrix.ts [engine…]`.
 * Columns of engines that are not asked for stay. Exits with 1, and writes nothing, when an engine is missing or an
 * attack does harm or proves nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { finished } from '../engines/finished.ts';
import { firefox } from '../engines/firefox.ts';
import { webkit } from '../engines/webkit.ts';
import { isThere } from '../engines/install.ts';
import type { Engine as EngineName, Row } from './attack.ts';
import { chromium } from './chromium.ts';
import { FAMILIES } from './families/index.ts';
import type { AttackResults } from './host/main.ts';
import { startAttacks } from './server.ts';
import { cellOf, readAgents, readTable, renderTable } from './table.ts';

const FILE = fileURLToPath(new URL('../../docs/security-matrix.md', import.meta.url));

const asked = process.argv.slice(2);
const engines = [chromium, firefox, webkit].filter(({ name }) => asked.length === 0 || asked.includes(name));
const missing = engines.filter((engine) => !isThere(engine));
if (missing.length > 0) {
  console.error(
    `not installed: ${missing.map(({ name, packages }) => `${name} (${packages.join(', ')})`).join(', ')}`,
  );
  process.exit(1);
}

const agents: Partial<Record<EngineName, string>> = {};
const reasons = new Map(FAMILIES.flatMap(({ attacks }) => attacks.map(({ name, cannot }) => [name, cannot])));
const rows: Row[] = [];
let failed = 0;
const server = await startAttacks();
for (const engine of engines) {
  const browser = await engine.open();
  await browser.goto(`${server.host}/`);
  const results = await finished<AttackResults>(browser);
  await browser.close();
  rows.push(...results.rows);
  agents[engine.name as EngineName] = results.agent;
  failed += results.failed;
  console.error(`${engine.name}: ${results.passed} held, ${results.failed} failed`);
  for (const { name, ok, detail } of results.checks) if (!ok) console.error(`  ${name}: ${detail}`);
}
server.stop();
if (failed === 0) {
  const before = await readFile(FILE, 'utf8').catch(() => '');
  const cells = readTable(before);
  const cell = (name: string, engine: EngineName): string => {
    const row = rows.find((one) => one.attack === name && one.engine === engine);
    return row ? cellOf(row, reasons.get(name)?.[engine]) : (cells.get(name)?.[engine] ?? 'not run');
  };
  await writeFile(FILE, renderTable(cell, { ...readAgents(before), ...agents }));
  spawnSync('npx', ['oxfmt', FILE], { stdio: 'inherit' });
}
process.exit(failed === 0 ? 0 : 1);
