import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { uiClientCapabilities } from './client-capabilities.ts';

test('a server sees the media types of views', async () => {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: { ...uiClientCapabilities } },
  );
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
  expect(server.server.getClientCapabilities()).toMatchObject({
    extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
  });
  await client.close();
});
