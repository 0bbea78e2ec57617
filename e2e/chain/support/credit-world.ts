import { createReorder, type Scheduler } from '@mcp-apps-bridge/partial-results/stream';
import { createAcknowledger } from '../../../packages/app-runtime/src/lib/acknowledge.ts';
import { createCounters } from '../../../packages/app-runtime/src/lib/counters.ts';
import {
  createPacer,
  type PaceLimits,
  type Pacer,
} from '../../../packages/host-bridge/src/lib/stream/pace.ts';

/** One thing that may happen next. */
export type Action =
  | 'put'
  | 'deliver'
  | 'lose'
  | 'ack'
  | 'lose ack'
  | 'host task'
  | 'view task'
  | 'timer'
  | 'close';

export interface WorldOptions {
  messages: number;
  /** Of chunks, probes and acks together. */
  losses: number;
  replays: number;
  /** No ack ever gets through, as behind a proxy that drops what it does not know. */
  deaf?: boolean;
  limits: Partial<PaceLimits>;
}

interface Job {
  owner: 'host' | 'view';
  task: boolean;
  at: number;
  run(): void;
}

/**
 * The pacer and the acknowledger, as they are, with an ordered channel each way and every source of
 * time in the open. A state is reached by its actions alone, so it can be reached again.
 */
export interface World {
  possible(): Action[];
  act(action: Action): void;
  /** The view speaks up by itself. */
  wake(): void;
  /** Everything that decides what may follow. */
  readonly key: string;
  readonly settled: boolean;
  readonly closed: boolean;
  /** Messages, jobs or answers are on their way. */
  readonly moving: boolean;
  readonly waiting: boolean;
  readonly suspended: boolean;
  readonly unanswered: number;
  readonly jobs: number;
  readonly sent: number;
  /** Handed over and not sent yet. */
  readonly backlog: number;
}

const BYTES = 60;
/** Beyond it no wait of the limits in use makes a difference. */
const PAST = 40;

