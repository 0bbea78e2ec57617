/**
 * Client capabilities of a host that shows MCP Apps (H2). Lay them into those of the MCP client, so that
 * servers know that a tool may bring a view.
 *
 * @example
 * ```ts
 * new Client({ name: 'chat', version: '1.0.0' }, { capabilities: { ...uiClientCapabilities } });
 * ```
 */
export const uiClientCapabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: string[] } } } =
  {
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  };
