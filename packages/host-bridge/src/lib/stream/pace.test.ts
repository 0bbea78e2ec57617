import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { createPacer, type PaceLimits } from './pace.ts';

function setup(acks: boolean, limits: Partial<PaceLimits> = {}) {
  const scheduler = createManualScheduler();
  const queue: number[] = [];
  const sent: Array<{ seq: number; bytes: number; at: number }> = [];
  const log: string[] = [];
  const pacer = createPacer({
    acks,
    scheduler,
    limits,
    queued: () => queue.length > 0,
    send() {
      const message = { seq: sent.length, bytes: queue.shift()!, at: scheduler.now() };
      sent.push(message);
      return message;
    },
    probe: () => log.push('probe'),
    onSuspend: () => log.push('suspend'),
    onUnheard: () => log.push('unheard'),
    onLost: () => log.push('lost'),
  });
  const put = (...sizes: number[]): void => {
    for (const size of sizes) {
      queue.push(size);
      pacer.request();
    }
  };
  return { scheduler, queue, sent, log, pacer, put };
}

test('what arrives in one task is sent in one later task, without an animation frame or a timer', () => {
  const { scheduler, sent, put } = setup(true);
  put(1, 1, 1);
  expect(sent).toEqual([]);
  expect(scheduler.pending).toBe(1);
  scheduler.flush();
  expect(sent).toHaveLength(3);
});

test('frames in flight are limited, and a cumulative ack frees them', () => {
  const { scheduler, sent, pacer, put } = setup(true, { maxFrames: 2 });
  put(1, 1, 1, 1, 1);
  scheduler.flush();
  expect(sent).toHaveLength(2);
  pacer.ack(1);
  expect(sent).toHaveLength(4);
  pacer.ack(0);
  expect(sent).toHaveLength(4);
});

test('above the high mark it holds until the low one', () => {
  const { scheduler, sent, pacer, put } = setup(true, { highBytes: 100, lowBytes: 50, maxFrames: 100 });
  put(40, 40, 40, 40);
  scheduler.flush();
  expect(sent).toHaveLength(3);
  pacer.ack(0); // 80 in flight
  expect(sent).toHaveLength(3);
  pacer.ack(1); // 40
  expect(sent).toHaveLength(4);
});

test('with nothing in flight one message goes however large', () => {
  const { scheduler, sent, pacer, put } = setup(true, { highBytes: 100, lowBytes: 50 });
  put(10_000, 10_000);
  scheduler.flush();
  expect(sent).toHaveLength(1);
  pacer.ack(0);
  expect(sent).toHaveLength(2);
});

test('a missing ack is probed for, no answer suspends, and the next ack resumes', () => {
  const { scheduler, sent, log, pacer, put } = setup(true, { maxFrames: 1, probeAfterMs: 200 });
  put(1, 1);
  scheduler.advance(200);
  expect(log).toEqual(['probe']);
  scheduler.advance(400);
  expect(log).toEqual(['probe', 'suspend', 'probe']);
  expect(pacer.suspended).toBe(true);
  put(1);
  scheduler.advance(0);
  expect(sent).toHaveLength(1);
  expect(pacer.ack(0)).toBe(true);
  expect(pacer.suspended).toBe(false);
  expect(sent).toHaveLength(2);
});

test('an ack for a part of what is in flight does not end the watch over the rest', () => {
  const { scheduler, log, pacer, put } = setup(true, { maxFrames: 2 });
  put(1, 1);
  scheduler.advance(150);
  pacer.ack(0);
  scheduler.advance(150);
  expect(log).toEqual([]);
  scheduler.advance(50);
  expect(log).toEqual(['probe']);
});

test('a view that stays silent is probed a bounded number of times, then no timer is left', () => {
  const { scheduler, log, put } = setup(true, { maxProbes: 3 });
  put(1);
  scheduler.advance(1e6);
  expect(log.filter((entry) => entry === 'probe')).toHaveLength(3);
  expect(scheduler.pending).toBe(0);
});

test('an ack that is already queued when a throttled timer fires makes the probe superfluous', () => {
  const { scheduler, log, pacer, put } = setup(true);
  put(1);
  scheduler.flush();
  // The ack sits in the task queue; the timer fires first and yields to it.
  scheduler.delay(200, () => scheduler.macrotask(() => void pacer.ack(0)));
  const late = scheduler.delay(199, () => undefined);
  late();
  scheduler.advance(200);
  expect(log.filter((entry) => entry === 'suspend')).toEqual([]);
  expect(pacer.inFlight).toBe(0);
});

