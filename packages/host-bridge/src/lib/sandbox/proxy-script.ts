import type { BuiltCsp } from './csp.ts';
import type { PortShimConfig } from './port-shim.ts';
import type { ProxyReady, SandboxFault, SandboxResource, ViewLost } from './protocol.ts';

/** Baked into the proxy page. */
export interface ProxyConfig {
  /** The hosts this page serves. The one in use is named by the query's `host`, or is the only one. */
  hostOrigins: readonly string[];
  /** True when the page is served with its policy as a header. */
  headers: boolean;
  /** True when no other app is ever served from this origin. */
  dedicated: boolean;
  /** Set on a page that can only say what is wrong. */
  fault?: SandboxFault;
}

/** Functions whose text the page carries beside this one. */
export interface ProxyParts {
  buildCsp(declared: unknown): BuiltCsp;
  installPortShim(config: PortShimConfig): void;
}

/**
 * The proxy between host and view (H9 to H11), run in the page that `createSandboxHandler` serves.
 *
 * ```text
 *   host ──postMessage, exact origin and source──▶ proxy ──MessagePort of the first document──▶ view
 *   host ◀─postMessage, exact origin────────────── proxy ◀─postMessage, exact source─────────── view
 * ```
 *
 * Host → view never uses `postMessage(…, '*')`: a frame that navigated itself would receive it. A frame whose
 * document is replaced is removed and reported, since its next document may be anybody's.
 *
 * Self-contained: the page carries its text (decision 005).
 */
