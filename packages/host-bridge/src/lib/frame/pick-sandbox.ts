import { HostBridgeError } from '../errors.ts';
import type { SandboxResource } from '../sandbox/protocol.ts';
import type { SandboxSettings } from './app-view-types.ts';
import type { UiResource } from './ui-resource.ts';

interface PickedSandbox {
  url: string | URL;
  dedicated: boolean;
  /** Flags of the inner frame beyond the default ones. */
  flags: Pick<SandboxResource, 'sandbox'>;
}

/** Whose each dedicated origin is, for as long as the page lives. */
const owners = new Map<string, { client: WeakRef<object>; uri: string }>();

/**
 * The sandbox page of one view. A dedicated origin is taken only for one app of one server, and never where other apps
 * are shown: on a shared origin a document that is not opaque reads what the others left there (H24).
 * @throws HostBridgeError `sandbox_misconfigured`
 */
export function pickSandbox(options: {
  settings: SandboxSettings;
  resource: UiResource;
  /** Of the app's server. */
  client: object;
  hostOrigin: string;
}): PickedSandbox {
  const { settings, resource, client, hostOrigin } = options;
  const url = settings.dedicatedUrl?.(resource);
  if (url === undefined) return { url: settings.url, dedicated: false, flags: {} };
  const origin = URL.canParse(String(url)) ? new URL(url).origin : String(url);
  if (origin === hostOrigin || origin === new URL(settings.url).origin) {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `dedicatedUrl gives ${origin}, which other pages share. Give each app a host name of its own, or no dedicated one.`,
    );
  }
  const owner = owners.get(origin);
  const known = owner?.client.deref();
  if (owner && (owner.uri !== resource.uri || (known !== undefined && known !== client))) {
    throw new HostBridgeError(
      'sandbox_misconfigured',
      `dedicatedUrl gives ${origin} to ${resource.uri}, but it is that of ${owner.uri} of another app. One app, one origin.`,
    );
  }
  owners.set(origin, { client: new WeakRef(client), uri: resource.uri });
  return { url, dedicated: true, flags: { sandbox: 'allow-scripts allow-forms allow-same-origin' } };
}
