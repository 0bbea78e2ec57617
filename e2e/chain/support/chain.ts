import { createAppRuntime, type AppRuntime, type AppRuntimeOptions } from '@mcp-apps-bridge/app-runtime';
import {
  createToolOutput,
  createViewFeed,
  type FeedEvent,
  type FeedLimits,
  type OutputEvent,
  type ToolOutput,
  type ToolOutputLimits,
  type ViewFeed,
} from '@mcp-apps-bridge/host-bridge';
import {
  EPOCH_META_KEY,
  MERGE_META_KEY,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
  type PartialToolResult,
} from '@mcp-apps-bridge/partial-results';
import { estimateSize } from '@mcp-apps-bridge/partial-results/stream';
import {
  createFaultLink,
  createManualScheduler,
  type FaultLink,
  type Faults,
  type ManualScheduler,
} from '@mcp-apps-bridge/partial-results/testing';
import { createConsumers, type Shown } from './consumers.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Sample } from './samples.ts';

export interface Message {
  method: string;
  params: Record<string, unknown>;
}

export interface ChainOptions {
  sample: Sample;
  seed: number;
  acks?: boolean;
  /** Between server and host, host and view, view and host. */
  server?: Faults;
  view?: Faults;
  back?: Faults;
  limits?: { output?: ToolOutputLimits; feed?: FeedLimits };
}

/** Whatever takes the place of the runtime: the real one, or one that must not pass. */
export type MakeRuntime = (options: AppRuntimeOptions<Shown>) => AppRuntime<Shown>;

/** One document in the frame: its runtime and what reached it. */
export interface Document {
  runtime: AppRuntime<Shown>;
  /** Of the present epoch. */
  ledger: Ledger<PartialToolResult>;
  epoch: number;
  link: FaultLink<Message>;
  /** Chunk messages handed to the runtime. */
  delivered: number;
}

export interface Chain {
  scheduler: ManualScheduler;
  output: ToolOutput;
  feed: ViewFeed;
  document: Document | undefined;
  /** What reached the host, and what the host gave up. */
  ledger: Ledger<PartialToolResult>;
  outputEvents: OutputEvent[];
  feedEvents: FeedEvent[];
  /** Sent to any document, in order. */
  sent: Message[];
  serverLink: FaultLink<PartialToolResult>;
  /** Estimated bytes of the messages sent and not acknowledged. */
  bytesInFlight(): number;
  /** Number of chunks the server has sent. */
  pushed: number;
  /** The server's next chunk sets out. @returns false when it has no more. */
  push(): boolean;
  /** A certain chunk of the server sets out, whatever went before. */
  send(seq: number): void;
  /** A new document: the first, or a reload. Nothing under way to the old one arrives. */
  load(): void;
  /** The same document shakes hands again. */
  reopen(): void;
  close(): void;
}

/** Longest run of acks lost in a row: six probes in a row unanswered are a view that is gone. */
const MAX_ACKS_LOST = 3;

