/* Starts fixture servers as processes of their own and connects real clients to them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export type ServerKind = 'server-v2' | 'server-v1' | 'server-tasks';
export type ClientKind = 'v2 modern' | 'v2 legacy' | 'v1';

export interface HttpFixture {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

const info = { name: 'fixture-client', version: '1.0.0' };

export function serverCommand(
  server: ServerKind,
  transport: 'stdio' | 'http',
): { command: string; args: string[] } {
  // Where the tests have bundled them, see fixture-servers.ts.
  const bundles = process.env['FIXTURE_SERVERS'];
  if (bundles !== undefined)
    return { command: process.execPath, args: [join(bundles, `${server}.mjs`), transport] };
  const file = fileURLToPath(new URL(`./${server}.ts`, import.meta.url));
  return { command: process.execPath, args: ['--import', import.meta.resolve('tsx'), file, transport] };
}

export async function startHttp(server: ServerKind, env: Record<string, string> = {}): Promise<HttpFixture> {
  const { command: file, args } = serverCommand(server, 'http');
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => resolve((JSON.parse(line) as { url: string }).url));
    void exited.then(() => reject(new Error(`${server} ended before it listened`)));
  });
  return {
    url,
    process: child,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A real client, its transport, and everything it received, as it came off the wire. */
export interface Peer<Client = ClientV2 | ClientV1> {
  client: Client;
  inbox: Array<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Answers every question with yes, so that MRTR tools can be called. */
function createV2(kind: 'v2 modern' | 'v2 legacy'): ClientV2 {
  const client = new ClientV2(info, {
    capabilities: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    versionNegotiation: { mode: kind === 'v2 modern' ? 'auto' : 'legacy' },
  });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  return client;
}

/** @param target a URL for HTTP, the {@link ServerKind} to spawn for stdio. */
export async function connect(kind: ClientKind, target: string): Promise<Peer> {
  const url = target.startsWith('http') ? new URL(target) : undefined;
  const stdio = serverCommand(target as ServerKind, 'stdio');
  if (kind === 'v1') {
    const client = new ClientV1(info, { capabilities: {} });
    await client.connect((url ? new HttpV1(url) : new StdioV1(stdio)) as Parameters<ClientV1['connect']>[0]);
    return spyOn(client);
  }
  const client = createV2(kind);
  await client.connect(url ? new HttpV2(url) : new StdioV2(stdio));
  return spyOn(client);
}

function spyOn<Client extends ClientV1 | ClientV2>(client: Client): Peer<Client> {
  const inbox: Array<Record<string, unknown>> = [];
  const transport = client.transport as { onmessage: (message: object, extra?: unknown) => void };
  const inner = transport.onmessage;
  transport.onmessage = (message, extra) => {
    inbox.push(message as Record<string, unknown>);
    inner.call(transport, message, extra);
  };
  return { client, inbox, close: () => client.close() };
}

/** The texts of a result or chunk. */
export function texts(body: object): string[] {
  return (((body as { content?: unknown }).content ?? []) as Array<{ text?: string }>).map(
    (block) => block.text ?? '',
  );
}
