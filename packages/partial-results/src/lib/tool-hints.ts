import { ANYTHING } from './any-schema.ts';
import { isPlainObject } from './guards.ts';
import { STREAMING_HINT_KEY } from './vocabulary.ts';

/** What is used of an SDK client; those of v2 and v1 both fit. */
export interface ToolListClient {
  listTools(
    params?: { cursor?: string | undefined },
    options?: never,
  ): Promise<{ tools: ListedTool[]; nextCursor?: string | undefined }>;
  request(
    request: { method: 'tools/list'; params?: Record<string, unknown> },
    schema: never,
  ): Promise<unknown>;
}

/** What is read of a tool definition. */
export interface ListedTool {
  name: string;
  annotations?: object | undefined;
}

/** A tool as the given client lists it, with its hint. */
export type HintedTool<Client extends ToolListClient> = Awaited<
  ReturnType<Client['listTools']>
>['tools'][number] & {
  annotations?: { streamingHint?: boolean };
};

/** Pages read at most; a server whose cursor never ends is cut off there. */
const MAX_PAGES = 1000;

/**
 * All tools, with the `annotations.streamingHint` that `listTools()` of either SDK strips (S16). A
 * host prepares the streaming view on it before the call. Two requests a page: the SDK's own list,
 * which fills its caches and is the one returned, and the raw one for the hints.
 */
export async function listToolsWithHints<Client extends ToolListClient>(
  client: Client,
): Promise<Array<HintedTool<Client>>> {
  const tools = await readPages(async (cursor) =>
    client.listTools(cursor === undefined ? undefined : { cursor }),
  );
  const raw = await readPages(async (cursor) => readPage(client, cursor));
  const hinted = new Set(raw.filter(hasStreamingHint).map((tool) => (tool as ListedTool).name));
  return tools.map((tool) => {
    if (!hinted.has(tool.name)) return tool;
    return { ...tool, annotations: { ...tool.annotations, [STREAMING_HINT_KEY]: true } };
  }) as Array<HintedTool<Client>>;
}

/** Whether a tool definition, as received, announces partial results (S16). */
export function hasStreamingHint(tool: unknown): boolean {
  const annotations = isPlainObject(tool) ? tool['annotations'] : undefined;
  return isPlainObject(annotations) && annotations[STREAMING_HINT_KEY] === true;
}

interface Page<Tool> {
  tools: Tool[];
  nextCursor?: string | undefined;
}

async function readPages<Tool>(read: (cursor: string | undefined) => Promise<Page<Tool>>): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { tools: more, nextCursor } = await read(cursor);
    tools.push(...more);
    if (nextCursor === undefined || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return tools;
}

async function readPage(client: ToolListClient, cursor: string | undefined): Promise<Page<unknown>> {
  const params = cursor === undefined ? {} : { params: { cursor } };
  const result = await client.request({ method: 'tools/list', ...params }, ANYTHING as never);
  const { tools, nextCursor } = isPlainObject(result) ? result : {};
  return {
    tools: Array.isArray(tools) ? tools : [],
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
  };
}
