import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { createReport, type Report, type Verdict } from '../report.ts';
import type { OpenLink } from '../wire/link.ts';
import type { Era, Message } from '../wire/message.ts';
import { describe, openPeer, type Peer } from '../wire/peer.ts';
import type { ToolCall } from './calls.ts';
import { SERVER_CHECKS, type ServerCheckId } from './catalogue.ts';
import { judgeBeside } from './checks/beside.ts';
import { judgeEnding } from './checks/ending.ts';
import { judgeFinal } from './checks/final.ts';
import { judgeOptIn } from './checks/opt-in.ts';
import { judgeSequence } from './checks/sequence.ts';
import { runServer } from './run.ts';

export interface ServerOptions {
  /** Shown in the report. */
  subject: string;
  open: OpenLink;
  /** Default `modern`. */
  era?: Era | undefined;
  /** Default: the first tool with `annotations.streamingHint: true`. */
  tool?: string | undefined;
  /** Arguments of `tool`. Default `{}`. */
  args?: Message | undefined;
  cancel?: ToolCall | undefined;
  task?: ToolCall | undefined;
  /** The `CallToolResult` that `tool` must end with (S7). */
  expected?: Message | undefined;
  /** How long one response is waited for, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
  /** How long is listened for what must not come, in milliseconds. Default 500. */
  quietMs?: number | undefined;
}

const TIMEOUT_MS = 10_000;
const QUIET_MS = 500;
const MAX_PAGES = 100;

/** Puts a server through every check. Rejects when it cannot be spoken with at all. */
export async function checkServer(options: ServerOptions): Promise<Report> {
  const { era = 'modern', timeoutMs = TIMEOUT_MS, quietMs = QUIET_MS } = options;
  const peer = await openPeer(options.open, { era, timeoutMs });
  try {
    const tools = await listTools(peer);
    const name = options.tool ?? tools.find(isHinted)?.['name'];
    if (typeof name !== 'string')
      throw new Error('no tool has annotations.streamingHint: name one with --tool');
    const targets = {
      tool: { name, arguments: options.args ?? {} },
      ...(options.cancel && { cancel: options.cancel }),
      ...(options.task && { task: options.task }),
    };
    const definition = tools.find((tool) => tool['name'] === name);
    const run = await runServer(peer, targets, definition, quietMs);
    const verdicts = new Map<ServerCheckId, Verdict>([
      ...judgeOptIn(run),
      ...judgeSequence(run),
      ...judgeEnding(run),
      ...judgeBeside(run),
      ['s7-final-is-complete', judgeFinal(run, options.expected)],
    ]);
    return createReport('server', options.subject, SERVER_CHECKS, verdicts);
  } finally {
    await peer.close();
  }
}

async function listTools(peer: Peer): Promise<Message[]> {
  const tools: Message[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await peer.request('tools/list', cursor === undefined ? undefined : { cursor }).done;
    const result = response?.['result'];
    if (!isPlainObject(result) || !Array.isArray(result['tools'])) {
      throw new Error(`tools/list got ${describe(response)}`);
    }
    tools.push(...result['tools'].filter(isPlainObject));
    cursor = result['nextCursor'];
    if (cursor === undefined || cursor === null) break;
  }
  return tools;
}

function isHinted(tool: Message): boolean {
  return isPlainObject(tool['annotations']) && tool['annotations']['streamingHint'] === true;
}
