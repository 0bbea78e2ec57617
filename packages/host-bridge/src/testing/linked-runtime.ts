import {
  createAppRuntime,
  textConsumer,
  type AppRuntime,
  type TextState,
} from '@mcp-apps-bridge/app-runtime';
import {
  TOOL_OUTPUT_PARTIAL_METHOD,
  TOOL_OUTPUT_PROBE_METHOD,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { systemScheduler, type Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import type { ToolOutput } from '../lib/stream/output-types.ts';
import { createViewFeed } from '../lib/stream/view-feed.ts';
import type { ViewFeed } from '../lib/stream/view-feed-types.ts';

/** A view without a document: the real feed, the real runtime, and clones in tasks of their own between them. */
export interface LinkedRuntime {
  feed: ViewFeed;
  runtime: AppRuntime<TextState>;
  /** What reached the view, in order, by the last part of its method. */
  methods: string[];
  /** `params` of the same. */
  messages: Record<string, unknown>[];
}

export function linkRuntime(output: ToolOutput, scheduler: Scheduler = systemScheduler): LinkedRuntime {
  const methods: string[] = [];
  const messages: Record<string, unknown>[] = [];
  const runtime = createAppRuntime({
    consumer: textConsumer(),
    scheduler,
    sendAck(params) {
      const ack = structuredClone(params);
      setTimeout(() => feed.ack(ack));
    },
  });
  const receivers: Record<string, (params: Record<string, unknown>) => void> = {
    [TOOL_OUTPUT_PARTIAL_METHOD]: runtime.receive,
    [TOOL_OUTPUT_PROBE_METHOD]: runtime.probe,
    'ui/notifications/tool-input': runtime.input,
    'ui/notifications/tool-result': (params) => runtime.finish(params as ToolResult),
    'ui/notifications/tool-cancelled': runtime.cancel,
  };
  const feed = createViewFeed({
    output,
    scheduler,
    notify(method, params) {
      const copy = structuredClone(params);
      setTimeout(() => {
        methods.push(method.replace(/^.*\//, ''));
        messages.push(copy);
        receivers[method]!(copy);
      });
    },
  });
  return { feed, runtime, methods, messages };
}

/** The system's clock, how much waits on it, and a way not to wait. */
export interface TestClock extends Scheduler {
  readonly pending: number;
  /** Lets `ms` pass at once. */
  skip(ms: number): void;
}

export function createTestClock(): TestClock {
  const jobs = new Set<{ due: number; fire(): void }>();
  let skipped = 0;
  const now = (): number => systemScheduler.now() + skipped;

  function add(due: number, run: () => void, start: (fire: () => void) => () => void): () => void {
    const job = {
      due,
      fire() {
        cancel();
        run();
      },
    };
    const stop = start(() => job.fire());
    const cancel = (): void => {
      jobs.delete(job);
      stop();
    };
    jobs.add(job);
    return cancel;
  }

  return {
    now,
    delay: (ms, run) => add(now() + ms, run, (fire) => systemScheduler.delay(ms, fire)),
    macrotask: (run) => add(Infinity, run, (fire) => systemScheduler.macrotask(fire)),
    get pending() {
      return jobs.size;
    },
    skip(ms) {
      skipped += ms;
      for (const job of jobs) if (job.due <= now()) job.fire();
    },
  };
}
