import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runTool } from './src/host.ts';

/*
 * The page around the README's host: connects, runs the tool and leaves the outcome in the title for
 * the check to read.
 */
const { mcp, sandbox } = (await (await fetch('/urls.json')).json()) as { mcp: string; sandbox: string };
const client = new Client({ name: 'embeds', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
const { outcome } = await runTool(client, 'write_report', document.body, sandbox);
document.title = outcome.status;
