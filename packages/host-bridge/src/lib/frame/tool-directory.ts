import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { systemScheduler, type Scheduler } from '@mcp-apps-bridge/partial-results/stream';

/** What is read of a tool definition. */
export interface ToolDefinition {
  name: string;
  title?: string | undefined;
  inputSchema?: object | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** SDK clients of both generations fit. */
export interface ToolListClient {
  listTools(params?: { cursor?: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
}

/** Finds tools of one server by name. */
export interface ToolDirectory {
  /**
   * Asks the server the first time, and again for a name it did not list then, but one listing at a time and none
   * within five seconds of another: an app may ask for as many names as it likes.
   */
  find(name: string): Promise<ToolDefinition | undefined>;
}

const maxPages = 50;
const restMs = 5_000;

/**
 * @param known - definitions the host already has, spared a request.
 */
export function createToolDirectory(
  client: ToolListClient,
  known: readonly ToolDefinition[],
  scheduler: Pick<Scheduler, 'now'> = systemScheduler,
): ToolDirectory {
  const tools = new Map(known.map((tool) => [tool.name, tool]));
  let listing: Promise<void> | undefined;
  let listedAt = -Infinity;

  async function list(): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const answer = await client.listTools(cursor === undefined ? {} : { cursor });
      if (!isPlainObject(answer) || !Array.isArray(answer['tools'])) break;
      for (const tool of answer['tools'] as unknown[]) {
        if (isPlainObject(tool) && typeof tool['name'] === 'string')
          tools.set(tool['name'], tool as unknown as ToolDefinition);
      }
      if (typeof answer['nextCursor'] !== 'string') break;
      cursor = answer['nextCursor'];
    }
    listedAt = scheduler.now();
  }

  return {
    async find(name) {
      if (!tools.has(name) && (listing || scheduler.now() - listedAt >= restMs)) {
        listing ??= list().finally(() => {
          listing = undefined;
        });
        await listing;
      }
      return tools.get(name);
    },
  };
}