test('a view that answers but never progresses has lost its messages', () => {
  const { scheduler, log, pacer, put } = setup(true, { lostAfterMs: 5_000 });
  put(1);
  scheduler.advance(4_999);
  pacer.ack(-1);
  expect(log).not.toContain('lost');
  scheduler.advance(1);
  pacer.ack(-1);
  expect(log.at(-1)).toBe('lost');
});

test('an answer from inside the probe leaves one timer, not two', () => {
  const scheduler = createManualScheduler();
  let queued = 1;
  const pacer = createPacer({
    acks: true,
    scheduler,
    queued: () => queued > 0,
    send: () => ({ seq: --queued, bytes: 1 }),
    probe: () => void pacer.ack(-1),
    onSuspend: () => undefined,
    onUnheard: () => undefined,
    onLost: () => undefined,
  });
  pacer.request();
  scheduler.advance(200);
  expect(scheduler.pending).toBe(1);
  pacer.close();
  expect(scheduler.pending).toBe(0);
});

test('acks that never get through, as behind a proxy that drops them, end neither stream nor count', () => {
  const { scheduler, sent, log, pacer, put } = setup(true);
  put(...Array.from({ length: 500 }, () => 1_000));
  scheduler.advance(1_399);
  expect(log).toEqual(['probe', 'suspend', 'probe']);
  expect(sent).toHaveLength(6);
  scheduler.advance(1);
  expect(log).toEqual(['probe', 'suspend', 'probe', 'unheard', 'probe']);
  expect(pacer.suspended).toBe(false);
  expect(sent).toHaveLength(14); // a window of a view without acks
  scheduler.advance(16);
  expect(sent).toHaveLength(22);
  scheduler.advance(60_000);
  expect(sent).toHaveLength(500);
  // One record for all that nobody may ever settle, and no timer once nothing waits.
  expect(pacer.inFlight).toBeLessThanOrEqual(6);
  expect(scheduler.pending).toBe(0);
});

test('the first ack of a view that was unheard brings credit back, and any progress says that nothing is lost', () => {
  const { scheduler, sent, log, pacer, put } = setup(true, { maxFrames: 2 });
  put(...Array.from({ length: 40 }, () => 1));
  scheduler.advance(1_400);
  const before = sent.length;
  expect(before).toBeGreaterThan(2);
  scheduler.advance(20_000);
  expect(sent).toHaveLength(40);
  put(1, 1, 1);
  expect(pacer.ack(0)).toBe(true);
  expect(log).not.toContain('lost');
  expect(pacer.ack(0)).toBe(false);
  scheduler.flush();
  expect(sent.length - 40).toBeLessThanOrEqual(2);
  pacer.ack(sent.length - 1);
  expect(sent).toHaveLength(43);
  pacer.ack(42);
  expect(pacer.inFlight).toBe(0);
  expect(scheduler.pending).toBe(0);
});

test('a view that was heard once is suspended, not taken for unheard', () => {
  const { scheduler, sent, log, pacer, put } = setup(true, { maxFrames: 1 });
  put(1, 1, 1);
  scheduler.flush();
  pacer.ack(0);
  scheduler.advance(60_000);
  expect(sent).toHaveLength(2);
  expect(log).not.toContain('unheard');
  expect(pacer.suspended).toBe(true);
});

test('property: acks from inside the send settle what was sent, in order, and leave nothing in flight', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (sizes, maxFrames) => {
        const scheduler = createManualScheduler();
        const queue = [...sizes];
        const sent: number[] = [];
        const pacer = createPacer({
          acks: true,
          scheduler,
          limits: { maxFrames, highBytes: 600, lowBytes: 300 },
          queued: () => queue.length > 0,
          send() {
            const message = { seq: sent.length, bytes: queue.shift()! };
            sent.push(message.bytes);
            pacer.ack(message.seq);
            return message;
          },
          probe: () => undefined,
          onSuspend: () => undefined,
          onUnheard: () => undefined,
          onLost: () => undefined,
        });
        pacer.request();
        scheduler.flush();
        expect(sent).toEqual(sizes);
        expect(pacer.inFlight).toBe(0);
        expect(scheduler.pending).toBe(0);
      },
    ),
  );
});

