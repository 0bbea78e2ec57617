import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { writeReport } from './src/host.ts';

/*
 * The page around the README's host: connects, runs the tool and leaves the outcome in the title for
 * the check to read.
 */
const { mcp, sandbox } = (await (await fetch('/urls.json')).json()) as { mcp: string; sandbox: string };
const client = new Client({ name: 'embeds', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
const { call } = await writeReport(client, 'Q2 revenue', document.body, sandbox);
const { status } = await call.done;
document.title = status;
