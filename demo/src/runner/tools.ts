import { MERGE_META_KEY } from '@mcp-apps-bridge/partial-results';
import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { registerApp } from '../http/app-resource.ts';
import type { CallRecord } from '../http/call-log.ts';
import { createBatcher } from './batcher.ts';
import { runLines } from './run-lines.ts';
import { tallyLine } from './suites.ts';
import type { Suite, Tally } from './suites.ts';

const RUNNER_URI = 'ui://runner/runner.html';
/** Lines of the log that the final result carries for the view. The view keeps as many. */
const LOG_LINES = 1_000;
/** Lines that the model gets to see. */
const TAIL_LINES = 20;

/** `structuredContent` while the child runs, and of the final result. */
export interface RunState extends Tally {
  title: string;
  command: string;
  lines: number;
}

export interface RunResult extends RunState {
  /** `null`: ended by a signal. */
  exitCode: number | null;
  /** The last {@link LOG_LINES} lines. */
  log: string;
}

export interface RunnerServerOptions {
  /** Root of the repository; suites run there. */
  root: string;
  /** What may be run, by name. A caller never supplies a command or a part of one. */
  suites: Record<string, Suite>;
  startCall(tool: string, args: unknown): CallRecord;
  readApp(name: 'runner'): string;
}

/** One instance a session, as SDK v1 serves them. */
export function createRunnerServer(options: RunnerServerOptions): McpServer {
  const names = Object.keys(options.suites);
  const server = new McpServer({ name: 'demo-runner', version: '1.0.0', title: 'Check runner' });
  registerApp(server, 'runner', RUNNER_URI, () => options.readApp('runner'));

  server.registerTool(
    'run_checks',
    {
      title: 'Run checks',
      description: 'Runs one of this repository’s own checks and streams its log.',
      inputSchema: {
        suite: z
          .enum(names as [string, ...string[]])
          .default(names[0] ?? '')
          .describe('Which check to run'),
      },
      annotations: streaming('Run checks'),
      _meta: {
        ui: { resourceUri: RUNNER_URI },
        [MERGE_META_KEY]: { content: 'append', structuredContent: 'replace' },
      },
    },
    withPartialResults(
      async ({ suite }, extra): Promise<CallToolResult> => {
        const chosen = options.suites[suite];
        if (chosen === undefined) throw new Error(`There is no suite "${suite}".`);
        const { title, script, args } = chosen;
        const record = options.startCall('run_checks', { suite });
        const command = ['node', script, ...args].join(' ');
        const log: string[] = [];
        let tally: Tally = { passed: 0, failed: 0 };
        let lines = 0;
        const state = (): RunState => ({ title, command, lines, ...tally });

        // A program writes in bursts: what came in one turn of the event loop goes out as one chunk.
        const batch = createBatcher((text) => {
          record.emitted++;
          void extra.emitPartial({ content: [{ type: 'text', text }], structuredContent: state() });
          void sendProgress(extra, lines, `${title}: ${lines} lines`);
        });
        batch.add(`$ ${command}\n`);
        try {
          const { exitCode } = await runLines(process.execPath, [script, ...args], {
            cwd: options.root,
            signal: extra.signal,
            onLine(line) {
              record.steps++;
              lines++;
              tally = tallyLine(tally, line);
              log.push(line);
              if (log.length > LOG_LINES) log.shift();
              batch.add(`${line}\n`);
            },
          });
          batch.flush();
          record.state = extra.signal.aborted ? 'aborted' : 'finished';
          return runResult({ ...state(), exitCode, log: [`$ ${command}`, ...log].join('\n') });
        } catch (error) {
          record.state = 'failed';
          throw error;
        }
      },
      { modes: { content: 'append', structuredContent: 'replace' } },
    ),
  );
  return server;
}

/** `streamingHint` is of the proposal; the SDK passes it on but does not know it. */
function streaming(title: string): { title: string; readOnlyHint: true; streamingHint: true } {
  return { title, readOnlyHint: true, streamingHint: true };
}

function runResult(result: RunResult): CallToolResult {
  const { title, exitCode, passed, failed, lines, log } = result;
  const outcome =
    exitCode === 0 ? 'passed' : exitCode === null ? 'was ended' : `failed with exit code ${exitCode}`;
  const counts = passed + failed > 0 ? ` ${passed} passed, ${failed} failed.` : '';
  const tail = log.split('\n').slice(-TAIL_LINES).join('\n');
  return {
    content: [
      {
        type: 'text',
        text: `${title} ${outcome}.${counts} ${lines} lines of output; the last ones:\n\n${tail}`,
      },
    ],
    structuredContent: { ...result },
  };
}

interface Extra {
  _meta?: { progressToken?: string | number | undefined } | undefined;
  sendNotification(notification: ServerNotification): Promise<void>;
}

/** Progress stands beside the partials: a client may ask for either, both or none. */
async function sendProgress(extra: Extra, progress: number, message: string): Promise<void> {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  try {
    await extra.sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    });
  } catch {
    // The caller went away; the abort ends the run.
  }
}
