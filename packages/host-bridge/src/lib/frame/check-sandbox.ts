import { SANDBOX_HEADER } from '../sandbox/protocol.ts';
import { sandboxUrl } from './sandbox-url.ts';

/** What is wrong with a sandbox page, and what to do. */
export interface SandboxProblem {
  code:
    /** No answer, or none that this page may read: wrong port, server down, or a `connect-src` of this page. */
    | 'unreachable'
    /** It answers, but as something else: wrong path or port. */
    | 'not_a_sandbox'
    /** It does not serve this host page: add its origin to `hostOrigins`. */
    | 'unknown_host'
    /** Something on the way took the policy off: any page may frame it, and what apps may load is not enforced by it. */
    | 'header_missing';
  message: string;
}

/**
 * Asks the sandbox page for its headers, as a deployment check or at the start of a host. A strict `connect-src` of
 * the host page has to allow the sandbox for it; views themselves do not need that.
 * @param url - as given to `createAppView`.
 * @returns nothing wrong: an empty list.
 * @throws HostBridgeError `sandbox_misconfigured`, as `createAppView` does.
 */
export async function checkSandbox(
  url: string | URL,
  hostOrigin: string = self.origin,
): Promise<SandboxProblem[]> {
  const address = sandboxUrl(url, hostOrigin, {});
  const place = `${address.origin}${address.pathname}`;
  let answer: Response;
  try {
    answer = await fetch(address, { method: 'HEAD', credentials: 'omit', cache: 'no-store' });
  } catch {
    const message = `${place} gives no answer that this page may read. Check host name and port, that the server runs, and the connect-src of this page.`;
    return [{ code: 'unreachable', message }];
  }
  if (!answer.headers.has(SANDBOX_HEADER)) {
    const message = `${place} answers ${answer.status}, but is not the page of createSandboxHandler. Check path and port.`;
    return [{ code: 'not_a_sandbox', message }];
  }
  if (!answer.ok) {
    const message = `${place} does not serve ${hostOrigin}. Add it to the hostOrigins of createSandboxHandler there.`;
    return [{ code: 'unknown_host', message }];
  }
  const policy = answer.headers.get('content-security-policy') ?? '';
  if (policy.includes(`frame-ancestors ${hostOrigin}`)) return [];
  const message = `${place} comes without the Content-Security-Policy that createSandboxHandler sets. Let the proxy or CDN in front of it pass that header on.`;
  return [{ code: 'header_missing', message }];
}
