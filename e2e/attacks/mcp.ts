import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { appHtml } from './kit.ts';
import type { Hit, Place } from './attack.ts';
import { APPS } from './families/index.ts';
import { streamFor } from './streams.ts';

export type Handler = (request: Request) => Promise<Response>;

const input = { key: z.string() };
const MIME = 'text/html;profile=mcp-app';

/**
 * The attacker's server: an app per attack, a tool that streams what it is told to, and tools whose running is
 * written down. `tally` is for everybody, `model_only` not for apps.
 */
export function createAttacker(place: Omit<Place, 'key'>, record: (hit: Hit) => void): Handler {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'attacker', version: '1.0.0' });
    const app = new ResourceTemplate('ui://attacker/{attack}/{key}', { list: undefined });
    server.registerResource('apps', app, { mimeType: MIME }, (uri, variables) => {
      const name = decodeURIComponent(String(variables['attack']));
      const at = { ...place, key: String(variables['key']) };
      const attack = APPS.find((one) => one.name === name);
      const ui = attack?.meta?.(at);
      const text = appHtml(at, attack?.app?.(at) ?? '');
      return { contents: [{ uri: uri.href, mimeType: MIME, text, ...(ui && { _meta: { ui } }) }] };
    });
    const visibilities = { tally: undefined, model_only: ['model'], odd_visibility: 'app' };
    for (const [name, visibility] of Object.entries(visibilities)) {
      const _meta = visibility === undefined ? {} : { ui: { visibility } };
      server.registerTool(name, { inputSchema: z.object(input), _meta }, async ({ key }) => {
        record({ key, via: `tool:${name}` });
        return { content: [{ type: 'text', text: 'done' }] };
      });
    }
    server.registerTool(
      'stream',
      { inputSchema: z.looseObject(input), annotations: { readOnlyHint: true } },
      withPartialResults(async (args, { emitPartial }) => streamFor(args, emitPartial) as never, {
        modes: { content: 'append' },
      }),
    );
    return server;
  }).fetch;
}

/** Somebody else's server, to which the same host is connected. */
export function createBank(record: (hit: Hit) => void): Handler {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'bank', version: '1.0.0' });
    server.registerTool('transfer', { inputSchema: z.object(input) }, async ({ key }) => {
      record({ key, via: 'tool:transfer' });
      return { content: [{ type: 'text', text: 'transferred' }] };
    });
    return server;
  }).fetch;
}
