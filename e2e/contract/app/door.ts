import {
  EPOCH_META_KEY,
  TOOL_OUTPUT_ACK_METHOD,
  TOOL_OUTPUT_PARTIAL_METHOD,
  type PartialToolResult,
} from '@mcp-apps-bridge/partial-results';
import { systemScheduler } from '@mcp-apps-bridge/partial-results/stream';
import { createFaultLink } from '@mcp-apps-bridge/partial-results/testing';
import { PostMessageTransport } from '@modelcontextprotocol/ext-apps';
import { ASK_METHOD, type AppConfig, type AppLog } from '../shared/config.ts';

type Message = Parameters<PostMessageTransport['send']>[0];

/** Where messages come into the app: a transport with faults of its own, and a list of what came. */
export interface Door {
  transport: PostMessageTransport;
  log: AppLog;
  /** Of a chunk in the epoch at hand. */
  keyOf(seq: number): string;
}

interface ChunkMessage {
  method: string;
  params: PartialToolResult;
}

/** Puts a faulty link between the proxy and the SDK, both ways. */
export function createDoor(config: AppConfig): Door {
  const log: AppLog = { sent: [], delivered: [], late: [], underWay: 0, methods: [], renders: 0 };
  const transport = new PostMessageTransport(window.parent, window.parent);
  let receive: ((message: Message) => void) | undefined;
  let epoch = 0;

  const inward = createFaultLink<Message>({
    seed: config.seed,
    faults: config.faults,
    scheduler: systemScheduler,
    subject: (message) => chunkOf(message) !== undefined,
    deliver(message) {
      const chunk = chunkOf(message);
      if (chunk) {
        epoch = Math.max(epoch, epochOf(chunk));
        log.delivered.push(`${epochOf(chunk)}/${chunk.seq}`);
      }
      receive?.(message);
    },
  });
  const outward = createFaultLink<Message>({
    seed: config.seed + 1,
    faults: config.ackFaults,
    scheduler: systemScheduler,
    subject: (message) => methodOf(message) === TOOL_OUTPUT_ACK_METHOD,
    deliver: (message) => void send(message),
  });

  /* Installed on the instance: what the SDK sets and calls is what passes through the links. */
  const send = transport.send.bind(transport);
  const start = transport.start.bind(transport);
  transport.send = async (message) => outward.send(message);
  transport.start = async () => {
    receive = transport.onmessage;
    transport.onmessage = (message) => {
      const method = methodOf(message);
      if (method === ASK_METHOD) return;
      if (method !== undefined) log.methods.push(method);
      const chunk = chunkOf(message);
      if (chunk) note(chunk);
      inward.send(message);
    };
    return start();
  };

  function note(chunk: PartialToolResult): void {
    const texts = (chunk.content ?? []).map(({ resource }) => resource?.text ?? '');
    log.sent.push({
      token: chunk.partialResultToken,
      epoch: epochOf(chunk),
      seq: chunk.seq,
      text: texts.join(''),
    });
  }

  return {
    transport,
    log: Object.defineProperty(log, 'underWay', {
      enumerable: true,
      get() {
        const { sent, dropped, duplicated, delivered } = inward.counts;
        return sent - dropped + duplicated - delivered;
      },
    }),
    keyOf: (seq) => `${epoch}/${seq}`,
  };
}

function methodOf(message: Message): string | undefined {
  return 'method' in message ? message.method : undefined;
}

function chunkOf(message: Message): PartialToolResult | undefined {
  return methodOf(message) === TOOL_OUTPUT_PARTIAL_METHOD
    ? (message as unknown as ChunkMessage).params
    : undefined;
}

function epochOf(chunk: PartialToolResult): number {
  return Number(chunk._meta?.[EPOCH_META_KEY] ?? 0);
}
