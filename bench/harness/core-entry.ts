/* What a view needs of app-runtime before it chooses a consumer; the same as the package's own size check. */
export { attachToApp, createAppRuntime, streamCapabilities } from '@mcp-apps-bridge/app-runtime';
