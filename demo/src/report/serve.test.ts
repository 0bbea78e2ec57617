import { callTool, listToolsWithHints } from '@mcp-apps-bridge/partial-results/client';
import type { PartialToolResult } from '@mcp-apps-bridge/partial-results';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRows } from '../data/load-rows.ts';
import type { CallRecord } from '../http/call-log.ts';
import { toJsonl } from './a2ui.ts';
import { dashboardMessages, dashboardSteps } from './dashboard.ts';
import { writeProse } from './prose.ts';
import { serveReport } from './serve.ts';

const rows = loadRows();
const query = { year: 2025, quarter: 2 } as const;
const finalJsonl = toJsonl(dashboardMessages(rows, query));
let server: Awaited<ReturnType<typeof serveReport>>;
let modern: Client;
let legacy: LegacyClient;

beforeAll(async () => {
  server = await serveReport({
    port: 0,
    hostOrigins: [],
    paceMs: 0,
    debug: true,
    readApp: (name) => `<title>${name}</title>`,
  });
  modern = new Client({ name: 'modern', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await modern.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  legacy = new LegacyClient({ name: 'legacy', version: '1' });
  await legacy.connect(new LegacyTransport(new URL(server.url)) as Parameters<typeof legacy.connect>[0]);
});
afterAll(async () => {
  await Promise.all([modern.close(), legacy.close()]);
  await server.close();
});

async function calls(): Promise<CallRecord[]> {
  return (await (await fetch(new URL('/debug/calls', server.url))).json()) as CallRecord[];
}

/** Text of the embedded resource of a result or chunk. */
function jsonlOf(content: unknown): string {
  return (content as { resource?: { text?: string } }[]).map(({ resource }) => resource?.text ?? '').join('');
}

describe.each([
  ['a 2026-07-28 client', () => modern],
  ['a client of before', () => legacy],
])('generate_dashboard for %s', (_name, client) => {
  test('streams the steps in order and ends with the whole dashboard', async () => {
    const chunks: PartialToolResult[] = [];
    const result = await callTool(
      client(),
      { name: 'generate_dashboard', arguments: query },
      { onpartialresult: (chunk) => chunks.push(chunk) },
    );
    expect(chunks.map(({ seq }) => seq)).toEqual(chunks.map((_chunk, index) => index));
    expect(chunks.map(({ content }) => jsonlOf(content)).join('')).toBe(
      [...dashboardSteps(rows, query)].map(toJsonl).join(''),
    );
    expect(jsonlOf(result.content)).toBe(finalJsonl);
  });

  test('gives the same final to a call that did not ask for partial results', async () => {
    const result = await client().callTool({ name: 'generate_dashboard', arguments: query });
    expect(jsonlOf(result['content'])).toBe(finalJsonl);
    const [text, surface] = result['content'] as { type: string; annotations: { audience: string[] } }[];
    expect([text?.type, text?.annotations.audience]).toEqual(['text', ['assistant']]);
    expect([surface?.type, surface?.annotations.audience]).toEqual(['resource', ['user']]);
  });
});

test('write_report grows to exactly its final text', async () => {
  let grown = '';
  const result = await callTool(
    modern,
    { name: 'write_report', arguments: query },
    { onpartialresult: ({ content }) => (grown += content?.[0]?.text ?? '') },
  );
  expect(grown).toBe(writeProse(rows, query));
  expect(result.content).toEqual([{ type: 'text', text: grown }]);
});

test('a cancel stops the work', async () => {
  const controller = new AbortController();
  const call = callTool(
    modern,
    { name: 'write_report', arguments: { quarter: 1 } },
    { signal: controller.signal, onpartialresult: () => controller.abort() },
  );
  await expect(call).rejects.toMatchObject({ code: 'aborted' });
  let record: CallRecord | undefined;
  do record = (await calls()).findLast(({ tool }) => tool === 'write_report');
  while (record?.state === 'running');
  expect(record?.state).toBe('aborted');
  const { steps } = record!;
  await modern.callTool({ name: 'generate_dashboard', arguments: query });
  expect((await calls()).find(({ id }) => id === record!.id)?.steps).toBe(steps);
});

test('both streaming tools say so, and the action is kept from the model', async () => {
  const tools = await listToolsWithHints(modern);
  const hints = Object.fromEntries(
    tools.map((tool) => [tool.name, tool.annotations?.streamingHint === true]),
  );
  expect(hints).toEqual({ generate_dashboard: true, write_report: true, action: false });
  expect(tools.find(({ name }) => name === 'action')?._meta).toMatchObject({ ui: { visibility: ['app'] } });
});

test('each tool names a view that can be read', async () => {
  for (const tool of await listToolsWithHints(modern)) {
    const { resourceUri } = tool._meta!['ui'] as { resourceUri: string };
    const { contents } = await modern.readResource({ uri: resourceUri });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/html;profile=mcp-app',
      text: expect.stringContaining('<title>'),
    });
  }
});

test('an action answers with the updates for the surface', async () => {
  const result = await modern.callTool({
    name: 'action',
    arguments: {
      name: 'choose_regions',
      surfaceId: 'revenue',
      context: { region: 'Europe', quarter: 'Q2', year: 2025 },
    },
  });
  const messages = jsonlOf(result.content)
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { updateDataModel?: { value: { title: string } }; createSurface?: unknown },
    );
  expect(messages.some(({ createSurface }) => createSurface !== undefined)).toBe(false);
  expect(messages.at(-1)?.updateDataModel?.value.title).toBe('Q2 2025 revenue · Europe');
});

test.each([
  { name: 'drop_table', surfaceId: 'revenue', context: { region: 'all', quarter: 'Q2', year: 2025 } },
  { name: 'choose_regions', surfaceId: 'other', context: { region: 'all', quarter: 'Q2', year: 2025 } },
  { name: 'choose_regions', surfaceId: 'revenue', context: { region: 'Mars', quarter: 'Q2', year: 2025 } },
  { name: 'choose_quarters', surfaceId: 'revenue', context: { region: 'all', quarter: 'Q9', year: 2025 } },
])('the action %j is refused', async (action) => {
  expect(await modern.callTool({ name: 'action', arguments: action })).toMatchObject({ isError: true });
});

test('a quarter without rows is an error that says what there is', async () => {
  const result = await modern.callTool({ name: 'generate_dashboard', arguments: { quarter: 1, year: 2001 } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Q4 2024 to Q4 2025') }],
  });
});
