import { HostBridgeError } from '../errors.ts';
import type { UiCsp } from '../sandbox/csp.ts';
import { CSP_PARAMETER, HOST_PARAMETER } from '../sandbox/protocol.ts';

/**
 * The address of the proxy page for one view.
 * @param base - where `createSandboxHandler` or the static page is served, absolute.
 * @param hostOrigin - origin of the page that embeds it.
 * @throws HostBridgeError `sandbox_misconfigured`: not an http(s) URL, or on the host's own origin, where the
 * frames would share cookies, storage and DOM with the host page (H9).
 */
export function sandboxUrl(base: string | URL, hostOrigin: string, csp: UiCsp): URL {
  if (!URL.canParse(String(base))) {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `sandbox.url is ${JSON.stringify(String(base))}; it must be an absolute URL.`,
    );
  }
  const url = new URL(base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `sandbox.url must be http or https, not ${url.protocol}`,
    );
  }
  if (url.origin === hostOrigin) {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `sandbox.url is on ${hostOrigin}, the origin of this page, where an app could read the page. ` +
        'Serve the sandbox from another host name (for development: localhost against 127.0.0.1).',
    );
  }
  url.searchParams.set(HOST_PARAMETER, hostOrigin);
  if (Object.keys(csp).length > 0) url.searchParams.set(CSP_PARAMETER, JSON.stringify(csp));
  return url;
}
