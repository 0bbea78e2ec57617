import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { build } from 'vite';
import { launchOptions } from './chromium.mjs';
import { embeds } from './readme.mjs';
import { run } from './run.mjs';

/** @typedef {import('./tool.mjs').Check} Check */

/** What the embeds and the page around them import besides our packages. */
const PEERS = [
  ...['client', 'core', 'ext-apps', 'node', 'server'].map((name) => `@modelcontextprotocol/${name}`),
  '@types/node',
  'zod',
];

/**
 * Installs the tarballs with npm into an empty project, compiles the code blocks of the README there
 * and runs them together: their server, their host and their app, in a real browser.
 * @param {() => string[]} tarballs known once they are packed
 * @returns {Check[]} to be run in order
 */
export function embedChecks(tarballs) {
  const project = mkdtempSync(join(tmpdir(), 'embeds-'));
  process.once('exit', () => rmSync(project, { recursive: true, force: true }));
  return [
    { name: 'tarballs install with npm into an empty project', run: () => install(project, tarballs()) },
    { name: 'README embeds compile', run: () => compile(project) },
    { name: 'README embeds run', run: () => runEmbeds(project) },
  ];
}

/**
 * @param {string} project
 * @param {readonly string[]} tarballs
 */
async function install(project, tarballs) {
  const pins = { ...pinsOf('packages/partial-results'), ...pinsOf('packages/host-bridge'), ...pinsOf('.') };
  const manifest = {
    name: 'embeds',
    private: true,
    type: 'module',
    dependencies: {
      ...Object.fromEntries(tarballs.map((file) => [nameOf(file), `file:${file}`])),
      ...Object.fromEntries(PEERS.map((name) => [name, pins[name]])),
    },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest, undefined, 2));
  const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: project });
  return { ok: code === 0, output };
}

/**
 * Versions as the workspace pins them.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function pinsOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).devDependencies;
}

/** @param {string} tarball */
function nameOf(tarball) {
  const name = /mcp-apps-bridge-(.+)-\d+\.\d+\.\d+[^/\\]*\.tgz$/.exec(tarball)?.[1];
  if (!name) throw new Error(`${tarball} is not one of our tarballs`);
  return `@mcp-apps-bridge/${name}`;
}

/** @param {string} project */
async function compile(project) {
  const source = join(project, 'src');
  mkdirSync(source, { recursive: true });
  for (const [name, code] of embeds(readFileSync('README.md', 'utf8')))
    writeFileSync(join(source, name), code);
  cpSync('scripts/embeds', project, { recursive: true });
  const { code, output } = await run(resolve('node_modules/.bin/tsc'), ['-p', project]);
  return { ok: code === 0, output };
}

/** @param {string} project */
async function runEmbeds(project) {
  await bundle(project, 'app', 'src/app.ts');
  await bundle(project, 'page', 'page.ts');
  const server = spawn(process.execPath, [join('out', 'serve.js')], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await chromium.launch(await launchOptions());
  try {
    const [url] = await once(createInterface({ input: server.stdout }), 'line');
    return await watch(await browser.newPage(), url);
  } finally {
    await browser.close();
    server.kill();
  }
}

/**
 * The first words must be on screen while the tool has not written the rest.
 * @param {import('playwright').Page} page
 * @param {string} url
 */
async function watch(page, url) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(url);
  const body = page.frameLocator('iframe').frameLocator('iframe').locator('body');
  try {
    await body.getByText('Q2 revenue grew').waitFor();
    if (await body.getByText('12 %').isVisible()) problems.push('the end was there before the tool wrote it');
    await page.evaluate(() => fetch('/go'));
    await body.getByText('Q2 revenue grew by 12 %.').waitFor();
    await page.waitForFunction(() => document.title === 'complete');
  } catch (error) {
    problems.push(
      String(error),
      `title: ${await page.title()}`,
      `view: ${await body.textContent().catch(String)}`,
    );
  }
  return { ok: problems.length === 0, output: problems.join('\n') };
}

/**
 * The app must fit into one HTML file, as views of MCP Apps do, so each bundle is one file.
 * @param {string} project
 * @param {string} name
 * @param {string} entry
 */
async function bundle(project, name, entry) {
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      lib: { entry: join(project, entry), formats: ['es'], fileName: name },
      rolldownOptions: { output: { codeSplitting: false } },
    },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}
