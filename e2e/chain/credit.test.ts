import { expect, it } from 'vitest';
import { createWorld, type Action, type World, type WorldOptions } from './support/credit-world.ts';

/*
 * Credit cannot lock up: every state that a few messages can reach by any schedule of sends, deliveries,
 * losses, tasks and timers is visited, breadth first, with the real pacer and acknowledger, and from each
 * of them the stream must come through once nothing more is lost.
 */

const LIMITS = { maxFrames: 2, highBytes: 120, lowBytes: 60, probeAfterMs: 10, lostAfterMs: 35 };

function reach(options: WorldOptions, path: readonly Action[]): World {
  const world = createWorld(options);
  for (const action of path) world.act(action);
  return world;
}

/** Visits every state once. @returns how many there are. */
function explore(options: WorldOptions, visit: (world: World, path: readonly Action[]) => void): number {
  const seen = new Set<string>();
  let frontier: Action[][] = [[]];
  while (frontier.length > 0) {
    const further: Action[][] = [];
    for (const path of frontier) {
      const world = reach(options, path);
      const { key } = world;
      if (seen.has(key)) continue;
      seen.add(key);
      const actions = world.possible();
      visit(world, path);
      for (const action of actions) further.push([...path, action]);
    }
    frontier = further;
  }
  return seen.size;
}

/** From here on nothing is lost and everything under way comes, timers last. */
const FAIR: readonly Action[] = ['deliver', 'ack', 'host task', 'view task', 'timer'];

function letRun(world: World): void {
  for (let step = 0; step < 500; step++) {
    const possible = new Set(world.possible());
    const action = FAIR.find((candidate) => possible.has(candidate));
    if (!action) return;
    world.act(action);
  }
  throw new Error('it never comes to rest');
}

it('from every state with a view that lives, everything queued is settled in the end', () => {
  const options: WorldOptions = {
    messages: 2,
    losses: 1,
    replays: 1,
    limits: { ...LIMITS, maxProbes: 2 },
  };
  const states = explore(options, (world, path) => {
    if (world.closed) return;
    // Never waits with nothing on its way to end the wait.
    if (world.waiting) expect({ path, is: world.moving }).toEqual({ path, is: true });
    letRun(world);
    expect({ path, is: world.settled }).toEqual({ path, is: true });
  });
  expect(states).toBeGreaterThan(1_000);
}, 120_000);

it('a view is no longer asked only after every probe went unanswered, and any word of the view resumes it', () => {
  const options: WorldOptions = { messages: 1, losses: 3, replays: 1, limits: { ...LIMITS, maxProbes: 2 } };
  let stuck = 0;
  explore(options, (world, path) => {
    if (world.closed) return;
    if (world.waiting && !world.moving) {
      stuck++;
      expect({ path, is: [world.suspended, world.unanswered] }).toEqual({ path, is: [true, 2] });
      world.wake();
    }
    letRun(world);
    if (world.waiting) {
      expect({ path, is: [world.suspended, world.unanswered] }).toEqual({ path, is: [true, 2] });
      world.wake();
      letRun(world);
    }
    expect({ path, is: world.settled }).toEqual({ path, is: true });
  });
  expect(stuck).toBeGreaterThan(0);
}, 120_000);

it('from every state with a view whose acks never get through, everything queued is sent in the end', () => {
  const limits = { ...LIMITS, maxFrames: 1, maxProbes: 3, unheardProbes: 2 };
  const options: WorldOptions = { messages: 4, losses: 1, replays: 0, deaf: true, limits };
  const states = explore(options, (world, path) => {
    if (world.closed) return;
    if (world.backlog > 0) expect({ path, is: world.moving }).toEqual({ path, is: true });
    letRun(world);
    expect({ path, is: [world.backlog, world.jobs] }).toEqual({ path, is: [0, 0] });
  });
  expect(states).toBeGreaterThan(100);
}, 120_000);

it('closed in any state, it leaves no timer and sends nothing more', () => {
  const options: WorldOptions = { messages: 2, losses: 1, replays: 1, limits: { ...LIMITS, maxProbes: 2 } };
  explore(options, (world, path) => {
    if (!world.closed) world.act('close');
    const { sent } = world;
    world.wake();
    expect({ path, is: [world.jobs, world.sent] }).toEqual({ path, is: [0, sent] });
  });
}, 120_000);