/** Server → link → output → feed → link → runtime → link → feed, on one clock turned by hand. */
export function createChain(options: ChainOptions, makeRuntime: MakeRuntime = createAppRuntime): Chain {
  const { sample, seed, acks = true, limits = {} } = options;
  const scheduler = createManualScheduler();
  const outputEvents: OutputEvent[] = [];
  const feedEvents: FeedEvent[] = [];
  const sent: Message[] = [];
  const ledger = createLedger<PartialToolResult>();
  const inFlight = new Map<number, number>();
  let inFlightEpoch = -1;
  let lostInARow = 0;

  const output = createToolOutput({
    tool: { name: 'tool', _meta: { [MERGE_META_KEY]: sample.modes } },
    limits: limits.output,
    scheduler,
    onEvent(event) {
      outputEvents.push(event);
      if (event.type === 'gap') ledger.gap(event.first, event.last);
    },
  });
  const serverLink = createFaultLink<PartialToolResult>({
    seed,
    faults: options.server ?? {},
    scheduler,
    deliver(chunk) {
      if (!output.end) ledger.arrive(chunk.seq, chunk);
      output.push(chunk);
    },
  });
  const backLink = createFaultLink<Message>({
    seed: seed + 2,
    faults: options.back ?? {},
    scheduler,
    subject: () => lostInARow < MAX_ACKS_LOST,
    deliver({ params }) {
      lostInARow = 0;
      if (params['epoch'] === inFlightEpoch)
        for (const seq of inFlight.keys()) if (seq <= (params['seq'] as number)) inFlight.delete(seq);
      feed.ack(params);
    },
  });
  const feed = createViewFeed({
    output,
    limits: limits.feed,
    scheduler,
    onEvent: (event) => feedEvents.push(event),
    notify(method, params) {
      const message = { method, params: structuredClone(params) };
      sent.push(message);
      if (method === TOOL_OUTPUT_PARTIAL_METHOD) track(message);
      chain.document?.link.send(message);
    },
  });

  function track({ params }: Message): void {
    const epoch = epochOf(params);
    if (epoch > inFlightEpoch) inFlight.clear();
    inFlightEpoch = epoch;
    inFlight.set(params['seq'] as number, estimateSize(params));
  }

  function openDocument(): Document {
    const runtime = makeRuntime({
      consumer: createConsumers(sample.kind),
      scheduler,
      modes: sample.modes,
      onEvent: (event) => event.type === 'gap' && opened.ledger.gap(event.first, event.last),
      ...(acks && {
        sendAck(params) {
          lostInARow++;
          backLink.send({ method: TOOL_OUTPUT_ACK_METHOD, params: structuredClone({ ...params }) });
        },
      }),
    });
    const link = createFaultLink<Message>({
      seed: seed + 1,
      faults: options.view ?? {},
      scheduler,
      // The end is never lost on a message channel; losing it would leave nothing to state.
      subject: ({ method }) => method === TOOL_OUTPUT_PARTIAL_METHOD || method === TOOL_OUTPUT_PROBE_METHOD,
      deliver: (message) => hand(opened, message),
    });
    const opened: Document = { runtime, ledger: createLedger(), epoch: 0, link, delivered: 0 };
    return opened;
  }

  function hand(to: Document, { method, params }: Message): void {
    const { runtime } = to;
    switch (method) {
      case TOOL_OUTPUT_PARTIAL_METHOD: {
        const chunk = params as unknown as PartialToolResult;
        const epoch = epochOf(params);
        to.delivered++;
        runtime.flush();
        const { status } = runtime.snapshot();
        if (status === 'waiting' || status === 'streaming') {
          if (epoch > to.epoch) {
            to.epoch = epoch;
            to.ledger = createLedger();
          }
          if (epoch === to.epoch) to.ledger.arrive(chunk.seq, chunk);
        }
        return runtime.receive(params);
      }
      case TOOL_OUTPUT_PROBE_METHOD:
        return runtime.probe(params);
      case 'ui/notifications/tool-input':
        return runtime.input(params);
      case 'ui/notifications/tool-result':
        return runtime.finish(params);
      default:
        return runtime.cancel(params);
    }
  }

  function closeDocument(): void {
    chain.document?.link.close();
    chain.document?.runtime.close();
    chain.document = undefined;
  }

  const chain: Chain = {
    scheduler,
    output,
    feed,
    document: undefined,
    ledger,
    outputEvents,
    feedEvents,
    sent,
    serverLink,
    bytesInFlight: () => [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0),
    pushed: 0,
    push() {
      if (chain.pushed >= sample.bodies.length) return false;
      chain.send(chain.pushed++);
      return true;
    },
    send: (seq) => serverLink.send({ partialResultToken: 'server', seq, ...sample.bodies[seq]! }),
    load() {
      feed.lost();
      closeDocument();
      chain.document = openDocument();
      feed.open({ acks });
    },
    reopen: () => feed.open({ acks }),
    close() {
      feed.close();
      closeDocument();
      output.close();
      serverLink.close();
      backLink.close();
    },
  };
  return chain;
}

export function epochOf(params: Record<string, unknown>): number {
  const meta = params['_meta'] as Record<string, unknown> | undefined;
  return (meta?.[EPOCH_META_KEY] as number | undefined) ?? 0;
}
