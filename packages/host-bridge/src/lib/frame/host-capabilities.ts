import type {
  McpUiHostCapabilities,
  McpUiSupportedContentBlockModalities,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { UiCsp } from '../sandbox/csp.ts';
import { withStreamCapability } from '../stream/forward-tool-output.ts';
import type { HostHandlers } from './host-handlers.ts';

export interface OfferedOptions {
  /** Those in force at the start decide what is offered. */
  handlers: HostHandlers;
  modalities?: McpUiSupportedContentBlockModalities | undefined;
  sandbox: { permissions: NonNullable<McpUiHostCapabilities['sandbox']>['permissions']; csp: UiCsp };
}

/** What a view is told of its host: a feature for each hook. */
export function hostCapabilities(options: OfferedOptions): McpUiHostCapabilities {
  const { openLink, message, downloadFile, sample } = options.handlers;
  const modalities = options.modalities ?? { text: {}, image: {}, resourceLink: {}, structuredContent: {} };
  return withStreamCapability({
    serverTools: {},
    serverResources: {},
    logging: {},
    updateModelContext: modalities,
    sandbox: options.sandbox,
    ...(openLink && { openLinks: {} }),
    ...(message && { message: modalities }),
    ...(downloadFile && { downloadFile: {} }),
    ...(sample && { sampling: {} }),
  }) as McpUiHostCapabilities;
}
