import type { ContentBlock, CreateMessageResult, SamplingMessage } from '@modelcontextprotocol/client';
import type { McpUiDisplayMode } from '@modelcontextprotocol/ext-apps/app-bridge';

type Awaitable<T> = T | Promise<T>;

/** What a view puts into the conversation with `ui/message`. */
export interface ViewMessage {
  role: 'user';
  content: ContentBlock[];
}

/** What a view wants the model to know with its next turn. */
export interface ModelContext {
  content?: ContentBlock[];
  structuredContent?: Record<string, unknown>;
}

/** A file that a view wants to give to the user. */
export interface ViewDownload {
  /** Cleaned: no path, no hidden characters. */
  name: string;
  mimeType: string;
  /** The content, where the view sent it along. */
  file?: Blob;
  /** Else the resource of the view's server that holds it, read after consent. */
  uri?: string;
}

/** What a view asks the model, within the limits of one view. */
export interface ViewSampling {
  messages: SamplingMessage[];
  /** At most 4,096. */
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
}

/** A tool call a view asks for. */
export interface ViewToolCall {
  name: string;
  arguments: Record<string, unknown>;
  /** Its definition, for a question to the user: title, annotations. */
  tool: { name: string; title?: string | undefined; _meta?: Record<string, unknown> | undefined };
}

/**
 * The embedder's say in what a view may do. A hook that is missing means that the host does not offer the
 * feature, but for {@link HostHandlers.allowToolCall}, {@link HostHandlers.modelContext} and
 * {@link HostHandlers.log}. A hook that throws or rejects refuses.
 */
export interface HostHandlers {
  /**
   * Consent for a link, already checked to be plain http or https (H20). True opens it in a new tab without
   * opener and referrer, `'handled'` says that the hook opened it, anything else refuses.
   */
  openLink?(url: string): Awaitable<boolean | 'handled'>;
  /** Takes a message into the conversation, with its role (H20). False refuses. */
  message?(message: ViewMessage): Awaitable<boolean | void>;
  /** Told of each update. Only the latest counts: fetch it with `takeModelContext()` at the next turn (H20). */
  modelContext?(context: ModelContext): Awaitable<void>;
  /** Switches the display mode and returns the one that results (H16). Called only with a mode both sides offer. */
  displayMode?(mode: McpUiDisplayMode): Awaitable<McpUiDisplayMode>;
  /** Consent for a call that the tool's visibility allows (H8). Default: allowed. False refuses. */
  allowToolCall?(call: ViewToolCall): Awaitable<boolean>;
  /**
   * Consent for a download (H21). True saves the file under its name, `'handled'` says that the hook did, anything
   * else refuses.
   */
  downloadFile?(download: ViewDownload): Awaitable<boolean | 'handled'>;
  /** Approves and runs a request to the model (H21). `undefined` refuses. */
  sample?(request: ViewSampling): Awaitable<CreateMessageResult | undefined>;
  /**
   * Consent for calling a tool that the view exposes, asked unless the tool says it only reads (H22). Missing:
   * such tools are not called.
   */
  allowViewTool?(call: {
    name: string;
    arguments: Record<string, unknown>;
    title?: string;
  }): Awaitable<boolean>;
  /** The view wants to be closed. True closes it, as `close()` does (H19). */
  requestTeardown?(): Awaitable<boolean>;
  /** A log line of the view. */
  log?(entry: { level: string; logger?: string; data: unknown }): void;
}
