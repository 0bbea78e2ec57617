import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** A line longer than this is cut: a program may write without ever ending a line. */
const MAX_LINE_CHARS = 4_000;
/** How long a child may take to end after SIGTERM before it is killed. */
const GRACE_MS = 2_000;

const running = new Set<ChildProcess>();

export interface RunOutcome {
  /** Exit code, or `null` when a signal ended the child. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Runs a program without a shell and hands over its output, both streams, line by line without colours.
 * Resolves when it has ended, however it ended; aborting ends the child and everything it started.
 *
 * @throws Error when the program cannot be started at all.
 */
export function runLines(
  command: string,
  args: readonly string[],
  options: { cwd: string; signal: AbortSignal; onLine(line: string): void },
): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that its workers can be ended with it.
      detached: process.platform !== 'win32',
    });
    running.add(child);
    const flushers = [child.stdout, child.stderr].map((stream) => splitLines(stream, options.onLine));
    const onAbort = (): void => endTree(child);
    if (options.signal.aborted) onAbort();
    options.signal.addEventListener('abort', onAbort, { once: true });
    child.once('error', (error) => {
      running.delete(child);
      options.signal.removeEventListener('abort', onAbort);
      reject(error);
    });
    child.once('close', (exitCode, signal) => {
      running.delete(child);
      options.signal.removeEventListener('abort', onAbort);
      for (const flush of flushers) flush();
      resolve({ exitCode, signal });
    });
  });
}

/** Ends every child still running; for the end of the server. */
export function endAllRuns(): void {
  for (const child of running) endTree(child);
}

function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): () => void {
  let rest = '';
  const emit = (line: string): void => onLine(stripVTControlCharacters(line).replace(/\r$/, ''));
  // Set before the first read, so that a character cut between two reads comes out whole.
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) emit(line);
    while (rest.length >= MAX_LINE_CHARS) {
      emit(rest.slice(0, MAX_LINE_CHARS));
      rest = rest.slice(MAX_LINE_CHARS);
    }
  });
  return () => {
    if (rest !== '') emit(rest);
    rest = '';
  };
}

function endTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
  timer.unref();
  child.once('close', () => clearTimeout(timer));
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}
