import type { Implementation } from '@modelcontextprotocol/client';
import type {
  McpUiHostContext,
  McpUiSupportedContentBlockModalities,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import type { Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { HostBridgeError } from '../errors.ts';
import type { StreamEvent } from '../events.ts';
import type { FeedCounters, FeedLimits } from '../stream/view-feed-types.ts';
import type { ToolOutput } from '../stream/output-types.ts';
import type { SanitizerOptions } from '../stream/sanitize/sanitizer.ts';
import type { AppViewStatus, FrameEvent } from './frame-events.ts';
import type { HostHandlers, ModelContext } from './host-handlers.ts';
import type { ViewClient } from './host-requests.ts';
import type { SizeLimits } from './sizer.ts';
import type { ToolDefinition, ToolListClient } from './tool-directory.ts';
import type { UiPermissions, UiResource } from './ui-resource.ts';
import type { ViewTool } from './view-tools.ts';
import type { TrafficLimits } from './view-traffic.ts';

/** A connected client of the server the view belongs to. SDK clients of both generations fit. */
export interface AppViewClient extends ViewClient, ToolListClient {}

/** Everything a view reports: its own frame and the stream into it. */
export type AppViewEvent = FrameEvent | StreamEvent;

/** Where and how the view is isolated. */
export interface SandboxSettings {
  /** Absolute address of the page that `createSandboxHandler` serves, on another origin than this page (H9). */
  url: string | URL;
  /**
   * A sandbox page on an origin dedicated to this very app (H24), where `createSandboxHandler` runs with
   * `dedicated: true`: the app then has an origin, with what storage the
   * browser gives a third party, and may use camera, microphone and location. `resource.domain` is the
   * server's wish, in a form you define; the choice is yours. Default: none, the app's origin is opaque.
   */
  dedicatedUrl?(resource: UiResource): string | URL | undefined;
  /** Permissions that may be granted if the view asks for them and can use them. Default none. */
  permissions?: readonly (keyof UiPermissions)[];
  /** Last word on each declared domain, for block and allow lists (H7). Default: every well-formed one. */
  allowDomain?: (
    domain: string,
    list: 'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains',
  ) => boolean;
}

/** Bounds of a view; times in milliseconds. */
export interface AppViewLimits extends SizeLimits {
  /** For the proxy page to answer, and again for the app to finish its handshake. Default 15,000. */
  handshakeMs: number;
  /** For the app's answer to teardown (H19). Default 1,000. */
  teardownMs: number;
  /** Longest HTML accepted, in characters. Default 10,000,000. */
  maxHtmlChars: number;
}

export const APP_VIEW_LIMITS: Readonly<AppViewLimits> = {
  handshakeMs: 15_000,
  teardownMs: 1_000,
  maxHtmlChars: 10_000_000,
  minHeight: 0,
  maxHeight: 4_000,
};

/** Options of `createAppView`. */
export interface AppViewOptions {
  client: AppViewClient;
  /** The tool whose view is shown, as listed. */
  tool: ToolDefinition;
  sandbox: SandboxSettings;
  /** Gets the iframe as its last child. */
  container: Element;
  /** Shown as soon as the view is ready, as by `show`. */
  call?: ToolOutput | undefined;
  /** Default: this package's name. */
  hostInfo?: Implementation | undefined;
  /** Laid over what the view computes itself: `toolInfo`, `containerDimensions`, `displayMode`, `platform` (H14). */
  hostContext?: McpUiHostContext | undefined;
  /** The hooks, or a function that returns those in force. Which features are offered is decided at the start. */
  handlers?: HostHandlers | (() => HostHandlers) | undefined;
  onEvent?: ((event: AppViewEvent) => void) | undefined;
  /** Spares `resources/read` when the host already has it. */
  resource?: UiResource | undefined;
  /** Definitions of the same server's tools, for calls by the view; fetched when needed otherwise. */
  tools?: readonly ToolDefinition[] | undefined;
  /** Rules for results of the view's own calls. Those of `call` have passed its own. */
  sanitizer?: SanitizerOptions | undefined;
  /** The server's origin: the view's own streams then count towards the limit of `startToolCall`. */
  origin?: string | undefined;
  /** What `message` and `updateModelContext` take. Default: text, image and resource links. */
  modalities?: McpUiSupportedContentBlockModalities | undefined;
  limits?: Partial<AppViewLimits> | undefined;
  /** What the view may send. */
  traffic?: Partial<TrafficLimits> | undefined;
  /** Pace and queue of the stream into the view. */
  feed?: FeedLimits | undefined;
  /** False leaves the frame's height to the embedder. Default true. */
  autoHeight?: boolean | undefined;
  scheduler?: Scheduler | undefined;
}

/** One view of one tool. */
export interface AppView {
  readonly status: AppViewStatus;
  /** Why it is `lost` or `failed`. */
  readonly error: HostBridgeError | undefined;
  /** The outer frame, once there is one. Another after `reload`. */
  readonly element: HTMLIFrameElement | undefined;
  /** Figures of the stream into the view; `undefined` before `show`. */
  readonly counters: FeedCounters | undefined;
  /**
   * Shows a call: its input, its stream and its result. The same call again changes nothing; another one takes
   * its place.
   * @throws HostBridgeError `closed`
   */
  show(call: ToolOutput): void;
  /** Lays fields over the host context and tells the view what changed (H14). */
  setHostContext(context: McpUiHostContext): void;
  /** Starts over with a new frame: the app, the handshake, and the call from its beginning. */
  reload(): void;
  /** What the view last wanted the model to know, once (H20). */
  takeModelContext(): ModelContext | undefined;
  /**
   * Tools that the view exposes, the present ones (H22).
   * @throws HostBridgeError `closed`, `view_lost`, `view_tool_failed`
   */
  listTools(): Promise<ViewTool[]>;
  /**
   * Calls one of them, after `allowViewTool` unless it says that it only reads. The result has passed the sanitizer.
   * @throws HostBridgeError `closed`, `view_lost`, `view_tool_unknown`, `view_tool_refused`, `view_tool_failed`
   */
  callTool(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Asks the view to finish, waits at most `teardownMs`, removes everything. Idempotent (H19). */
  close(): Promise<void>;
}
