/*
 * Writes docs/security-matrix.md from what is seen now: `node --import tsx e2e/attacks/matrix.ts`. Needs the three
 * engines; exits with 1 when one is missing or an attack does harm.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { finished } from '../engines/finished.ts';
import { firefox } from '../engines/firefox.ts';
import { webkit } from '../engines/webkit.ts';
import { isThere } from '../engines/install.ts';
import type { Engine as EngineName, Row } from './attack.ts';
import { chromium } from './chromium.ts';
import type { AttackResults } from './host/main.ts';
import { startAttacks } from './server.ts';
import { renderTable } from './table.ts';

const FILE = fileURLToPath(new URL('../../docs/security-matrix.md', import.meta.url));

const engines = [chromium, firefox, webkit];
const missing = engines.filter((engine) => !isThere(engine));
if (missing.length > 0) {
  console.error(
    `not installed: ${missing.map(({ name, packages }) => `${name} (${packages.join(', ')})`).join(', ')}`,
  );
  process.exit(1);
}

const rows: Row[] = [];
const agents: Partial<Record<EngineName, string>> = {};
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
  await writeFile(FILE, renderTable(rows, agents));
  spawnSync('npx', ['oxfmt', FILE], { stdio: 'inherit' });
}
process.exit(failed === 0 ? 0 : 1);