export function runSandboxProxy(config: ProxyConfig, parts: ProxyParts): void {
  const prefix = 'ui/notifications/sandbox-';
  const readyMethod = `${prefix}proxy-ready`;
  const resourceMethod = `${prefix}resource-ready`;
  const contextMethod = 'ui/notifications/host-context-changed';
  /* None of these lets a frame share an origin, navigate the top or open an unsandboxed window. */
  const grantable = new Set([
    'allow-scripts',
    'allow-forms',
    'allow-modals',
    'allow-downloads',
    'allow-pointer-lock',
  ]);
  /* On an origin of its own an app has nobody to attack but itself. */
  if (config.dedicated) grantable.add('allow-same-origin');
  const defaultSandbox = 'allow-scripts allow-forms';
  const features: Record<string, string> = {
    camera: 'camera',
    microphone: 'microphone',
    geolocation: 'geolocation',
    clipboardWrite: 'clipboard-write',
  };
  /* A document that answers no ping this long after its frame loaded is not the one the port belongs to. */
  const confirmMs = 10_000;
  const { parent } = window;
  let inner: HTMLIFrameElement | undefined;
  let port: MessagePort | undefined;
  let innerOrigin = 'null';
  let nonce = '';
  let loads = 0;
  let confirmTimer: number | undefined;
  let announceTimer: number | undefined;
  let settled = false;

  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const random = (): string =>
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');

  if (parent === window) {
    document.body.textContent = 'This page only works inside the frame of an MCP Apps host.';
    return;
  }
  if (config.fault) {
    /* The text is fixed and the page has no other use: any host that framed it may know. */
    parent.postMessage({ jsonrpc: '2.0', method: `${prefix}error`, params: config.fault }, '*');
    document.body.textContent = config.fault.message;
    return;
  }
  const asked = new URLSearchParams(location.search).get('host');
  const hostOrigin = config.hostOrigins.find((origin) => origin === asked || config.hostOrigins.length === 1);
  if (hostOrigin === undefined || (asked !== null && asked !== hostOrigin)) {
    const message = `The sandbox does not serve the host ${asked ?? '(none named)'}. Add its origin to hostOrigins.`;
    const params: SandboxFault = { code: 'unknown_host', message };
    parent.postMessage({ jsonrpc: '2.0', method: `${prefix}error`, params }, '*');
    document.body.textContent = message;
    return;
  }

  const tellHost = (method: string, params: object): void =>
    parent.postMessage({ jsonrpc: '2.0', method, params }, hostOrigin);

  const lose = (reason: ViewLost['reason']): void => {
    if (!inner) return;
    clearTimeout(confirmTimer);
    port?.close();
    inner.remove();
    inner = undefined;
    port = undefined;
    tellHost(`${prefix}view-lost`, { reason } satisfies ViewLost);
  };

  const awaitSign = (): void => {
    clearTimeout(confirmTimer);
    confirmTimer = window.setTimeout(() => lose('silent'), confirmMs);
    port?.postMessage('ping');
  };

  const mount = (resource: SandboxResource): void => {
    const asked = (resource.sandbox ?? defaultSandbox).split(/\s+/).filter((token) => grantable.has(token));
    if (asked.includes('allow-same-origin')) innerOrigin = location.origin;
    const permissions = isRecord(resource.permissions) ? resource.permissions : {};
    const allow = Object.keys(features).filter((name) => isRecord(permissions[name]));
    nonce = random();
    const shimConfig = JSON.stringify({ origin: location.origin, nonce });
    const shim = `(${parts.installPortShim.toString()})(${shimConfig.replaceAll('<', '\\u003c')})`;
    /* Compilers that keep function names wrap nested functions in a helper of this name. */
    const script = `(()=>{const __name=(f)=>f;${shim}})()`;
    /* A srcdoc document is in standards mode whatever precedes its doctype, so this may come first. */
    const head =
      `<meta http-equiv="Content-Security-Policy" content="${parts.buildCsp(resource.csp).policy}">` +
      `<script>${script}</script>`;

    inner = document.createElement('iframe');
    inner.setAttribute('sandbox', asked.join(' '));
    inner.setAttribute('referrerpolicy', 'no-referrer');
    inner.allow = allow.map((name) => features[name]).join('; ');
    inner.title = document.title;
    inner.srcdoc = head + resource.html.replace(/^\uFEFF/, '');
    inner.addEventListener('load', () => {
      loads += 1;
      if (loads > 1) lose('navigated');
      else awaitSign();
    });
    document.body.append(inner);
  };

  const acceptPort = (offered: MessagePort): void => {
    nonce = '';
    port = offered;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      clearTimeout(confirmTimer);
      if (data === 'bye') lose('navigated');
    };
    if (loads > 0) awaitSign();
  };

  /* A frame whose colour scheme is not that of its document is painted opaque (field case 94). */
  const followTheme = ({ params, result }: Record<string, unknown>): void => {
    const context = isRecord(result) ? result['hostContext'] : params;
    const theme = isRecord(context) ? context['theme'] : undefined;
    if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
  };

  const fromHost = (data: unknown): void => {
    if (!isRecord(data) || data['jsonrpc'] !== '2.0') return;
    const { method, params } = data;
    if (typeof method === 'string' && method.startsWith(prefix)) {
      const wanted =
        method === resourceMethod && !settled && isRecord(params) && typeof params['html'] === 'string';
      if (!wanted) return;
      settled = true;
      clearTimeout(announceTimer);
      mount(params as unknown as SandboxResource);
    } else {
      if (method === contextMethod || isRecord(data['result'])) followTheme(data);
      port?.postMessage(data);
    }
  };

  const fromView = (data: unknown, ports: readonly MessagePort[]): void => {
    if (!isRecord(data)) return;
    if (data['jsonrpc'] !== '2.0') {
      if (nonce !== '' && data['nonce'] === nonce && ports[0]) acceptPort(ports[0]);
    } else if (port && !(typeof data['method'] === 'string' && data['method'].startsWith(prefix))) {
      parent.postMessage(data, hostOrigin);
    }
  };

  window.addEventListener('message', (event) => {
    if (event.source === parent) {
      if (event.origin === hostOrigin) fromHost(event.data);
    } else if (inner && event.source === inner.contentWindow && event.origin === innerOrigin) {
      fromView(event.data, event.ports);
    }
  });

  const instance = random();
  const announce = (delay: number): void => {
    const { headers, dedicated } = config;
    tellHost(readyMethod, { instance, headers, dedicated } satisfies ProxyReady);
    announceTimer = window.setTimeout(() => announce(Math.min(delay * 2, 2000)), delay);
  };
  announce(50);
}
