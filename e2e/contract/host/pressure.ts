import {
  createToolOutput,
  type AppViewEvent,
  type OutputEvent,
  type ToolOutput,
} from '@mcp-apps-bridge/host-bridge';
import { createRandom } from '@mcp-apps-bridge/partial-results/testing';
import type { AppState } from '../shared/config.ts';
import { until } from './check.ts';
import { recorderHtml } from './recorder.ts';
import { appHtml, atRest, ended, openRig, type Rig } from './rig.ts';

/** The highest figures seen, sampled after every push of the flood. */
export interface Peaks {
  /** Chunks held behind a gap on the host. */
  held: number;
  /** Messages queued for the view. */
  queued: number;
  /** Messages sent and not yet acknowledged. */
  inFlight: number;
}

export interface FloodReport {
  pushed: number;
  peaks: Peaks;
  /** Gaps the host reported and the app counted. Nothing was lost, so each would be false. */
  gaps: number;
  events: string[];
  /** Before the result, and that of a run in one chunk. */
  before: unknown;
  fold: unknown;
  after: unknown;
  /** Of a run with the result alone. */
  end: unknown;
  status: string;
  forwarded: number;
}

export interface PressureApi {
  /** A flood is under way. */
  running: boolean;
  /** The app of `whileHidden` shows the end. */
  hiddenDone: boolean;
  flood(options: {
    chunks: number;
    perSecond: number;
    maxChars: number;
    applyMs: number;
  }): Promise<FloodReport>;
  neverInitialized(
    chunks: number,
  ): Promise<{ events: string[]; status: string; peaks: Peaks; next: unknown }>;
  /** Streams into a page that is hidden by now, and says what the app shows while it still is. */
  whileHidden(chunks: number): Promise<{ visibility: string; state: AppState; end: unknown }>;
  /** What the app of `whileHidden` shows, asked once. */
  shown(): Promise<{ visibility: string; state: AppState }>;
}

declare global {
  interface Window {
    __pressure: PressureApi;
  }
}

const message = document.querySelector('input')!;
let echoes = 0;
message.addEventListener('input', () => {
  document.querySelector('#echo')!.textContent = String(++echoes);
});

const textBlock = (text: string): { type: 'text'; text: string } => ({ type: 'text', text });
const resultOf = (lines: readonly string[]): { content: { type: 'text'; text: string }[] } => ({
  content: [textBlock(lines.join(''))],
});

function push(output: ToolOutput, seq: number, line: string): void {
  output.push({ partialResultToken: 'server', seq, content: [textBlock(line)] });
}

/** A turn for input, timers and messages, without the delay that nested timers get. */
const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

function createSampler(output: ToolOutput, rig: Rig): { peaks: Peaks; sample(): void } {
  const peaks: Peaks = { held: 0, queued: 0, inFlight: 0 };
  return {
    peaks,
    sample() {
      const { queued = 0, inFlight = 0 } = rig.view.counters ?? {};
      peaks.held = Math.max(peaks.held, output.counters.held);
      peaks.queued = Math.max(peaks.queued, queued);
      peaks.inFlight = Math.max(peaks.inFlight, inFlight);
    },
  };
}

/** What a view shows that gets `lines` at once, as one chunk or as the result alone. */
async function atOnce(lines: readonly string[], how: 'chunk' | 'result'): Promise<unknown> {
  const output = createToolOutput({ modes: { content: 'append' } });
  const rig = await openRig(await appHtml({ shows: 'log' }), output);
  await rig.ready();
  if (how === 'chunk') push(output, 0, lines.join(''));
  else output.finish(resultOf(lines));
  if (how === 'chunk') await atRest(rig, output);
  const { model } = how === 'chunk' ? await rig.state() : await ended(rig);
  await rig.close();
  return model;
}

const api: PressureApi = {
  running: false,
  hiddenDone: false,

  async flood({ chunks, perSecond, maxChars, applyMs }) {
    const random = createRandom(7);
    const lines = Array.from({ length: chunks }, (_, seq) => {
      const length = maxChars <= 40 ? maxChars : Math.floor(random() * maxChars);
      return `${`line ${seq} `.padEnd(length, '·')}\n`;
    });
    const events: string[] = [];
    const note = (event: OutputEvent | AppViewEvent): void =>
      void (events.includes(event.type) || events.push(event.type));
    const output = createToolOutput({ modes: { content: 'append' }, onEvent: note });
    const rig = await openRig(await appHtml({ shows: 'log', applyMs }), output, { onEvent: note });
    await rig.ready();
    const { peaks, sample } = createSampler(output, rig);
    api.running = true;
    const start = performance.now();
    for (let seq = 0; seq < chunks;) {
      // As many as are due; after a pause not all at once, as no wire would bring them.
      const due = Math.min(chunks, seq + 200, ((performance.now() - start) * perSecond) / 1_000);
      for (; seq < due; seq++) {
        push(output, seq, lines[seq]!);
        sample();
      }
      await turn();
    }
    api.running = false;
    const stopped = events.includes('final_only');
    if (!stopped) await atRest(rig, output);
    const before = await rig.state();
    output.finish(resultOf(lines));
    const after = await ended(rig);
    const { forwarded } = rig.view.counters!;
    const gaps = output.counters.gaps + (after.counters['gaps'] ?? 0);
    await rig.close();
    return {
      pushed: chunks,
      peaks,
      gaps,
      events,
      before: before.model,
      fold: stopped ? undefined : await atOnce(lines, 'chunk'),
      after: after.model,
      status: after.status,
      end: await atOnce(lines, 'result'),
      forwarded,
    };
  },

  async neverInitialized(chunks) {
    const events: string[] = [];
    const note = (event: OutputEvent | AppViewEvent): void => {
      const name =
        event.type === 'view_status' ? `${event.status} ${event.error?.code ?? ''}`.trim() : event.type;
      if (!events.includes(name)) events.push(name);
    };
    const output = createToolOutput({ modes: { content: 'append' }, onEvent: note });
    const limits = { handshakeMs: 4_000, teardownMs: 300 };
    const rig = await openRig(recorderHtml({ auto: false }), output, { limits, onEvent: note });
    const { peaks, sample } = createSampler(output, rig);
    for (let seq = 0; seq < chunks; seq++) {
      push(output, seq, `line ${seq} `.padEnd(99, '·').concat('\n'));
      sample();
      if (seq % 500 === 0) await turn();
    }
    await until('the handshake to time out', () => rig.view.status === 'failed');
    output.finish(resultOf(['too late\n']));
    const status = rig.view.status;
    await rig.close();
    return { events, status, peaks, next: await atOnce(['the next call\n'], 'result') };
  },

  async whileHidden(chunks) {
    const lines = Array.from({ length: chunks }, (_, seq) => `line ${seq}\n`);
    const output = createToolOutput({ modes: { content: 'append' } });
    const rig = await openRig(await appHtml({ shows: 'log' }), output);
    await rig.ready();
    await until('the page to be hidden', () => document.visibilityState === 'hidden');
    for (const [seq, line] of lines.entries()) {
      push(output, seq, line);
      if (seq % 50 === 0) await turn();
    }
    await atRest(rig, output);
    output.finish(resultOf(lines));
    const state = await ended(rig);
    const visibility = document.visibilityState;
    api.hiddenDone = true;
    await until('the page to be shown', () => document.visibilityState === 'visible');
    hiddenRig = rig;
    return { visibility, state, end: await atOnce(lines, 'result') };
  },

  async shown() {
    const state = await hiddenRig!.state();
    return { visibility: document.visibilityState, state };
  },
};

let hiddenRig: Rig | undefined;
window.__pressure = api;
