import { beforeAll, describe, expect, it } from 'vitest';
import { same } from './support/assert.ts';
import { createWorld, type Action, type World, type WorldOptions } from './support/credit-world.ts';

/*
 * Credit cannot lock up: every state that a few messages can reach by any schedule of sends, deliveries,
 * losses, tasks and timers is visited, breadth first, with the real pacer and acknowledger, and from each
 * of them the stream must come through once nothing more is lost.
 */

const LIMITS = { maxFrames: 2, highBytes: 120, lowBytes: 60, probeAfterMs: 10, lostAfterMs: 35 };

type Path = readonly Action[];

function reach(options: WorldOptions, path: Path): World {
  const world = createWorld(options);
  for (const action of path) world.act(action);
  return world;
}

/** A way to every state there is, the shortest, found breadth first. */
function explore(options: WorldOptions): Path[] {
  const seen = new Set<string>();
  const found: Path[] = [];
  let frontier: Path[] = [[]];
  while (frontier.length > 0) {
    const further: Path[] = [];
    for (const path of frontier) {
      const world = reach(options, path);
      const { key } = world;
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(path);
      for (const action of world.possible()) further.push([...path, action]);
    }
    frontier = further;
  }
  return found;
}

function check(path: Path, is: unknown, wanted: unknown): void {
  same({ path, is }, { path, is: wanted });
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

describe('with a view that lives', () => {
  const options: WorldOptions = {
    messages: 2,
    losses: 1,
    replays: 1,
    limits: { ...LIMITS, maxProbes: 2 },
  };
  let paths: Path[];
  beforeAll(() => {
    paths = explore(options);
  }, 120_000);

  it('from every state everything queued is settled in the end', () => {
    expect(paths.length).toBeGreaterThan(1_000);
    for (const path of paths) {
      const world = reach(options, path);
      if (world.closed) continue;
      // Never waits with nothing on its way to end the wait.
      if (world.waiting) check(path, world.moving, true);
      letRun(world);
      check(path, world.settled, true);
    }
  }, 120_000);

  it('closed in any state, it leaves no timer and sends nothing more', () => {
    for (const path of paths) {
      const world = reach(options, path);
      if (!world.closed) world.act('close');
      const { sent } = world;
      world.wake();
      check(path, [world.jobs, world.sent], [0, sent]);
    }
  }, 120_000);
});

it('a view is no longer asked only after every probe went unanswered, and any word of the view resumes it', () => {
  const options: WorldOptions = { messages: 1, losses: 3, replays: 1, limits: { ...LIMITS, maxProbes: 2 } };
  let stuck = 0;
  for (const path of explore(options)) {
    const world = reach(options, path);
    if (world.closed) continue;
    if (world.waiting && !world.moving) {
      stuck++;
      check(path, [world.suspended, world.unanswered], [true, 2]);
      world.wake();
    }
    letRun(world);
    if (world.waiting) {
      check(path, [world.suspended, world.unanswered], [true, 2]);
      world.wake();
      letRun(world);
    }
    check(path, world.settled, true);
  }
  expect(stuck).toBeGreaterThan(0);
}, 120_000);

it('from every state with a view whose acks never get through, everything queued is sent in the end', () => {
  const limits = { ...LIMITS, maxFrames: 1, maxProbes: 3, unheardProbes: 2 };
  const options: WorldOptions = { messages: 4, losses: 1, replays: 0, deaf: true, limits };
  const paths = explore(options);
  expect(paths.length).toBeGreaterThan(100);
  for (const path of paths) {
    const world = reach(options, path);
    if (world.closed) continue;
    if (world.backlog > 0) check(path, world.moving, true);
    letRun(world);
    check(path, [world.backlog, world.jobs], [0, 0]);
  }
}, 120_000);
