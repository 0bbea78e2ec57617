import { describe, expect, it } from 'vitest';
import { createCallGate } from './call-gate.ts';

const ORIGIN = 'http://127.0.0.1:1';
const never = new AbortController().signal;

describe('a call gate', () => {
  it('runs four calls of an origin at once, queues the rest and starts them in order', async () => {
    const gate = createCallGate();
    const started: number[] = [];
    const queued: number[] = [];
    const leave: Array<() => void> = [];
    const calls = [...Array(8).keys()].map(async (n) => {
      const done = await gate.enter(ORIGIN, never, () => queued.push(n));
      started.push(n);
      leave.push(done);
    });
    await Promise.all(calls.slice(0, 4));
    expect(started).toEqual([0, 1, 2, 3]);
    expect(queued).toEqual([4, 5, 6, 7]);
    expect(gate.load(ORIGIN)).toEqual({ running: 4, waiting: 4 });
    for (let n = 4; n < 8; n++) {
      leave[n - 4]!();
      leave[n - 4]!();
      await calls[n];
      expect(started).toHaveLength(n + 1);
      expect(gate.load(ORIGIN).running).toBe(4);
    }
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    leave.forEach((done) => done());
    expect(gate.load(ORIGIN)).toEqual({ running: 0, waiting: 0 });
  });

  it('does not count one origin against another', async () => {
    const gate = createCallGate(1);
    await gate.enter(ORIGIN, never, () => expect.unreachable());
    await gate.enter('http://127.0.0.1:2', never, () => expect.unreachable());
  });

  it('a call cancelled while it waits gives up its place in the queue and takes none', async () => {
    const gate = createCallGate(1);
    const leave = await gate.enter(ORIGIN, never, () => {});
    const cancel = new AbortController();
    const waiting = gate.enter(ORIGIN, cancel.signal, () => {});
    const next = gate.enter(ORIGIN, never, () => {});
    cancel.abort(new Error('no longer wanted'));
    await expect(waiting).rejects.toThrow('no longer wanted');
    expect(gate.load(ORIGIN)).toEqual({ running: 1, waiting: 1 });
    leave();
    await next;
    expect(gate.load(ORIGIN)).toEqual({ running: 1, waiting: 0 });
  });

  it('a call already cancelled never enters', async () => {
    const gate = createCallGate();
    await expect(gate.enter(ORIGIN, AbortSignal.abort(), () => {})).rejects.toThrow('aborted');
    expect(gate.load(ORIGIN).running).toBe(0);
  });
});
