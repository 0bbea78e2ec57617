import { MERGE_META_KEY } from '@mcp-apps-bridge/partial-results';
import { withPartialResults } from '@mcp-apps-bridge/partial-results/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { inject } from 'vitest';
import { z } from 'zod';
import { until } from './proxy-frame.ts';

const mimeType = 'text/html;profile=mcp-app';

/** A real server with one view, reached by a real client in the same page. */
export interface ViewServer {
  client: Client;
  /** The tool with the view, as the host passes it. */
  tool: { name: string; title: string; _meta: { ui: { resourceUri: string } } };
  /** What the view told with its `report` tool, as [event, data]. */
  reports: [event: string, data: unknown][];
  /** Calls of the tools below, in order. */
  calls: { name: string; args: unknown; meta: unknown }[];
  /** Lets the tool `write`, which has emitted its argument word by word, end with the result `all of it`. */
  finishWriting(): void;
  /** The first report of an event. */
  report(event: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * @param html - body of the resource.
 * @param content - fields over those of the content, such as another mimeType.
 */
export async function createViewServer(html: string, content: object = {}): Promise<ViewServer> {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  const reports: ViewServer['reports'] = [];
  const calls: ViewServer['calls'] = [];
  const tool = { name: 'show', title: 'Test view', _meta: { ui: { resourceUri: 'ui://test/view' } } };
  const resourceDomains = [inject('sandboxServers').sandbox];

  server.registerResource('view', 'ui://test/view', { mimeType }, async (uri) => ({
    contents: [
      { uri: uri.href, mimeType, text: html, _meta: { ui: { csp: { resourceDomains } } }, ...content },
    ],
  }));
  server.registerTool('show', { title: tool.title, _meta: tool._meta }, async () => ({ content: [] }));
  const args = z.looseObject({});
  server.registerTool(
    'report',
    { inputSchema: z.looseObject({ event: z.string(), data: z.any() }) },
    async ({ event, data }) => {
      reports.push([event, data]);
      return { content: [{ type: 'text', text: 'noted' }] };
    },
  );
  for (const [name, visibility] of [
    ['for-app', ['app']],
    ['for-model', ['model']],
    ['for-both', undefined],
  ] as const) {
    server.registerTool(
      name,
      { inputSchema: args, _meta: { ui: { ...(visibility && { visibility }) } } },
      async (given, context) => {
        calls.push({ name, args: given, meta: context.mcpReq._meta });
        return { content: [{ type: 'text', text: `did ${name}` }], _meta: { progressToken: 'x' } };
      },
    );
  }

  let finishWriting = (): void => undefined;
  const mayFinish = new Promise<void>((resolve) => (finishWriting = resolve));
  server.registerTool(
    'write',
    { inputSchema: z.object({ text: z.string() }), _meta: { [MERGE_META_KEY]: { content: 'append' } } },
    withPartialResults(async ({ text }, context) => {
      calls.push({ name: 'write', args: text, meta: context.mcpReq._meta });
      for (const word of text.split(' '))
        await context.emitPartial({ content: [{ type: 'text', text: `${word} ` }] });
      await mayFinish;
      return { content: [{ type: 'text', text: 'all of it' }] };
    }),
  );

  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'host', version: '1.0.0' });
  await server.connect(serverSide);
  await client.connect(clientSide);
  return {
    client,
    tool,
    reports,
    calls,
    finishWriting,
    report: async (event) => (await until(() => reports.find(([name]) => name === event)))[1],
    close: async () => client.close(),
  };
}

/**
 * A view built with the unmodified SDK. `script` runs before `connect` with `app` and `report(event, data)`,
 * `after` once the handshake is done.
 */
export function sdkView(
  version: 1 | 2,
  script: string,
  after = '',
  options = '{}, { autoResize: false }',
): string {
  return `<!doctype html><html><body><script type="module">
    import { App } from '${inject('sandboxServers').sandbox}/ext-apps-${version}.js';
    const app = new App({ name: 'test-view', version: '1.0.0' }, ${options});
    let chain = Promise.resolve();
    const report = (event, data = null) => {
      chain = chain.then(() => app.callServerTool({ name: 'report', arguments: { event, data } }));
      return chain;
    };
    const attempt = async (run) => { try { return await run(); } catch (error) { return 'error: ' + error.message; } };
    ${script}
    await app.connect();
    ${after}
  </script></body></html>`;
}
