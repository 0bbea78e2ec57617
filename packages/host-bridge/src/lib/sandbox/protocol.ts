/*
 * The `ui/notifications/sandbox-*` messages between host and proxy. Views neither send nor receive them:
 * the proxy relays everything else and nothing of these (H11).
 */

/** Proxy → host, repeated until answered (H10). `params` is {@link ProxyReady}. */
export const SANDBOX_PROXY_READY = 'ui/notifications/sandbox-proxy-ready';
/** Host → proxy, counted once per proxy document (H10). `params` is {@link SandboxResource}. */
export const SANDBOX_RESOURCE_READY = 'ui/notifications/sandbox-resource-ready';
/** Proxy → host, ours: the view's document is gone, nothing is relayed any more. `params` is {@link ViewLost}. */
export const SANDBOX_VIEW_LOST = 'ui/notifications/sandbox-view-lost';
/** Proxy → host, ours: the proxy cannot work and says why. `params` is {@link SandboxFault}. */
export const SANDBOX_ERROR = 'ui/notifications/sandbox-error';
/** Every method that starts so stays between host and proxy. */
export const SANDBOX_PREFIX = 'ui/notifications/sandbox-';

/** Told with each {@link SANDBOX_PROXY_READY}; empty when a proxy other than ours is in use. */
export interface ProxyReady {
  /** New for each proxy document, so that a reload is told from a repetition. */
  instance?: string;
  /** False when the page was not served by the handler and so has no CSP header. */
  headers?: boolean;
  /** True when the origin serves one app only, so that its document may share it. */
  dedicated?: boolean;
}

/** What the host hands to the proxy. */
export interface SandboxResource {
  html: string;
  /** Tokens for the inner frame. Those that would let it out are dropped, `allow-same-origin` but on a dedicated origin. */
  sandbox?: string;
  /** Declared domains, for the policy that the proxy puts into the document itself. */
  csp?: unknown;
  /** Features to allow, as in `_meta.ui.permissions`. */
  permissions?: unknown;
}

/** Why a view was lost. */
export interface ViewLost {
  reason: 'navigated' | 'silent';
}

/** Why a proxy refuses. */
export interface SandboxFault {
  code: 'unknown_host' | 'bad_request';
  message: string;
}

/** Response header that tells the page of the handler from any other. */
export const SANDBOX_HEADER = 'x-mcp-apps-sandbox';
/** Query parameter: the origin of the host page. May be left out where only one is configured. */
export const HOST_PARAMETER = 'host';
/** Query parameter: the declared domains, as the JSON of `_meta.ui.csp`. */
export const CSP_PARAMETER = 'csp';