test('closing from inside the send leaves no timer', () => {
  const scheduler = createManualScheduler();
  let queued = 2;
  const pacer = createPacer({
    acks: true,
    scheduler,
    queued: () => queued > 0,
    send() {
      pacer.close();
      return { seq: --queued, bytes: 1 };
    },
    probe: () => undefined,
    onSuspend: () => undefined,
    onUnheard: () => undefined,
    onLost: () => undefined,
  });
  pacer.request();
  scheduler.flush();
  expect(queued).toBe(1);
  expect(scheduler.pending).toBe(0);
});

test('case 4: the trailing message leaves within one window, without further traffic', () => {
  const { scheduler, sent, put } = setup(false, { intervalMs: 150, messagesPerInterval: 1 });
  put(1);
  scheduler.advance(20);
  put(1);
  scheduler.advance(5_000);
  expect(sent.map(({ at }) => at)).toEqual([0, 150]);
  expect(scheduler.pending).toBe(0);
});

test('case 35: a limit set by the embedder is the rate seen, with and without acks', () => {
  for (const acks of [false, true]) {
    const { scheduler, sent, pacer, put } = setup(acks, { intervalMs: 1_000, messagesPerInterval: 5 });
    for (let ms = 0; ms < 980; ms += 20) {
      put(1);
      scheduler.advance(20);
      pacer.ack(sent.length - 1);
    }
    expect(sent).toHaveLength(5);
  }
});

test('case 32: an arrival makes up for a window timer that a hidden tab throttles', () => {
  const { scheduler, sent, queue, pacer } = setup(false, { intervalMs: 16, messagesPerInterval: 1 });
  const throttled = { ...scheduler, delay: (_ms: number, run: () => void) => scheduler.delay(1_000, run) };
  const slow = createPacer({
    acks: false,
    scheduler: throttled,
    limits: { intervalMs: 16, messagesPerInterval: 1 },
    queued: () => queue.length > 0,
    send: () => {
      const message = { seq: sent.length, bytes: queue.shift()!, at: scheduler.now() };
      sent.push(message);
      return message;
    },
    probe: () => undefined,
    onSuspend: () => undefined,
    onUnheard: () => undefined,
    onLost: () => undefined,
  });
  pacer.close();
  for (let i = 0; i < 10; i++) {
    queue.push(1);
    slow.request();
    scheduler.advance(16);
  }
  expect(sent).toHaveLength(10);
});

test('closing stops every timer and sends nothing more', () => {
  for (const acks of [true, false]) {
    const { scheduler, sent, pacer, put } = setup(acks, { messagesPerInterval: 1, intervalMs: 50 });
    put(1, 1, 1);
    scheduler.flush();
    pacer.close();
    pacer.close();
    put(1);
    pacer.ack(0);
    scheduler.advance(10_000);
    expect(sent).toHaveLength(1);
    expect(scheduler.pending).toBe(0);
  }
});

/* A view that loses acks at random and answers probes must still get everything, within the marks. */
test('property: no sizes and no lost acks stop it, and the marks hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }),
      fc.infiniteStream(fc.boolean()),
      fc.integer({ min: 1, max: 8 }),
      (sizes, lost, maxFrames) => {
        const highBytes = 600;
        const { scheduler, sent, log, pacer, put } = setup(true, { maxFrames, highBytes, lowBytes: 300 });
        const losses = lost[Symbol.iterator]();
        put(...sizes);
        scheduler.flush();
        let probes = 0;
        for (let round = 0; round < 1_000 && sent.length < sizes.length; round++) {
          expect(pacer.inFlight).toBeLessThanOrEqual(maxFrames);
          if (losses.next().value) {
            scheduler.advance(2_000);
            // Every probe is answered: the view is alive, only its acks get lost.
            const asked = log.filter((entry) => entry === 'probe').length;
            if (asked > probes) pacer.ack(sent.length - 1);
            probes = asked;
          } else {
            pacer.ack(sent.length - 1);
          }
        }
        expect(sent.map(({ bytes }) => bytes)).toEqual(sizes);
        expect(log).not.toContain('lost');
      },
    ),
  );
});