export function createWorld(options: WorldOptions): World {
  const { messages, limits } = options;
  let now = 0;
  let jobs: Job[] = [];
  let puts = 0;
  let losses = 0;
  let replays = 0;
  let closed = false;
  let epoch = 0;
  let backlog = 0;
  let next = 0;
  let sent = 0;
  const toView: (number | 'probe')[] = [];
  const toHost: { epoch: number; seq: number }[] = [];
  /* Kept beside the pacer's own, which nobody can read: they only tell states apart. */
  let unanswered = 0;
  let probesSinceProgress = 0;
  let lastProgress = 0;
  let acknowledged = -1;
  let holding = false;
  let finalOnly = false;

  function schedulerOf(owner: Job['owner']): Scheduler {
    const add = (job: Job): (() => void) => {
      jobs.push(job);
      return () => void (jobs = jobs.filter((other) => other !== job));
    };
    return {
      now: () => now,
      delay: (ms, run) => add({ owner, task: false, at: now + ms, run }),
      macrotask: (run) => add({ owner, task: true, at: now, run }),
    };
  }

  function openPacer(): Pacer {
    const mine: Pacer = createPacer({
      acks: true,
      limits,
      scheduler: schedulerOf('host'),
      queued: () => backlog > 0,
      send() {
        backlog--;
        sent++;
        if (acknowledged === next - 1) [lastProgress, probesSinceProgress, unanswered] = [now, 0, 0];
        toView.push(next);
        if ((next - acknowledged) * BYTES >= limits.highBytes!) holding = true;
        return { seq: next++, bytes: BYTES };
      },
      probe() {
        unanswered++;
        probesSinceProgress++;
        toView.push('probe');
      },
      onSuspend: () => undefined,
      onUnheard: () => undefined,
      onLost: replay,
    });
    return mine;
  }

  /** As the feed does it: the whole stream again, under a new epoch. */
  function replay(): void {
    pacer.close();
    if (replays++ >= options.replays) {
      // The feed stops its chunks here and says so; the result still goes.
      finalOnly = true;
      backlog = 0;
      return;
    }
    epoch++;
    backlog = puts;
    next = 0;
    acknowledged = -1;
    holding = false;
    [unanswered, probesSinceProgress, lastProgress] = [0, 0, now];
    pacer = openPacer();
    pacer.request();
  }

  /* The view. */
  let viewEpoch = 0;
  let reorder = openReorder();
  const acks = createAcknowledger({
    read: () => ({ token: 't', epoch: viewEpoch, seq: reorder.next - 1, counters: createCounters() }),
    send(params) {
      if (!options.deaf) toHost.push({ epoch: params.epoch, seq: params.seq });
    },
    scheduler: schedulerOf('view'),
  });

  function openReorder() {
    return createReorder<number>({
      deliver: () => acks.mark(),
      onEvent: (event) => event.type === 'gap' && acks.mark(),
      scheduler: schedulerOf('view'),
      limits: { maxWaitMs: 7 },
    });
  }

  const epochs: number[] = [];
  function receive(message: number | 'probe', of: number): void {
    if (message === 'probe') return acks.now();
    if (of > viewEpoch) {
      viewEpoch = of;
      reorder.close();
      reorder = openReorder();
    }
    if (of === viewEpoch) reorder.push(message, message, BYTES);
  }

  /** As the feed does it: of an earlier epoch an ack settles nothing. */
  function answer(ack: { epoch: number; seq: number }): void {
    if (ack.epoch > epoch) return;
    const seq = ack.epoch === epoch ? ack.seq : -1;
    const progress = seq > acknowledged;
    unanswered = 0;
    acknowledged = Math.max(acknowledged, Math.min(seq, next - 1));
    if (progress || acknowledged === next - 1) [lastProgress, probesSinceProgress] = [now, 0];
    if ((next - 1 - acknowledged) * BYTES <= limits.lowBytes!) holding = false;
    pacer.ack(seq);
  }

  let pacer = openPacer();

  function nextTimer(): Job | undefined {
    return jobs.filter(({ task }) => !task).sort((a, b) => a.at - b.at)[0];
  }

  function run(job: Job): void {
    jobs = jobs.filter((other) => other !== job);
    job.run();
  }

  function track(): void {
    // Messages carry the epoch they were sent under.
    while (epochs.length < toView.length) epochs.push(epoch);
  }

  return {
    possible() {
      if (closed) return [];
      const actions: Action[] = ['close'];
      const lossy = losses < options.losses;
      if (puts < messages && !finalOnly) actions.push('put');
      if (toView.length > 0) actions.push('deliver', ...(lossy ? (['lose'] as const) : []));
      if (toHost.length > 0) actions.push('ack', ...(lossy ? (['lose ack'] as const) : []));
      if (jobs.some(({ owner, task }) => task && owner === 'host')) actions.push('host task');
      if (jobs.some(({ owner, task }) => task && owner === 'view')) actions.push('view task');
      // Time passes only between tasks, however long messages are under way.
      if (nextTimer() && !jobs.some(({ task }) => task)) actions.push('timer');
      return actions;
    },
    act(action) {
      track();
      switch (action) {
        case 'put':
          puts++;
          backlog++;
          pacer.request();
          break;
        case 'deliver':
          receive(toView.shift()!, epochs.shift()!);
          break;
        case 'lose':
          losses++;
          toView.shift();
          epochs.shift();
          break;
        case 'ack':
          answer(toHost.shift()!);
          break;
        case 'lose ack':
          losses++;
          toHost.shift();
          break;
        case 'host task':
        case 'view task':
          run(jobs.find(({ owner, task }) => task && action.startsWith(owner))!);
          break;
        case 'timer': {
          const job = nextTimer()!;
          now = Math.max(now, job.at);
          run(job);
          break;
        }
        case 'close':
          closed = true;
          pacer.close();
          acks.close();
          reorder.close();
      }
      track();
    },
    wake: () => acks.now(),
    get key() {
      return JSON.stringify([
        [puts, losses, replays, epoch, backlog, next, acknowledged, unanswered, probesSinceProgress],
        [holding, pacer.suspended, pacer.unheard, pacer.inFlight, Math.min(now - lastProgress, PAST)],
        [toView, epochs, toHost, viewEpoch, reorder.next, reorder.held, finalOnly],
        jobs.map(({ owner, task, at }) => [owner, task, at - now]),
      ]);
    },
    /** Nothing is queued or in flight, and the view has every number behind it. */
    get settled() {
      if (finalOnly) return true;
      const behind = sent === 0 || (viewEpoch === epoch && reorder.next === next && reorder.held === 0);
      return backlog === 0 && acknowledged === next - 1 && behind;
    },
    get closed() {
      return closed;
    },
    get moving() {
      return toView.length > 0 || toHost.length > 0 || jobs.length > 0;
    },
    get waiting() {
      return !finalOnly && (backlog > 0 || pacer.inFlight > 0);
    },
    get suspended() {
      return pacer.suspended;
    },
    get unanswered() {
      return unanswered;
    },
    get jobs() {
      return jobs.length;
    },
    get sent() {
      return sent;
    },
    get backlog() {
      return backlog;
    },
  };
}
