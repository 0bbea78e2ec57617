import { HostBridgeError } from '../errors.ts';
import {
  SANDBOX_ERROR,
  SANDBOX_PROXY_READY,
  SANDBOX_RESOURCE_READY,
  SANDBOX_VIEW_LOST,
  type SandboxResource,
} from '../sandbox/protocol.ts';
import { createFrameChannel, type FrameChannel, type RpcMessage } from './frame-channel.ts';
import type { FrameEvent } from './frame-events.ts';

/** The outer frame's flags (H9, decision 006). It is on another origin, so `allow-same-origin` is that origin's own. */
const outerSandbox = 'allow-scripts allow-same-origin allow-forms';

/** Options of {@link createViewFrame}. */
export interface ViewFrameOptions {
  container: Element;
  /** Of the proxy page, with its query. */
  url: URL;
  /** Accessible name of the frame (field case 92). */
  title: string;
  /** Permissions policy of the frame, as in the `allow` attribute. */
  allow: string;
  /** Follows the host's theme, so that transparent apps stay transparent (field case 94). */
  colorScheme: string | undefined;
  resource: SandboxResource;
  /** The origin is this app's alone, and has to say so. */
  dedicated: boolean;
  /** A proxy document took the resource. Comes again when the frame was moved or reloaded. */
  onProxy(): void;
  onMessage(message: RpcMessage): void;
  onLost(error: HostBridgeError): void;
  onFault(error: HostBridgeError): void;
  onEvent(event: FrameEvent): void;
}

/** One iframe with its proxy. */
export interface ViewFrame {
  readonly element: HTMLIFrameElement;
  readonly channel: FrameChannel;
  /** Stops listening and removes the iframe. */
  close(): void;
}

/** Puts the frame into its container and answers its proxy (H10). */
export function createViewFrame(options: ViewFrameOptions): ViewFrame {
  const { container, url, onEvent } = options;
  const { ownerDocument } = container;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- set below, from a constant
  const element = ownerDocument.createElement('iframe');
  let instance: unknown;

  const sandboxed: Record<string, (params: Record<string, unknown>) => void> = {
    [SANDBOX_PROXY_READY](params) {
      /* A proxy repeats itself until answered; one that gives no instance says it once per document. */
      if (params['instance'] !== undefined && params['instance'] === instance) return;
      instance = params['instance'];
      if (params['headers'] === false) onEvent({ type: 'sandbox_without_header' });
      if (options.dedicated && params['dedicated'] !== true) {
        const message = `${url.origin} is not served as dedicated; give createSandboxHandler dedicated: true there.`;
        return options.onFault(new HostBridgeError('sandbox_misconfigured', message));
      }
      channel.post({ jsonrpc: '2.0', method: SANDBOX_RESOURCE_READY, params: { ...options.resource } });
      options.onProxy();
    },
    [SANDBOX_VIEW_LOST]() {
      const message =
        'The app left its document: it navigated or reloaded its own frame. reload() shows it again.';
      options.onLost(new HostBridgeError('view_lost', message));
    },
    [SANDBOX_ERROR](params) {
      const text =
        typeof params['message'] === 'string' ? params['message'].slice(0, 500) : 'no reason given';
      options.onFault(
        new HostBridgeError('sandbox_refused', `The sandbox at ${url.origin} refuses: ${text}`),
      );
    },
  };

  /* Before the frame exists, so that nothing it says can be missed. */
  const channel = createFrameChannel({
    listenOn: ownerDocument.defaultView!,
    frame: () => element.contentWindow,
    origin: url.origin,
    onSandbox: (method, params) =>
      Object.hasOwn(sandboxed, method) ? sandboxed[method]?.(params) : undefined,
    onMessage: options.onMessage,
    onRejected(rejection) {
      onEvent({ type: 'message_rejected', rejection });
      if (rejection.code === 'wrong_origin' && instance === undefined) {
        options.onFault(new HostBridgeError('sandbox_misconfigured', rejection.message));
      }
    },
  });

  element.setAttribute('sandbox', outerSandbox);
  element.setAttribute('referrerpolicy', 'no-referrer');
  element.title = options.title;
  element.allow = options.allow;
  Object.assign(element.style, { display: 'block', width: '100%', border: '0' });
  if (options.colorScheme) element.style.colorScheme = options.colorScheme;
  element.src = url.href;
  container.append(element);

  return {
    element,
    channel,
    close() {
      channel.close();
      element.remove();
    },
  };
}
