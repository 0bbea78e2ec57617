import { HostBridgeError } from '../errors.ts';
import { buildCsp } from './csp.ts';
import { renderProxyPage } from './proxy-page.ts';
import { CSP_PARAMETER, HOST_PARAMETER, SANDBOX_HEADER, type SandboxFault } from './protocol.ts';

/** Options of {@link createSandboxHandler} and {@link sandboxProxyHtml}. */
export interface SandboxOptions {
  /** Origins of the pages that may embed the sandbox, such as `https://chat.example`. At least one. */
  hostOrigins: readonly string[];
  /**
   * This origin serves one app and nothing else, ever: its document may then share the origin, and so has its
   * storage, as far as the browser gives a third party any, and the permissions that an opaque one cannot use. An app that shares an origin with another could read its data and
   * take off its own sandbox. Default false.
   */
  dedicated?: boolean | undefined;
}

/** Takes and gives the web-standard types, as servers of every kind do. */
export type SandboxHandler = (request: Request) => Promise<Response>;

/** The longest query accepted, in characters. Four full lists of domains stay well below. */
const maxQuery = 32_768;

/** No `frame-ancestors`: the host that is not served is the one to be told. */
const faultPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/**
 * Serves the sandbox proxy page with its policy as a header (H4 to H6, H9).
 *
 * Mount it on another origin than the host page: another host name, not only another port, since two ports of
 * one name share cookies and often a process. Any path works; the handler looks at the query only.
 *
 * `Content-Security-Policy` is built from the domains in the query, which can widen it by well-formed domains
 * alone, and its `frame-ancestors` names the one host asked for. A request that names an unknown host or is
 * malformed gets a page that tells the framing host what to do.
 * @throws HostBridgeError `sandbox_misconfigured` when an origin in `hostOrigins` is not one.
 */
export function createSandboxHandler(options: SandboxOptions): SandboxHandler {
  const hostOrigins = readOrigins(options.hostOrigins);
  const dedicated = options.dedicated === true;

  const refuse = (status: number, fault: SandboxFault): Response =>
    respond(
      status,
      renderProxyPage({ hostOrigins: [], headers: true, dedicated: false, fault }),
      faultPolicy,
    );

  const serve = (request: Request): Response => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
    }
    const { search, searchParams } = new URL(request.url);
    if (search.length > maxQuery) {
      return refuse(414, { code: 'bad_request', message: 'The query of the sandbox page is too long.' });
    }
    const host = pickHost(hostOrigins, searchParams.get(HOST_PARAMETER));
    if (typeof host !== 'string') return refuse(403, host);
    const declared = readCsp(searchParams.get(CSP_PARAMETER));
    if (declared === invalid) {
      return refuse(400, {
        code: 'bad_request',
        message: `The query parameter ${CSP_PARAMETER} must be a JSON object.`,
      });
    }
    const policy = `${buildCsp(declared).policy}; frame-ancestors ${host}`;
    return respond(200, renderProxyPage({ hostOrigins: [host], headers: true, dedicated }), policy);
  };

  return async (request) => {
    const response = serve(request);
    return request.method === 'HEAD'
      ? new Response(null, { status: response.status, headers: response.headers })
      : response;
  };
}

/**
 * The same page for a place that cannot run code, such as a CDN or a file server.
 *
 * What is lost without the header: any page may frame it, and the policy comes from a `<meta>` element inside
 * the view's document, which does not stop the view from navigating its own frame to an undeclared origin (the
 * proxy then reports the view as lost). The host is told: the view reports `sandbox_without_header`.
 * @throws HostBridgeError `sandbox_misconfigured` when an origin in `hostOrigins` is not one.
 */
export function sandboxProxyHtml(options: SandboxOptions): string {
  const { dedicated = false } = options;
  return renderProxyPage({ hostOrigins: readOrigins(options.hostOrigins), headers: false, dedicated });
}

function readOrigins(origins: readonly string[]): string[] {
  if (!Array.isArray(origins) || origins.length === 0) {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      'hostOrigins must name at least one origin, such as https://chat.example.',
    );
  }
  return origins.map((origin: unknown) => {
    const parsed = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
    /* The URL parser lets `;` and `,` stand in a host name; in a header they would end the directive. */
    if (
      parsed &&
      /^https?:\/\/[\w.-]+(?::\d+)?$/.test(parsed.origin) &&
      [parsed.origin, `${parsed.origin}/`].includes(String(origin))
    ) {
      return parsed.origin;
    }
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `hostOrigins holds ${JSON.stringify(origin)}; write scheme, host and port only, such as https://chat.example:8443.`,
    );
  });
}

function pickHost(hostOrigins: readonly string[], asked: string | null): string | SandboxFault {
  const host =
    asked === null && hostOrigins.length === 1
      ? hostOrigins[0]
      : hostOrigins.find((origin) => origin === asked);
  if (host !== undefined) return host;
  const name = asked === null ? 'none named in the query' : asked.slice(0, 200);
  return {
    code: 'unknown_host',
    message: `The sandbox does not serve this host (${name}). Add its origin to hostOrigins.`,
  };
}

const invalid: unique symbol = Symbol('invalid');

function readCsp(text: string | null): unknown {
  if (text === null || text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : invalid;
  } catch {
    return invalid;
  }
}

function respond(status: number, html: string, policy: string): Response {
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      /* A host may look at its own sandbox: see `checkSandbox`. The page holds nothing that is not public. */
      'access-control-allow-origin': '*',
      'access-control-expose-headers': `content-security-policy, ${SANDBOX_HEADER}`,
      [SANDBOX_HEADER]: '1',
    },
  });
}
