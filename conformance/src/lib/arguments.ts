import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { ClientOptions } from './client/check-client.ts';
import { runCommand } from './client/run-command.ts';
import type { ToolCall } from './server/calls.ts';
import type { ServerOptions } from './server/check-server.ts';
import { openHttp } from './wire/http-link.ts';
import type { Era, Message } from './wire/message.ts';
import { openStdio } from './wire/stdio-link.ts';

export type Command = { json: boolean; strict: boolean } & (
  | { kind: 'help' }
  | { kind: 'server'; options: ServerOptions }
  | { kind: 'client'; options: ClientOptions }
);

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  stdio: { type: 'string' },
  command: { type: 'string' },
  tool: { type: 'string' },
  args: { type: 'string' },
  expect: { type: 'string' },
  'cancel-tool': { type: 'string' },
  'cancel-args': { type: 'string' },
  task: { type: 'boolean' },
  'task-tool': { type: 'string' },
  'task-args': { type: 'string' },
  'quiet-ms': { type: 'string' },
  'timeout-ms': { type: 'string' },
  transport: { type: 'string' },
  flood: { type: 'string' },
  'one-run': { type: 'boolean' },
  era: { type: 'string' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Reads a command line. Throws an error that says what is wrong with it. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  const flags = { json: values.json ?? false, strict: values.strict ?? false };
  const [kind, ...rest] = positionals;
  if (values.help || kind === undefined) return { ...flags, kind: 'help' };
  if (rest.length > 0) throw new Error(`unexpected: ${rest.join(' ')}`);
  if (kind === 'server') return { ...flags, kind, options: serverOptions(values) };
  if (kind === 'client') return { ...flags, kind, options: clientOptions(values) };
  throw new Error(`unknown: ${kind}; it is server or client`);
}

function serverOptions(values: Values): ServerOptions {
  const { url, stdio } = values;
  if ((url === undefined) === (stdio === undefined)) throw new Error('give --url or --stdio');
  const era = eraOf(values);
  const task = toolCall(values, 'task') ?? (values.task ? mainCall(values) : undefined);
  return {
    subject: url ?? stdio!,
    open: url === undefined ? openStdio(stdio!) : openHttp(url, era),
    era,
    tool: values.tool,
    args: jsonObject('--args', values.args),
    cancel: toolCall(values, 'cancel'),
    task,
    expected:
      values.expect === undefined ? undefined : jsonObject('--expect', readFileSync(values.expect, 'utf8')),
    quietMs: number('--quiet-ms', values['quiet-ms']),
    timeoutMs: number('--timeout-ms', values['timeout-ms']),
  };
}

function clientOptions(values: Values): ClientOptions {
  const { command, transport = 'http' } = values;
  if (command === undefined) throw new Error('give --command');
  if (transport !== 'http' && transport !== 'stdio') throw new Error('--transport is http or stdio');
  return {
    subject: command,
    run: runCommand(command),
    transport,
    era: eraOf(values),
    flood: number('--flood', values.flood),
    oneRun: values['one-run'],
    timeoutMs: number('--timeout-ms', values['timeout-ms']),
  };
}

function eraOf({ era = 'modern' }: Values): Era {
  if (era !== 'modern' && era !== 'legacy') throw new Error('--era is modern or legacy');
  return era;
}

function mainCall({ tool, args }: Values): ToolCall {
  if (tool === undefined) throw new Error('--task needs --tool');
  return { name: tool, arguments: jsonObject('--args', args) ?? {} };
}

function toolCall(values: Values, which: 'cancel' | 'task'): ToolCall | undefined {
  const name = values[`${which}-tool`];
  const args = jsonObject(`--${which}-args`, values[`${which}-args`]);
  if (name !== undefined) return { name, arguments: args ?? {} };
  if (args === undefined) return undefined;
  if (values.tool === undefined) throw new Error(`--${which}-args needs --${which}-tool or --tool`);
  return { name: values.tool, arguments: args };
}

function jsonObject(name: string, text: string | undefined): Message | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${name} is not JSON`, { cause });
  }
  if (!isPlainObject(value)) throw new Error(`${name} must be a JSON object`);
  return value;
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be an integer from 1`);
  return value;
}
