/* The command against real processes; itself a process once for each kind, which is what it costs to see that. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from './lib/main.ts';
import type { Report } from './lib/report.ts';

const tsx = `"${process.execPath}" --import "${import.meta.resolve('tsx')}"`;
const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const fixture = (name: string): string =>
  `${tsx} "${path(`../../packages/partial-results/src/testing/${name}.ts`)}" stdio`;
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** In this process. */
async function run(...args: string[]): Promise<Run> {
  const output = { stdout: '', stderr: '' };
  const code = await main(args, {
    out: (text) => (output.stdout += text),
    err: (text) => (output.stderr += text),
  });
  return { code, ...output };
}

/** In one of its own. */
function spawned(...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), path('./cli.ts'), ...args]);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += data));
  child.stderr.on('data', (data) => (output.stderr += data));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })));
}

const lastLine = ({ stdout }: Run): string | undefined => stdout.trimEnd().split('\n').at(-1);
const stream = ['--tool', 'stream', '--args', '{"count":4}', '--quiet-ms', '150'];
const v2 = ['server', '--stdio', fixture('server-v2'), ...stream];

function resultFile(text: string): string {
  const file = join(folder, `${text.length}.json`);
  writeFileSync(file, JSON.stringify({ content: [{ type: 'text', text }] }));
  return file;
}

describe('server', () => {
  it('passes a server built with withPartialResults on SDK v2', async () => {
    const expected = resultFile('word0 word1 word2 word3 ');
    const { code, stdout } = await spawned(
      ...v2,
      '--cancel-tool',
      'wait_for_abort',
      '--expect',
      expected,
      '--json',
    );
    const report = JSON.parse(stdout) as Report;
    expect(report.results.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
    expect(report.results.filter(({ status }) => status === 'SKIPPED').map(({ id }) => id)).toEqual([
      's9-on-the-requests-stream',
      's15-task-id',
    ]);
    expect(code).toBe(0);
  });

  it('passes a server built with withPartialResults on SDK v1, with a task', async () => {
    const legacy = ['--era', 'legacy', '--cancel-tool', 'wait_for_abort', '--task-tool', 'as_task'];
    const result = await run('server', '--stdio', fixture('server-v1'), ...stream, ...legacy);
    expect(result.stdout).toContain('✓ SUCCESS S15  s15-task-id');
    expect(lastLine(result)).toBe('25 passed, 0 failed, 0 warnings, 1 skipped');
    expect(result.code).toBe(0);
  });

  it('fails one whose final is not the expected, names the check and exits with 1', async () => {
    const { code, stdout } = await run(...v2, '--expect', resultFile('something else'));
    expect(stdout).toContain('✗ FAILURE S7   s7-final-is-complete');
    expect(code).toBe(1);
  });

  it('exits with 2 when there is nobody to check', async () => {
    const { code, stderr } = await run('server', '--url', 'http://127.0.0.1:9/mcp', '--tool', 'x');
    expect(stderr).toContain('tools/list got no response');
    expect(code).toBe(2);
  });
});

describe('client', () => {
  it('passes a command built on callTool and createReorder', async () => {
    const command = `${tsx} "${path('./testing/sdk-client-main.ts')}"`;
    const result = await run('client', '--command', command, '--one-run', '--flood', '500');
    expect(lastLine(result)).toBe('22 passed, 0 failed, 0 warnings, 1 skipped');
    expect(result.code).toBe(0);
  });

  it('fails a command that does nothing, and exits with 1', async () => {
    const { code, stdout } = await spawned('client', '--command', 'exit 3', '--one-run');
    expect(stdout).toContain('exit 3');
    expect(code).toBe(1);
  });
});

it('prints its usage', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('mcp-partial-conformance server'),
  });
});

it.each([
  [['server'], 'give --url or --stdio'],
  [['client'], 'give --command'],
  [['neither'], 'it is server or client'],
  [['server', '--url', 'http://x', '--args', '[]'], '--args must be a JSON object'],
  [['server', '--url', 'http://x', '--args', '{'], '--args is not JSON'],
  [['server', '--url', 'http://x', '--era', 'old'], '--era is modern or legacy'],
  [['server', '--url', 'http://x', '--quiet-ms', 'soon'], '--quiet-ms must be an integer from 1'],
])('refuses %j with a reason and exits with 2', async (args, reason) => {
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});
