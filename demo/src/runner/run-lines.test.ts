import { expect, test } from 'vitest';
import { runLines } from './run-lines.ts';
import { SUITES, tallyLine } from './suites.ts';

function run(
  script: string,
  onLine?: (line: string, abort: () => void) => void,
): Promise<{ lines: string[]; exitCode: number | null; signal: string | null }> {
  const lines: string[] = [];
  const controller = new AbortController();
  return runLines(process.execPath, ['-e', script], {
    cwd: process.cwd(),
    signal: controller.signal,
    onLine(line) {
      lines.push(line);
      onLine?.(line, () => controller.abort());
    },
  }).then((outcome) => ({ lines, ...outcome }));
}

test('lines arrive whole, without colours, the last one even without its end', async () => {
  const { lines, exitCode } = await run(
    `process.stdout.write('one\\r\\n\\u001b[32mtw'); setTimeout(() => process.stdout.write('o\\u001b[0m\\nthrée'), 20)`,
  );
  expect(lines).toEqual(['one', 'two', 'thrée']);
  expect(exitCode).toBe(0);
});

test('lines arrive while the child still runs', async () => {
  // The child ends only when it is told to, which happens at its first line.
  const { lines, signal } = await run(`console.log('alive'); setInterval(() => {}, 1000)`, (_line, abort) =>
    abort(),
  );
  expect(lines).toEqual(['alive']);
  expect(signal).toBe('SIGTERM');
});

test('an abort ends what the child started as well', async () => {
  let grandchild = 0;
  await run(
    `const { spawn } = require('node:child_process');
     const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
     console.log(child.pid); setInterval(() => {}, 1000)`,
    (line, abort) => {
      grandchild = Number(line);
      abort();
    },
  );
  expect(grandchild).toBeGreaterThan(0);
  // A signal takes a moment to arrive; the test's own time-out is the limit.
  for (;;) {
    try {
      process.kill(grandchild, 0);
    } catch {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test('a line without an end is cut', async () => {
  const { lines } = await run(`process.stdout.write('x'.repeat(9000))`);
  expect(lines.map((line) => line.length)).toEqual([4000, 4000, 1000]);
});

test('the exit code comes through', async () => {
  expect((await run('process.exit(3)')).exitCode).toBe(3);
});

test('the tally counts tests and compiler errors, and nothing else', () => {
  const log = [
    ' ✓ |unit| a.test.ts > works 3ms',
    ' × |unit| a.test.ts > fails',
    ' Tests  1 passed',
    'a.ts(1,1): error TS2322: no',
  ];
  expect(log.reduce(tallyLine, { passed: 0, failed: 0 })).toEqual({ passed: 1, failed: 2 });
});

test('suites are scripts of this repository, without a shell', () => {
  for (const { script, args } of Object.values(SUITES)) {
    expect(script).toMatch(/^node_modules\//);
    expect(args.join(' ')).not.toMatch(/[;&|<>$`]/);
  }
});
