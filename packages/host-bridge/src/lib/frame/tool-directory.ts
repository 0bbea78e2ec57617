import { isPlainObject } from '@mcp-apps-bridge/partial-results';

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
  /** Asks the server the first time, and again for a name it did not list then. */
  find(name: string, signal?: AbortSignal): Promise<ToolDefinition | undefined>;
}

const maxPages = 50;

/**
 * @param known - definitions the host already has, spared a request.
 */
export function createToolDirectory(client: ToolListClient, known: readonly ToolDefinition[]): ToolDirectory {
  const tools = new Map(known.map((tool) => [tool.name, tool]));

  return {
    async find(name, signal) {
      const found = tools.get(name);
      if (found) return found;
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const answer = await client.listTools(
          cursor === undefined ? {} : { cursor },
          signal ? { signal } : {},
        );
        if (!isPlainObject(answer) || !Array.isArray(answer['tools'])) break;
        for (const tool of answer['tools'] as unknown[]) {
          if (isPlainObject(tool) && typeof tool['name'] === 'string')
            tools.set(tool['name'], tool as unknown as ToolDefinition);
        }
        if (typeof answer['nextCursor'] !== 'string') break;
        cursor = answer['nextCursor'];
      }
      return tools.get(name);
    },
  };
}
