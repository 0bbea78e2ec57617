import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, listToolsWithHints } from '@mcp-apps-bridge/partial-results/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRecord } from '../http/call-log.ts';
import { serveRunner } from './serve.ts';

const root = mkdtempSync(join(tmpdir(), 'demo-runner-'));
// Says something, then waits for a file: what arrives before the file is there arrived while it ran.
const WAITING = `
const { existsSync } = require('node:fs');
console.log(' \\u2713 first');
console.log('\\u001b[31m \\u00d7 second\\u001b[0m');
const timer = setInterval(() => {
  if (!existsSync('go')) return;
  clearInterval(timer);
  console.log('after');
  process.exitCode = 3;
}, 10);`;

let server: Awaited<ReturnType<typeof serveRunner>>;
let client: Client;

beforeAll(async () => {
  writeFileSync(join(root, 'wait.cjs'), WAITING);
  server = await serveRunner({
    port: 0,
    hostOrigins: [],
    debug: true,
    root,
    suites: { wait: { title: 'Waiting', script: 'wait.cjs', args: [] } },
    readApp: (name) => `<title>${name}</title>`,
  });
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
});
afterAll(async () => {
  await client.close();
  await server.close();
  rmSync(root, { recursive: true });
});

async function lastCall(): Promise<CallRecord | undefined> {
  return ((await (await fetch(new URL('/debug/calls', server.url))).json()) as CallRecord[]).at(-1);
}

test('a cancel ends the child', async () => {
  const controller = new AbortController();
  let text = '';
  const call = callTool(
    client,
    { name: 'run_checks', arguments: { suite: 'wait' } },
    {
      signal: controller.signal,
      onpartialresult: ({ content }) => {
        text += content?.[0]?.text ?? '';
        if (text.includes('second')) controller.abort();
      },
    },
  );
  await expect(call).rejects.toMatchObject({ code: 'aborted' });
  let record: CallRecord | undefined;
  do record = await lastCall();
  while (record?.state === 'running');
  expect(record).toMatchObject({ state: 'aborted', steps: 2 });
});

test('lines come while the child runs, figures and progress beside them, the whole log at the end', async () => {
  let text = '';
  const progress: number[] = [];
  const states: unknown[] = [];
  const result = await callTool(
    client,
    { name: 'run_checks', arguments: { suite: 'wait' } },
    {
      onprogress: (update) => progress.push((update as { progress: number }).progress),
      onpartialresult: ({ content, structuredContent }) => {
        text += content?.[0]?.text ?? '';
        states.push(structuredContent);
        // The child says the rest only now.
        if (text.includes('second')) writeFileSync(join(root, 'go'), '');
      },
    },
  );
  expect(text).toBe('$ node wait.cjs\n ✓ first\n × second\nafter\n');
  expect(states.at(-1)).toEqual({
    title: 'Waiting',
    command: 'node wait.cjs',
    lines: 3,
    passed: 1,
    failed: 1,
  });
  expect(progress.at(-1)).toBe(3);
  expect(result.structuredContent).toEqual({
    title: 'Waiting',
    command: 'node wait.cjs',
    lines: 3,
    passed: 1,
    failed: 1,
    exitCode: 3,
    log: text.trimEnd(),
  });
  expect(result.content).toMatchObject([
    { text: expect.stringMatching(/failed with exit code 3.*1 passed, 1 failed[^]*after/) },
  ]);
});

test('the tool says that it streams and refuses what is not on its list', async () => {
  const [tool] = await listToolsWithHints(client);
  expect(tool?.annotations?.streamingHint).toBe(true);
  const refused = await client
    .callTool({ name: 'run_checks', arguments: { suite: 'rm -rf' } })
    .catch((error: unknown) => error);
  expect(JSON.stringify(refused, ['isError', 'content', 'text', 'message', 'code'])).toMatch(
    /suite|invalid/i,
  );
});
