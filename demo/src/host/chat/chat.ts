import type { OutputStatus, ToolCall } from '@mcp-apps-bridge/host-bridge';
import { hasStreamingHint } from '@mcp-apps-bridge/partial-results/client';
import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import type { Tool } from '@modelcontextprotocol/client';
import type { Plan, Planner } from '../../planner/planner.ts';
import type { RunningCall, StartCall } from './calls.ts';
import { asSentence } from '../sentence.ts';
import { NO_FIGURES, readFigures } from './figures.ts';
import type { Figures } from './figures.ts';
import { modelTools } from './servers.ts';
import type { Server } from './servers.ts';
import type { ViewCountersSource } from './view-counters.ts';

/** One prompt and all that came of it. Replaced, never changed, so that React can compare. */
export interface Turn {
  id: number;
  prompt: string;
  /** What the assistant says before it acts. */
  say?: string;
  run?: Run;
  /** The text of the final result. */
  answer?: string;
}

/** A tool call and the view that shows it. */
export interface Run {
  server: Server;
  tool: Tool;
  /** Absent while the view is prepared for a tool that will stream. */
  call?: ToolCall;
  status: OutputStatus;
  /** Waits for a connection: as many calls to this server run as may. */
  queued?: boolean;
  figures: Figures;
}

export interface ChatState {
  turns: readonly Turn[];
  /** A prompt is being worked on. */
  busy: boolean;
}

export interface Chat {
  getState(): ChatState;
  subscribe(listener: () => void): () => void;
  /** Ignored while busy. */
  send(prompt: string): void;
  cancel(turnId: number): void;
  /** The view of a turn is ready, or never will be: a call that waited for it starts. */
  viewSettled(turnId: number): void;
  /** Where the figures of a turn's view are read. */
  setViewCounters(turnId: number, source: ViewCountersSource): void;
  /** The view of a turn says that it left out a part of what it was sent. */
  viewLeftOut(turnId: number): void;
}

/** How often figures are read while a call runs, in milliseconds. */
const FIGURES_MS = 120;
/** Longest wait for a view before its call starts anyhow: what streams meanwhile is kept for it. */
const VIEW_WAIT_MS = 1_500;

/** The conversation, apart from any framework. Calls are started here, never by a component. */
export function createChat(options: {
  servers: readonly Server[];
  planner: Planner;
  startCall: StartCall;
}): Chat {
  let state: ChatState = { turns: [], busy: false };
  const listeners = new Set<() => void>();
  const views = new Map<number, { settled(): void; counters?: ViewCountersSource; leftOut: number }>();
  let nextId = 1;

  function set(next: Partial<ChatState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  function update(id: number, change: (turn: Turn) => Turn): void {
    set({ turns: state.turns.map((turn) => (turn.id === id ? change(turn) : turn)) });
  }

  function updateRun(id: number, change: Partial<Run>): void {
    update(id, (turn) => (turn.run === undefined ? turn : { ...turn, run: { ...turn.run, ...change } }));
  }

  async function respond(id: number, prompt: string): Promise<void> {
    const offered = modelTools(options.servers);
    const plan = await options.planner.plan(
      prompt,
      offered.map(({ server, tool }) => ({
        server: server.name,
        name: tool.name,
        description: tool.description,
      })),
    );
    update(id, (turn) => ({ ...turn, say: plan.say }));
    const chosen = plan.call && offered.find(({ server, tool }) => isPlanned(plan, server.name, tool.name));
    if (plan.call === undefined || chosen === undefined) return;
    const { server, tool } = chosen;
    const ready = new Promise<void>((resolve) => {
      views.set(id, { settled: resolve, leftOut: 0 });
      setTimeout(resolve, VIEW_WAIT_MS);
    });
    update(id, (turn) => ({ ...turn, run: { server, tool, status: 'waiting', figures: NO_FIGURES } }));
    // A tool that says it streams finds its view standing; for any other the view comes with the call.
    if (hasStreamingHint(tool)) await ready;
    // Cancelled before it began.
    if (state.turns.find((turn) => turn.id === id)?.run?.status === 'cancelled') return;
    await follow(id, options.startCall(server, tool, plan.call.arguments));
  }

  async function follow(id: number, running: RunningCall): Promise<void> {
    const { call } = running;
    const read = (): void =>
      updateRun(id, {
        status: call.status,
        queued: running.queued(),
        figures: readFigures(
          call.counters,
          views.get(id)?.counters?.(),
          running.refused(),
          views.get(id)?.leftOut ?? 0,
        ),
      });
    updateRun(id, { call });
    const timer = setInterval(read, FIGURES_MS);
    const outcome = await call.done;
    read();
    if (outcome.status !== 'cancelled') {
      update(id, (turn) => ({ ...turn, answer: textForModel(outcome.result) }));
    }
    // The last acks of the view come after the result.
    setTimeout(() => {
      clearInterval(timer);
      read();
    }, FIGURES_MS * 8);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send(prompt) {
      if (state.busy) return;
      const id = nextId++;
      set({ turns: [...state.turns, { id, prompt }], busy: true });
      respond(id, prompt)
        .catch((error: unknown) => {
          const answer = `That did not work: ${asSentence(error)}`;
          update(id, (turn) => ({ ...turn, answer }));
        })
        .finally(() => set({ busy: false }));
    },
    cancel(id) {
      const run = state.turns.find((turn) => turn.id === id)?.run;
      if (run?.call !== undefined) run.call.cancel('The user cancelled');
      else if (run !== undefined) {
        updateRun(id, { status: 'cancelled' });
        views.get(id)?.settled();
      }
    },
    viewSettled: (id) => views.get(id)?.settled(),
    setViewCounters(id, source) {
      const view = views.get(id);
      if (view !== undefined) view.counters = source;
    },
    viewLeftOut(id) {
      const view = views.get(id);
      if (view !== undefined) view.leftOut++;
    },
  };
}

function isPlanned(plan: Plan, server: string, tool: string): boolean {
  return plan.call?.server === server && plan.call.tool === tool;
}

/** The text blocks that are meant for the assistant, as a model would read them. */
function textForModel(result: ToolResult): string {
  return (result.content ?? [])
    .filter(({ type, annotations }) => {
      const audience = annotations?.['audience'];
      return type === 'text' && (!Array.isArray(audience) || audience.includes('assistant'));
    })
    .map(({ text }) => text ?? '')
    .join('\n\n');
}
