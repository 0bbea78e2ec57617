import type { ContentBlock } from '@mcp-apps-bridge/partial-results';

/** Catalog of the dashboard app: the basic catalog plus the components in `apps/dashboard/catalog`. */
export const CATALOG_ID = 'urn:mcp-apps-bridge:demo:dashboard-catalog:1';
/** Media type of A2UI 0.9 message streams. */
const MIME_TYPE = 'application/a2ui+json';
const VERSION = 'v0.9';

export type Component = { id: string; component: string } & Record<string, unknown>;

export interface A2uiMessage {
  version: string;
  createSurface?: { surfaceId: string; catalogId: string };
  updateComponents?: { surfaceId: string; components: Component[] };
  updateDataModel?: { surfaceId: string; path: string; value: unknown };
}

/** Makes the messages of one surface. */
export function surfaceMessages(surfaceId: string): {
  create(): A2uiMessage;
  components(components: Component[]): A2uiMessage;
  data(path: string, value: unknown): A2uiMessage;
} {
  return {
    create: () => ({ version: VERSION, createSurface: { surfaceId, catalogId: CATALOG_ID } }),
    components: (components) => ({ version: VERSION, updateComponents: { surfaceId, components } }),
    data: (path, value) => ({ version: VERSION, updateDataModel: { surfaceId, path, value } }),
  };
}

/** One message a line, each line ended, so that chunks can be put one after the other. */
export function toJsonl(messages: readonly A2uiMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

/** A stream of messages, or a part of one, as the embedded resource that carries it; for the UI, not the model. */
export function a2uiBlock(surfaceId: string, jsonl: string): ContentBlock & { type: 'resource' } {
  return {
    type: 'resource',
    resource: { uri: `a2ui://${surfaceId}`, mimeType: MIME_TYPE, text: jsonl },
    annotations: { audience: ['user'] },
  };
}
