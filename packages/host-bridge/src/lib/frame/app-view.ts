import type { Tool } from '@modelcontextprotocol/client';
import { systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import type {
  AppBridge,
  McpUiDisplayMode,
  McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { HostBridgeError } from '../errors.ts';
import { resolveLimits } from '../limits.ts';
import { createViewFeed } from '../stream/view-feed.ts';
import type { ViewFeed } from '../stream/view-feed-types.ts';
import type { ToolOutput } from '../stream/output-types.ts';
import { createSanitizer } from '../stream/sanitize/sanitizer.ts';
import { APP_VIEW_LIMITS, type AppView, type AppViewOptions } from './app-view-types.ts';
import type { AppViewStatus } from './frame-events.ts';
import { allowAttribute, containerDimensions, grantPermissions } from './host-context.ts';
import { hostCapabilities } from './host-capabilities.ts';
import type { HostHandlers, ModelContext } from './host-handlers.ts';
import { registerHostRequests } from './host-requests.ts';
import { pickSandbox } from './pick-sandbox.ts';
import { restrictCsp } from './restrict-csp.ts';
import { sandboxUrl } from './sandbox-url.ts';
import { createToolDirectory } from './tool-directory.ts';
import { readUiResource, uiResourceUri, type UiResource } from './ui-resource.ts';
import { createViewCalls, type ViewCalls, type ViewHop } from './view-calls.ts';
import { createViewMount, type ViewMount } from './view-mount.ts';
import { createViewTools } from './view-tools.ts';
import { saveFile } from './save-file.ts';

const ourselves = { name: '@mcp-apps-bridge/host-bridge', version: '0.1.0' };

/**
 * Shows a tool's view in a sandboxed frame and keeps the host's side of the protocol: fetches the resource,
 * mounts proxy and frame, answers the handshake, forwards the call's stream, answers requests within what the
 * hooks allow, and takes it all down again.
 *
 * Nothing is sent before the app is initialized (H12) and nothing is thrown once it runs: trouble shows in
 * `status`, `error` and `onEvent`.
 * @throws HostBridgeError `ui_not_declared`, `ui_uri_invalid`, `sandbox_misconfigured`, `invalid_option`
 */
export function createAppView(options: AppViewOptions): AppView {
  const { client, tool, sandbox, container, handlers: given = {} } = options;
  const limits = resolveLimits('createAppView', APP_VIEW_LIMITS, options.limits);
  const scheduler = options.scheduler ?? systemScheduler;
  const page = container.ownerDocument.defaultView;
  const uri = options.resource?.uri ?? uiResourceUri(tool);
  if (uri === undefined)
    throw new HostBridgeError('ui_not_declared', `The tool ${tool.name} declares no view.`);
  if (!page) throw new HostBridgeError('invalid_option', 'createAppView: the container is in no window');
  /* Both a check now and the origin the proxy will be told. */
  const hostOrigin = page.origin;
  sandboxUrl(sandbox.url, hostOrigin, {});

  const handlers = (): HostHandlers => (typeof given === 'function' ? given() : given);
  const onEvent: NonNullable<AppViewOptions['onEvent']> = (event) => {
    try {
      options.onEvent?.(event);
    } catch (thrown) {
      page.reportError(thrown);
    }
  };
  const sanitizer = createSanitizer(options.sanitizer);
  const tools = createToolDirectory(client, options.tools ?? [tool], scheduler);
  const aborter = new AbortController();

  let status: AppViewStatus = 'loading';
  let error: HostBridgeError | undefined;
  let resource: UiResource | undefined = options.resource;
  let mount: ViewMount | undefined;
  let call: ToolOutput | undefined;
  let feed: ViewFeed | undefined;
  /** Of the instance of the app that is there now. */
  let calls: ViewCalls | undefined;
  let modelContext: ModelContext | undefined;
  let closing: Promise<void> | undefined;
  /** Grows with each start, so that what an abandoned one still has under way finds itself outdated. */
  let round = 0;
  let context: McpUiHostContext = {
    /* Views check the whole handshake against a schema and give up on a tool without this. */
    toolInfo: { tool: { inputSchema: { type: 'object' }, ...tool } as Tool },
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    platform: 'web',
    containerDimensions: containerDimensions(container, limits.maxHeight),
    ...options.hostContext,
  };

  function setStatus(next: AppViewStatus, reason?: HostBridgeError): void {
    if (closing && next !== 'closed') return;
    status = next;
    error = reason;
    onEvent({ type: 'view_status', status: next, ...(reason && { error: reason }) });
  }

  function mode(): McpUiDisplayMode {
    return context.displayMode ?? 'inline';
  }

  function updateContext(changes: McpUiHostContext): void {
    context = { ...context, ...changes };
    mount?.setHostContext(context);
  }

  async function start(): Promise<void> {
    const mine = ++round;
    setStatus('loading');
    try {
      resource ??= await readUiResource(client, uri!, {
        maxChars: limits.maxHtmlChars,
        signal: aborter.signal,
      });
      if (mine === round) insert(resource);
    } catch (cause) {
      if (mine !== round) return;
      setStatus(
        'failed',
        cause instanceof HostBridgeError
          ? cause
          : new HostBridgeError('ui_read_failed', String(cause), { cause }),
      );
    }
  }

  function insert(resource: UiResource): void {
    const csp = restrictCsp(resource.csp, sandbox);
    const { url, dedicated, flags } = pickSandbox({ settings: sandbox, resource, client, hostOrigin });
    const permissions = grantPermissions(resource.permissions, sandbox.permissions ?? [], dedicated);
    const external = [...new Set(Object.values(csp.applied).flat() as string[])];
    onEvent({ type: 'csp_applied', uri: resource.uri, policy: csp.policy, external, rejected: csp.rejected });
    setStatus('connecting');
    mount = createViewMount({
      container,
      url: sandboxUrl(url, hostOrigin, csp.applied),
      dedicated,
      title: tool.title ?? tool.name,
      allow: allowAttribute(permissions),
      resource: { html: resource.html, csp: csp.applied, permissions, ...flags },
      hostInfo: options.hostInfo ?? ourselves,
      hostCapabilities: hostCapabilities({
        handlers: handlers(),
        modalities: options.modalities,
        sandbox: { permissions, csp: csp.applied },
      }),
      hostContext: () => context,
      register,
      handshakeMs: limits.handshakeMs,
      sizeLimits: limits,
      traffic: options.traffic,
      autoHeight: options.autoHeight ?? true,
      scheduler,
      onEvent,
      onAck(params) {
        if (!calls?.ack(params)) feed?.ack(params);
      },
      onReady(view) {
        feed?.open(view);
        setStatus('ready');
      },
      onInterrupted() {
        feed?.lost();
        setStatus('connecting');
      },
      onEnd(status, reason) {
        mount = undefined;
        feed?.lost();
        setStatus(status, reason);
      },
    });
  }

  function register(bridge: AppBridge, hop: ViewHop, onSize: (height: unknown) => void): void {
    calls = createViewCalls({
      client,
      hop,
      sanitizer,
      scheduler,
      limits: options.feed,
      origin: options.origin,
      isTaken: (token) => token === feed?.token,
      onEvent,
    });
    registerHostRequests(bridge, {
      client,
      tools,
      calls,
      handlers,
      onEvent,
      onSize,
      scheduler,
      save: (name, file) => saveFile(page!, name, file),
      open: (url) => page!.open(url, '_blank', 'noopener,noreferrer'),
      onModelContext: (latest) => (modelContext = latest),
      displayMode: mode,
      offersMode(wanted) {
        const ofView = mount?.session?.displayModes;
        return (
          (context.availableDisplayModes ?? ['inline']).includes(wanted) &&
          (!ofView || ofView.includes(wanted))
        );
      },
      onDisplayMode: (displayMode) => updateContext({ displayMode }),
      onTeardownGranted: () => void close(),
    });
  }

  function remove(): void {
    round++;
    feed?.lost();
    mount?.close();
    mount = undefined;
  }

  function show(next: ToolOutput): void {
    if (closing) throw new HostBridgeError('closed', 'show: the view is closed');
    if (next === call) return;
    feed?.close();
    call = next;
    feed = createViewFeed({
      output: next,
      onEvent,
      scheduler,
      limits: options.feed,
      notify(method, params) {
        if (!mount?.session?.initialized)
          throw new HostBridgeError('view_lost', `${method}: the view is not initialized`);
        mount.session.notify(method, params);
      },
    });
    if (mount?.session?.initialized) feed.open({ acks: mount.session.acks });
  }

  async function shutDown(): Promise<void> {
    const leaving = mount?.session;
    observer.disconnect();
    aborter.abort();
    feed?.close();
    setStatus('closing');
    if (leaving?.initialized)
      onEvent({ type: 'teardown', outcome: await leaving.teardown(limits.teardownMs) });
    remove();
    setStatus('closed');
  }

  async function close(): Promise<void> {
    closing ??= shutDown();
    return closing;
  }

  const exposed = createViewTools({
    owner: tool.name,
    session: () => mount?.session,
    closed: () => closing !== undefined,
    handlers,
    sanitizer,
    onEvent,
  });
  const observer = new ResizeObserver(() => {
    if (options.hostContext?.containerDimensions || mode() !== 'inline') return;
    updateContext({ containerDimensions: containerDimensions(container, limits.maxHeight) });
  });
  observer.observe(container);
  if (options.call) show(options.call);
  void start();

  return {
    get status() {
      return status;
    },
    get error() {
      return error;
    },
    get element() {
      return mount?.element;
    },
    get counters() {
      return feed?.counters;
    },
    show,
    setHostContext(changes) {
      if (!closing) updateContext(changes);
    },
    reload() {
      if (closing) return;
      remove();
      void start();
    },
    takeModelContext() {
      const latest = modelContext;
      modelContext = undefined;
      return latest;
    },
    listTools: exposed.list,
    callTool: exposed.call,
    close,
  };
}
