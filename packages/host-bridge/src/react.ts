/**
 * React binding: one component around `createAppView`.
 * @packageDocumentation
 */
export { McpAppView } from './lib/react/mcp-app-view.tsx';
export type { AppViewState, McpAppViewProps } from './lib/react/mcp-app-view.tsx';
