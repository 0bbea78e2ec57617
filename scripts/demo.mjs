#!/usr/bin/env node
/*
 * The demo in one command, on a fresh clone with only Node 20 and npm:
 *
 *   npm run demo
 *
 * Installs, builds, starts host page, sandbox and the two MCP servers, and prints one JSON line when all
 * are ready. Ports come from DEMO_HOST_PORT, DEMO_SANDBOX_PORT, DEMO_REPORT_PORT and DEMO_RUNNER_PORT
 * (0 or unset: any free one). Ctrl-C ends everything.
 */
import { buildDemo } from './lib/build-demo.mjs';
import { installDependencies } from './lib/install.mjs';
import { startServer } from './lib/server-process.mjs';

/** Longest wait for the servers to end by themselves, in milliseconds. */
const GRACE_MS = 5_000;

if (Number(process.versions.node.split('.')[0]) < 20) {
  process.stderr.write(`The demo needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}

/** @type {import('./lib/server-process.mjs').ServerProcess[]} */
const servers = [];
const installing = new AbortController();
let stopping = false;

/** @param {number} code */
async function stop(code) {
  if (stopping) return;
  stopping = true;
  installing.abort();
  for (const server of servers) server.stop();
  const timer = setTimeout(() => process.exit(code), GRACE_MS);
  await Promise.all(servers.map(({ ended }) => ended));
  clearTimeout(timer);
  process.exit(code);
}

/**
 * @param {string} name
 * @param {string} entry
 * @param {Record<string, string>} [env]
 */
async function start(name, entry, env = {}) {
  const server = await startServer(name, entry, {
    env,
    onUnexpectedEnd(which, code) {
      if (stopping) return;
      // Ctrl-C in a terminal reaches the servers as well, and may reach them first.
      if (code !== 0) process.stderr.write(`The ${which} server ended unexpectedly with ${code}.\n`);
      void stop(code === 0 ? 0 : 1);
    },
  });
  servers.push(server);
  // Stopped while it started.
  if (stopping) server.stop();
  return server;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));

try {
  await installDependencies(installing.signal);
  await buildDemo(installing.signal);
  const web = await start('web', 'demo/src/web/main.ts');
  const { host = '', sandbox = '' } = web.urls;
  // The servers allow this one origin, so they can start only now.
  const env = { DEMO_HOST_ORIGIN: host };
  const [report, runner] = await Promise.all([
    start('report', 'demo/src/report/main.ts', env),
    start('runner', 'demo/src/runner/main.ts', env),
  ]);
  const mcp = { report: report.urls['url'] ?? '', runner: runner.urls['url'] ?? '' };
  await web.ask({ mcp });
  if (!stopping) {
    process.stdout.write(`${JSON.stringify({ host, sandbox, mcp })}\n`);
    process.stdout.write(`Ready. Open ${host}/ and ask for a Q2 revenue dashboard. Ctrl-C ends it.\n`);
  }
} catch (error) {
  if (!stopping) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stop(1);
}
