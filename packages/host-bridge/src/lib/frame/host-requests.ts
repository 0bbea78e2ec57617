import type { ToolClient } from '@mcp-apps-bridge/partial-results/client';
import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/client';
import type { AppBridge, McpUiDisplayMode } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { createDownloads } from './downloads.ts';
import type { FrameEvent, RefusalReason } from './frame-events.ts';
import type { HostHandlers, ModelContext } from './host-handlers.ts';
import { safeLink } from './open-link.ts';
import { createSamplingLimiter } from './sampling.ts';
import type { ToolDirectory } from './tool-directory.ts';
import type { ResourceClient } from './ui-resource.ts';
import type { ViewCalls } from './view-calls.ts';
import { isToolVisibleTo } from './visibility.ts';

/** What is used of the client on behalf of a view, beside tool calls. */
export interface ViewClient extends ToolClient, ResourceClient {
  listResourceTemplates?(params?: { cursor?: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
}

/** Options of {@link registerHostRequests}. */
export interface HostRequestsOptions {
  client: ViewClient;
  tools: ToolDirectory;
  /** Makes the calls that were allowed. */
  calls: ViewCalls;
  /** Read at each request, so that hooks may change. */
  handlers(): HostHandlers;
  onEvent(event: FrameEvent): void;
  scheduler: Scheduler;
  /** Hands a file to the user. */
  save(name: string, file: Blob): void;
  /** Opens an address the user agreed to. */
  open(url: string): void;
  onSize(height: unknown): void;
  onModelContext(context: ModelContext): void;
  /** The mode in force and whether host and view both offer another. */
  displayMode(): McpUiDisplayMode;
  offersMode(mode: McpUiDisplayMode): boolean;
  onDisplayMode(mode: McpUiDisplayMode): void;
  onTeardownGranted(): void;
}

const refusals: Record<RefusalReason, string> = {
  not_offered: 'This host does not offer that.',
  declined: 'The user or the host declined.',
  unsafe_link: 'Only absolute http and https addresses without user information can be opened.',
  unknown_tool: 'The server has no such tool.',
  not_visible_to_app: 'That tool is not available to apps.',
  mode_not_offered: 'That display mode is not available.',
  file_unusable: 'The file could not be read, or is too large.',
  sampling_limit: 'Too many requests to the model, or one that cannot be understood.',
};

/**
 * Answers what a view may ask of its host (H8, H13, H16, H20). Each request is built anew from the fields
 * that are known, so that a view's own `_meta`, and its tokens with it, stays on this hop.
 */
export function registerHostRequests(bridge: AppBridge, options: HostRequestsOptions): void {
  const { client, tools, calls, onEvent } = options;

  function refuse(method: string, reason: RefusalReason, detail?: string): void {
    onEvent({
      type: 'request_refused',
      method,
      reason,
      ...(detail !== undefined && { detail: detail.slice(0, 500) }),
    });
  }

  function refusal(method: string, reason: RefusalReason, detail?: string): ProtocolError {
    refuse(method, reason, detail);
    return new ProtocolError(ProtocolErrorCode.InvalidParams, refusals[reason]);
  }

  function granted(method: string, detail?: string): void {
    onEvent({
      type: 'request_granted',
      method,
      ...(detail !== undefined && { detail: detail.slice(0, 500) }),
    });
  }

  /** Runs a hook; what it throws stays here, since it may name internals of the host. */
  async function ask<T>(method: string, hook: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await hook();
    } catch (error) {
      onEvent({ type: 'handler_failed', method, error });
      return undefined;
    }
  }

  bridge.oncalltool = async (params, context) => {
    const method = 'tools/call';
    const { name } = params;
    const tool = await tools.find(name);
    if (!tool) throw refusal(method, 'unknown_tool', name);
    if (!isToolVisibleTo(tool, 'app')) throw refusal(method, 'not_visible_to_app', name);
    const args = params.arguments ?? {};
    const { allowToolCall } = options.handlers();
    if (allowToolCall && (await ask(method, () => allowToolCall({ name, arguments: args, tool }))) !== true) {
      throw refusal(method, 'declined', name);
    }
    granted(method, name);
    return (await calls.run({ tool, args, request: context.mcpReq })) as CallToolResult;
  };

  const { listResources, listResourceTemplates } = client;
  bridge.onreadresource = async ({ uri }, { mcpReq }) =>
    (await client.readResource({ uri }, { signal: mcpReq.signal })) as never;
  if (listResources) {
    bridge.onlistresources = async (params, { mcpReq }) =>
      (await listResources.call(client, cursorOf(params), { signal: mcpReq.signal })) as never;
  }
  if (listResourceTemplates) {
    bridge.onlistresourcetemplates = async (params, { mcpReq }) =>
      (await listResourceTemplates.call(client, cursorOf(params), { signal: mcpReq.signal })) as never;
  }

  bridge.onopenlink = async ({ url }) => {
    const method = 'ui/open-link';
    const { openLink } = options.handlers();
    const link = safeLink(url);
    if (!openLink || !link) {
      refuse(method, openLink ? 'unsafe_link' : 'not_offered', url);
      return { isError: true };
    }
    const answer = await ask(method, () => openLink(link.href));
    if (answer !== true && answer !== 'handled') {
      refuse(method, 'declined', link.href);
      return { isError: true };
    }
    if (answer === true) options.open(link.href);
    granted(method, link.href);
    return {};
  };

  bridge.onmessage = async ({ role, content }) => {
    const method = 'ui/message';
    const { message } = options.handlers();
    const accepted = message && (await ask(method, async () => (await message({ role, content })) !== false));
    if (accepted !== true) {
      refuse(method, message ? 'declined' : 'not_offered');
      return { isError: true };
    }
    granted(method);
    return {};
  };

  bridge.onupdatemodelcontext = async ({ content, structuredContent }) => {
    const context: ModelContext = {
      ...(content && { content }),
      ...(structuredContent && { structuredContent }),
    };
    options.onModelContext(context);
    await ask('ui/update-model-context', () => options.handlers().modelContext?.(context));
    return {};
  };

  const download = createDownloads({
    client,
    hook: () => options.handlers().downloadFile,
    save: options.save,
  });
  bridge.ondownloadfile = async ({ contents }) => {
    const method = 'ui/download-file';
    if (!options.handlers().downloadFile) {
      refuse(method, 'not_offered');
      return { isError: true };
    }
    const outcome = await ask(method, async () => download(contents));
    for (const name of outcome?.saved ?? []) granted(method, name);
    if (outcome && !outcome.refused) return {};
    const { name, reason } = outcome?.refused ?? { name: undefined, reason: 'declined' };
    refuse(method, reason === 'declined' ? 'declined' : 'file_unusable', name);
    return { isError: true };
  };

  const sampling = createSamplingLimiter(options.scheduler);
  bridge.oncreatesamplingmessage = async (params) => {
    const method = 'sampling/createMessage';
    const { sample } = options.handlers();
    if (!sample) throw refusal(method, 'not_offered');
    const admitted = sampling.admit(params);
    if ('refused' in admitted) throw refusal(method, 'sampling_limit', admitted.refused);
    try {
      const result = await ask(method, () => sample(admitted.request));
      if (!result) throw refusal(method, 'declined');
      granted(method);
      return result;
    } finally {
      admitted.done();
    }
  };

  bridge.onrequestdisplaymode = async ({ mode }) => {
    const method = 'ui/request-display-mode';
    const { displayMode } = options.handlers();
    if (!displayMode || !options.offersMode(mode)) {
      refuse(method, displayMode ? 'mode_not_offered' : 'not_offered', mode);
      return { mode: options.displayMode() };
    }
    const result = await ask(method, () => displayMode(mode));
    if (result !== undefined) options.onDisplayMode(result);
    granted(method, options.displayMode());
    return { mode: options.displayMode() };
  };

  bridge.addEventListener('sizechange', ({ height }) => options.onSize(height));
  bridge.addEventListener('loggingmessage', ({ level, logger, data }) => {
    const entry = { level, ...(logger !== undefined && { logger }), data };
    onEvent({ type: 'view_log', ...entry });
    void ask('notifications/message', () => options.handlers().log?.(entry));
  });
  bridge.addEventListener('requestteardown', () => {
    void (async () => {
      const { requestTeardown } = options.handlers();
      const agreed =
        requestTeardown && (await ask('ui/notifications/request-teardown', () => requestTeardown()));
      if (agreed === true) options.onTeardownGranted();
      else refuse('ui/notifications/request-teardown', requestTeardown ? 'declined' : 'not_offered');
    })();
  });
}

function cursorOf(params: { cursor?: string | undefined } | undefined): { cursor?: string } {
  return params?.cursor === undefined ? {} : { cursor: params.cursor };
}
