/** How a view is set up, written into its HTML or behind the `#` of its address. */
export interface ViewConfig {
  /** console.debug does nothing. The bundled transport of ext-apps calls it for each message. */
  silent: boolean;
  /** Show text and note when it was shown. */
  paint: boolean;
  /** Milliseconds the view is busy with each chunk it applies. */
  applyMs: number;
  /** What a painting view draws, and whether each chunk sets state by itself. */
  draws: 'text' | 'log' | 'table' | 'a2ui';
  perChunk: boolean;
}

export const DEFAULT_VIEW: ViewConfig = {
  silent: true,
  paint: false,
  applyMs: 0,
  draws: 'text',
  perChunk: false,
};

/** Page → view and view → page, past whatever carries the chunks. JSON-RPC, so that every proxy relays it. */
export const ASK_METHOD = 'bench/ask';
export const TELL_METHOD = 'bench/tell';
/** Page → relay: the view's HTML. */
export const HTML_METHOD = 'bench/html';

export const CONFIG_PLACE = /<script type="application\/json" id="config">\s*\{\}\s*<\/script>/;

/** What a view that notes times has seen. */
export interface Timeline {
  /** Milliseconds from emit until the chunk was applied. */
  delivered: number[];
  /** Milliseconds from emit until the frame that shows it. */
  shown: number[];
}

/** What painting cost a view, since it was asked last. */
export interface PaintReport {
  /** Lengths of the frames, in milliseconds. */
  frames: number[];
  longTasks: number;
  commits: number;
  updates: number;
  heapMb: number;
}

export const textOf = (content: readonly { text?: unknown }[] | undefined): string =>
  (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('');

let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

/** A turn for other tasks, without the delay that nested timers get. */
export async function turn(): Promise<void> {
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => waiting.shift()?.();
  }
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(undefined);
  });
}
