import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { Era, Message } from '../wire/message.ts';

/** The environment variable in which the client finds its {@link ClientPlan} as JSON. */
export const PLAN_VARIABLE = 'MCP_PARTIAL_CONFORMANCE';

/** What the client under test is asked to do. */
export interface ClientPlan {
  version: 1;
  transport: 'http' | 'stdio';
  /** `modern`: 2026-07-28; `legacy`: 2025-11-25. */
  era: Era;
  /** With `http`: where the server is. */
  url?: string;
  /** With `stdio`: the program to start and its arguments. */
  command?: string[];
  /** One after the other; the calls of a step are started together and it ends when all have ended. */
  steps: PlannedCall[][];
}

/** A `tools/call`, opted in. */
export interface PlannedCall {
  /** The name under which the client prints what it saw of this call. */
  call: string;
  tool: string;
  arguments: Message;
}

/** What the client prints: one JSON object a line on its standard output. Other lines are ignored. */
export type ClientEvent =
  /** A chunk was applied, or with `last` several that the client had merged. */
  | {
      event: 'applied';
      call: string;
      seq: number;
      last?: number;
      content?: unknown;
      structuredContent?: unknown;
    }
  /** Numbers were given up. */
  | { event: 'gap'; call: string; first: number; last: number }
  /** The call ended with this `CallToolResult`. */
  | { event: 'final'; call: string; result: Message }
  /** The call failed. */
  | { event: 'error'; call: string; message: string }
  /** After the end: what the client shows, as any JSON value. */
  | { event: 'state'; call: string; state: unknown };

/** One line of the client's output; `undefined` when it is not an event. */
export function parseEvent(line: string): ClientEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isPlainObject(value) || typeof value['call'] !== 'string') return undefined;
  switch (value['event']) {
    case 'applied':
      return typeof value['seq'] === 'number' ? (value as ClientEvent) : undefined;
    case 'final':
      return isPlainObject(value['result']) ? (value as ClientEvent) : undefined;
    case 'gap':
    case 'error':
    case 'state':
      return value as ClientEvent;
    default:
      return undefined;
  }
}
