/* The tools that scenarios of the protocol's suite call by name, as both servers offer them. */
import type { PartialResultBody } from '@mcp-apps-bridge/partial-results';

type Text = { type: 'text'; text: string };
type Block =
  | Text
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } };

// A type, not an interface: the SDKs' results have an index signature.
export type ToolResult = { content: Block[]; isError?: boolean };

/** What a tool needs of either SDK's context. */
export interface ToolContext {
  emitPartial(body: PartialResultBody): Promise<void>;
  notify(method: string, params: Record<string, unknown>): Promise<void>;
  log(line: string): Promise<void>;
  progressToken: string | number | undefined;
}

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A recording of no sample. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const image: Block = { type: 'image', data: PNG, mimeType: 'image/png' };
const audio: Block = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] };
}

function resource(uri: string, mimeType: string, body: string): Block {
  return { type: 'resource', resource: { uri, mimeType, text: body } };
}

/** Emits the result block by block, then ends with it: a stream for who asks, a plain result for who does not. */
function streamed(result: ToolResult): (ctx: ToolContext) => Promise<ToolResult> {
  return async (ctx) => {
    for (const block of result.content) await ctx.emitPartial({ content: [block] });
    return result;
  };
}

async function withProgress({ notify, progressToken, emitPartial }: ToolContext): Promise<ToolResult> {
  for (const progress of [0, 50, 100]) {
    await emitPartial({ content: [{ type: 'text', text: `${progress} %` }] });
    if (progressToken !== undefined) {
      await notify('notifications/progress', { progressToken, progress, total: 100 });
    }
  }
  return text('All of it is done.');
}

async function withLogging({ log, emitPartial }: ToolContext): Promise<ToolResult> {
  for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await emitPartial({ content: [{ type: 'text', text: line }] });
    await log(line);
  }
  return text('Three lines were logged.');
}

export const TOOLS: Record<string, (ctx: ToolContext) => Promise<ToolResult>> = {
  test_simple_text: streamed(text('This is a simple text response for testing.')),
  test_image_content: streamed({ content: [image] }),
  test_audio_content: streamed({ content: [audio] }),
  test_embedded_resource: streamed({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: streamed({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: streamed({
    isError: true,
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
  }),
  test_tool_with_progress: withProgress,
  test_tool_with_logging: withLogging,
};
