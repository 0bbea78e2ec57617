import { expect, it } from 'vitest';
import { hasStreamingHint, listToolsWithHints } from './tool-hints.ts';

interface WireTool {
  name: string;
  annotations?: Record<string, unknown> | null;
}

/** Pages as a server sends them, behind a client that strips the hint and leaves paging to its caller, as v1 does. */
function clientOf(pages: WireTool[][], cursorAfter: (page: number) => string | undefined) {
  const requests: string[] = [];
  function page(cursor: string | undefined) {
    const at = cursor === undefined ? 0 : Number(cursor);
    return { tools: pages[at % pages.length]!, nextCursor: cursorAfter(at) };
  }
  return {
    requests,
    async listTools(params?: { cursor?: string | undefined }) {
      requests.push(`list ${params?.cursor}`);
      const { tools, nextCursor } = page(params?.cursor);
      return { tools: tools.map(({ name }) => ({ name, annotations: { readOnlyHint: true } })), nextCursor };
    },
    async request(
      { params }: { params?: Record<string, unknown> },
      schema: { safeParse(value: unknown): { data?: unknown } },
    ) {
      requests.push(`raw ${String(params?.['cursor'])}`);
      return schema.safeParse(page(params?.['cursor'] as string | undefined)).data;
    },
  };
}

const next = (pages: number) => (at: number) => (at + 1 < pages ? String(at + 1) : undefined);

it('reads every page and gives each hint to its tool', async () => {
  const client = clientOf(
    [
      [{ name: 'a', annotations: { streamingHint: true } }, { name: 'b' }],
      [{ name: 'c', annotations: { streamingHint: true } }],
    ],
    next(2),
  );
  const tools = await listToolsWithHints(client as never);
  expect(tools).toEqual([
    { name: 'a', annotations: { readOnlyHint: true, streamingHint: true } },
    { name: 'b', annotations: { readOnlyHint: true } },
    { name: 'c', annotations: { readOnlyHint: true, streamingHint: true } },
  ]);
  expect(client.requests).toEqual(['list undefined', 'list 1', 'raw undefined', 'raw 1']);
});

it('ends with a server whose cursor does not move, or never ends', async () => {
  const stuck = clientOf([[{ name: 'a' }]], () => '0');
  expect((await listToolsWithHints(stuck as never)).length).toBe(2);
  const endless = clientOf([[{ name: 'a' }]], (at) => String(at + 1));
  expect((await listToolsWithHints(endless as never)).length).toBe(1000);
});

it.each<[unknown, boolean]>([
  [{ annotations: { streamingHint: true } }, true],
  [{ annotations: { streamingHint: false } }, false],
  [{ annotations: { streamingHint: 'true' } }, false],
  [{ annotations: null }, false],
  [{}, false],
  [null, false],
])('hasStreamingHint(%j) is %j', (tool, hinted) => {
  expect(hasStreamingHint(tool)).toBe(hinted);
});
