import { isPlainObject, type ToolResult } from '@mcp-apps-bridge/partial-results';
import { HostBridgeError } from '../errors.ts';
import type { Sanitizer } from '../stream/sanitize/sanitizer.ts';
import type { FrameEvent } from './frame-events.ts';
import type { HostHandlers } from './host-handlers.ts';

/** A tool that a view exposes to its host (H22). What it says of itself is the app's word. */
export interface ViewTool {
  name: string;
  /** To offer it to a model: no tool of a server can be taken for it. */
  qualifiedName: string;
  title?: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  /** It says that it changes nothing; any other is only called after consent. */
  readOnly: boolean;
}

/** What is used of a view's connection. */
export interface ToolSession {
  readonly initialized: boolean;
  /** The view said that it exposes tools. */
  readonly exposesTools: boolean;
  listTools(timeoutMs: number): Promise<unknown>;
  callTool(params: { name: string; arguments: Record<string, unknown> }, timeoutMs: number): Promise<unknown>;
}

export interface ViewToolsOptions {
  /** Name of the server's tool whose view it is: part of each qualified name. */
  owner: string;
  /** The present one; another after a reload, none after the end. */
  session(): ToolSession | undefined;
  /** The view was closed for good. */
  closed(): boolean;
  handlers(): HostHandlers;
  sanitizer: Sanitizer;
  onEvent(event: FrameEvent): void;
}

/** The tools of one view. They live as long as it does. */
export interface ViewTools {
  /** None of a view that exposes none. @throws HostBridgeError `closed`, `view_lost` */
  list(): Promise<ViewTool[]>;
  /** @throws HostBridgeError `closed`, `view_lost`, `view_tool_unknown`, `view_tool_refused`, `view_tool_failed` */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
}

const MAX_TOOLS = 32;
const MAX_TEXT = 2_000;
const LIST_MS = 5_000;
const CALL_MS = 30_000;
const NAME = /^[\w-]{1,64}$/;

export function createViewTools(options: ViewToolsOptions): ViewTools {
  const { onEvent } = options;

  function need(): ToolSession {
    if (options.closed()) throw new HostBridgeError('closed', 'The view is closed, and its tools with it.');
    const session = options.session();
    if (session?.initialized) return session;
    throw new HostBridgeError('view_lost', 'The view is not initialized; it has no tools now.');
  }

  async function request<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (cause) {
      need();
      throw new HostBridgeError('view_tool_failed', 'The view did not answer, or with an error.', { cause });
    }
  }

  async function list(): Promise<ViewTool[]> {
    const session = need();
    if (!session.exposesTools) return [];
    const answer = await request(async () => session.listTools(LIST_MS));
    const listed =
      isPlainObject(answer) && Array.isArray(answer['tools']) ? (answer['tools'] as unknown[]) : [];
    const tools = new Map<string, ViewTool>();
    for (const item of listed) {
      const tool = read(item, options.owner);
      if (tool && tools.size < MAX_TOOLS) tools.set(tool.name, tool);
    }
    return [...tools.values()];
  }

  async function allowed(tool: ViewTool, args: Record<string, unknown>): Promise<boolean> {
    if (tool.readOnly) return true;
    const { allowViewTool } = options.handlers();
    const { name, title } = tool;
    try {
      return (
        (await allowViewTool?.({ name, arguments: args, ...(title !== undefined && { title }) })) === true
      );
    } catch (error) {
      onEvent({ type: 'handler_failed', method: 'view tool', error });
      return false;
    }
  }

  return {
    list,
    async call(name, args = {}) {
      const tool = (await list()).find((each) => each.name === name);
      if (!tool)
        throw new HostBridgeError('view_tool_unknown', `The view exposes no tool ${name.slice(0, 100)}.`);
      if (!(await allowed(tool, args))) {
        onEvent({ type: 'view_tool', name, outcome: 'refused' });
        throw new HostBridgeError('view_tool_refused', `The call of ${name} was not allowed.`);
      }
      const session = need();
      const answer = await request(async () => session.callTool({ name, arguments: args }, CALL_MS));
      onEvent({ type: 'view_tool', name, outcome: 'called' });
      return options.sanitizer.result(isPlainObject(answer) ? answer : {}, (code, path, message) =>
        onEvent({ type: 'sanitized', target: 'result', code, path, message }),
      );
    },
  };
}

function read(item: unknown, owner: string): ViewTool | undefined {
  if (!isPlainObject(item) || typeof item['name'] !== 'string' || !NAME.test(item['name'])) return undefined;
  const { name, title, description, inputSchema, annotations } = item;
  return {
    name,
    qualifiedName: `view__${owner.replace(/[^\w-]/g, '_').slice(0, 64)}__${name}`,
    ...(typeof title === 'string' && { title: title.slice(0, MAX_TEXT) }),
    ...(typeof description === 'string' && { description: description.slice(0, MAX_TEXT) }),
    ...(isPlainObject(inputSchema) && { inputSchema }),
    readOnly: isPlainObject(annotations) && annotations['readOnlyHint'] === true,
  };
}
