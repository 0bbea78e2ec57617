/**
 * The sandbox proxy: the page between host and view, and the handler that serves it. No DOM is needed here;
 * it runs wherever `Request` and `Response` exist.
 * @packageDocumentation
 */
export { createSandboxHandler, sandboxProxyHtml } from './lib/sandbox/handler.ts';
export type { SandboxHandler, SandboxOptions } from './lib/sandbox/handler.ts';
export { buildCsp } from './lib/sandbox/csp.ts';
export type { BuiltCsp, CspRejection, UiCsp } from './lib/sandbox/csp.ts';
export { HostBridgeError } from './lib/errors.ts';
export type { HostBridgeErrorCode } from './lib/errors.ts';
