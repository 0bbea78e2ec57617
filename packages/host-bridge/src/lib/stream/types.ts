import type { MergeModes, PartialResultBody, SeqRange, ToolResult } from '@mcp-apps-bridge/partial-results';

/** Checked output, in order: one server chunk or several neighbours merged. Never changed once made. */
export interface OutputChunk {
  /** The server's sequence numbers it stands for. */
  range: SeqRange;
  /** Losses before it (or, where a later value replaced an earlier one, inside it). */
  gaps: number;
  /** What may be shown; `_meta` holds the server's own keys and further merge patches. */
  body: PartialResultBody;
  /** The modes in force for it. */
  modes: MergeModes;
  taskId?: string;
  /** Estimated bytes of `body`: see `measureBody`. */
  bytes: number;
  /** Its texts count one byte a character. */
  narrow?: boolean;
}

/**
 * - `waiting`: no chunk yet; `streaming`: at least one.
 * - `complete`: a result; `failed`: an error result or a JSON-RPC error.
 * - `interrupted`: the connection was lost or timed out; `cancelled`: by the user or the host.
 */
export type OutputStatus = 'waiting' | 'streaming' | 'complete' | 'failed' | 'cancelled' | 'interrupted';

/** How a call ended. `result` is what the view is shown; for a lost connection the bridge writes it. */
export type OutputEnd =
  | { status: 'complete' | 'failed' | 'interrupted'; result: ToolResult; error?: unknown }
  | { status: 'cancelled'; reason?: string };
