import { TOOL_OUTPUT_ACK_METHOD } from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RpcMessage } from './frame-channel.ts';
import { createViewTraffic, type TrafficEvent, type TrafficLimits } from './view-traffic.ts';

function setUp(limits?: Partial<TrafficLimits>) {
  const scheduler = createManualScheduler();
  const events: TrafficEvent[] = [];
  const answers: RpcMessage[] = [];
  const traffic = createViewTraffic({
    scheduler,
    limits,
    refuse: (message) => answers.push(message),
    onEvent: (event) => events.push(event),
  });
  return { scheduler, events, answers, traffic };
}

const note = (method = 'notifications/message', params: object = {}): RpcMessage => ({
  jsonrpc: '2.0',
  method,
  params,
});
const request = (id: unknown, method = 'tools/call'): RpcMessage => ({ jsonrpc: '2.0', id, method });

describe('a flood of messages', () => {
  test('is cut to the burst, then to the rate, and reported once a second', () => {
    const { traffic, scheduler, events } = setUp({ burst: 10, messagesPerSecond: 5 });
    const send = (count: number): number =>
      Array.from({ length: count }).filter(() => traffic.admit(note())).length;
    expect(send(100)).toBe(10);
    scheduler.advance(1_000);
    expect(send(100)).toBe(5);
    scheduler.advance(10_000);
    expect(events).toEqual([
      { type: 'message_flood', dropped: 90 },
      { type: 'message_flood', dropped: 95 },
    ]);
    expect(send(100)).toBe(10);
  });

  test('never lets more through than burst and rate allow, at whatever pace it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(300), fc.nat(50)), { maxLength: 40 }), (steps) => {
        const { traffic, scheduler } = setUp({ burst: 20, messagesPerSecond: 100 });
        let passed = 0;
        for (const [wait, count] of steps) {
          scheduler.advance(wait);
          for (let i = 0; i < count; i++) if (traffic.admit(note())) passed++;
        }
        expect(passed).toBeLessThanOrEqual(20 + scheduler.now() / 10);
      }),
    );
  });

  test('leaves room for the acks of a fast stream', () => {
    const { traffic } = setUp({ burst: 10, messagesPerSecond: 1 });
    const acks = Array.from({ length: 190 }).filter(() => traffic.admit(note(TOOL_OUTPUT_ACK_METHOD)));
    expect(acks).toHaveLength(190);
  });
});

describe('a huge message', () => {
  test.each([
    ['long', { text: 'x'.repeat(1_000) }],
    ['deep', JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) as object],
  ])('that is %s is dropped', (_, params) => {
    const { traffic, events } = setUp({ maxMessageBytes: 1_000 });
    expect(traffic.admit(note('ui/message', params))).toBe(false);
    expect(traffic.admit(note())).toBe(true);
    expect(events).toEqual([{ type: 'message_too_large', method: 'ui/message' }]);
  });
});

describe('requests without an answer', () => {
  test('are limited; what is over is answered with an error, and an answer makes room', () => {
    const { traffic, answers, events } = setUp({ maxOpenRequests: 2 });
    expect([1, 'b', 3].map((id) => traffic.admit(request(id)))).toEqual([true, true, false]);
    expect(answers).toMatchObject([{ id: 3, error: { code: -32_000 } }]);
    expect(events).toEqual([{ type: 'too_many_requests', method: 'tools/call' }]);
    traffic.sent({ jsonrpc: '2.0', id: 'b', result: {} });
    expect([4, 5].map((id) => traffic.admit(request(id)))).toEqual([true, false]);
  });

  test('that the view cancels are no longer open, since they get none', () => {
    const { traffic } = setUp({ maxOpenRequests: 1 });
    traffic.admit(request(1));
    traffic.admit(note('notifications/cancelled', { requestId: 1 }));
    expect(traffic.admit(request(2))).toBe(true);
  });

  test("are not ended by the host's own requests of the same number", () => {
    const { traffic } = setUp({ maxOpenRequests: 1 });
    traffic.admit(request(1));
    traffic.sent({ jsonrpc: '2.0', id: 1, method: 'ui/resource-teardown' });
    expect(traffic.admit(request(2))).toBe(false);
  });
});

test('no timer is left after the end', () => {
  const { traffic, scheduler, events } = setUp({ burst: 1 });
  traffic.admit(note());
  traffic.admit(note());
  traffic.close();
  expect(scheduler.pending).toBe(0);
  expect(events).toEqual([]);
});
