import type { Attack, Residual, Row } from '../attack.ts';
import { openLab, type OpenLab } from './lab.ts';
import type { World } from './world.ts';

const LAUNCH_MS = 15_000;
const HUNG_MS = 40_000;
/** Longest wait for a harm that a control must show. */
const CONTROL_MS = 4_000;
/** The same where the engine is known not to do it. */
const UNLIKELY_MS = 500;
/** Least wait for a harm that must not come; and never less than a multiple of what the control needed. */
const GUARDED_MS = 400;
const TIMES_THE_CONTROL = 3;

interface Outcome {
  launched: boolean;
  harm: boolean;
  /** Milliseconds from the launch to the harm. */
  took: number;
}

const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A run that never ends, such as one whose requests the engine broke off, is one that showed nothing. */
async function attempt(...args: Parameters<typeof judge>): Promise<Outcome> {
  const hung = pause(HUNG_MS).then(() => {
    throw new Error('hung');
  });
  return Promise.race([judge(...args), hung]);
}

async function judge(
  world: World,
  attack: Pick<Attack, 'name' | 'harm'>,
  set: (lab: OpenLab) => unknown,
  patience: number,
): Promise<Outcome> {
  const lab = openLab(world, attack);
  try {
    await set(lab);
    for (const start = performance.now(); !lab.isLaunched; await pause(10)) {
      if (performance.now() - start > LAUNCH_MS)
        return { launched: false, harm: await attack.harm(lab), took: 0 };
    }
    const start = performance.now();
    for (;;) {
      const took = performance.now() - start;
      if (await attack.harm(lab)) return { launched: true, harm: true, took };
      if (took > patience) return { launched: true, harm: false, took };
      await pause(25);
    }
  } finally {
    await lab.close();
  }
}

/** Runs an attack with and without the guard. */
export async function runAttack(world: World, family: string, attack: Attack): Promise<Row> {
  const { engine } = world;
  const row = { attack: attack.name, family, engine };
  const notes: string[] = [];
  const control = await attempt(
    world,
    attack,
    (lab) => attack.control(lab),
    attack.cannot?.[engine] === undefined ? CONTROL_MS : UNLIKELY_MS,
  ).catch((error: unknown) => {
    notes.push(`control: ${String(error)}`);
    return { launched: false, harm: false, took: 0 };
  });
  const patience = Math.max(GUARDED_MS, control.took * TIMES_THE_CONTROL);
  const guarded = await attempt(world, attack, (lab) => attack.guarded(lab), patience).catch(
    (error: unknown) => {
      notes.push(String(error));
      return { launched: false, harm: false, took: 0 };
    },
  );
  const why = control.harm ? undefined : attack.cannot?.[engine];
  if (why !== undefined) notes.push(why);
  else if (!control.harm && !control.launched) notes.push('control: not launched');
  const launched = guarded.launched || why !== undefined;
  return {
    ...row,
    control: control.harm ? 'worked' : 'n/a',
    guarded: guarded.harm ? 'HARM' : launched ? 'blocked' : 'not launched',
    note: notes.join('; '),
  };
}

/** Tries what is known to stay open. One after the other, so that what comes to a port without a key is theirs. */
export async function runResidual(world: World, { port, ...residual }: Residual): Promise<Row> {
  const { engine } = world;
  const count = async (): Promise<number> => {
    if (!port) return 0;
    const answer = await fetch(`${world.place.collector}/hits?key=${port}`);
    return ((await answer.json()) as unknown[]).length;
  };
  const open = async (set: (lab: OpenLab) => unknown, patience: number): Promise<Outcome> => {
    const before = await count();
    const harm = async (): Promise<boolean> => (await count()) > before;
    return attempt(world, { name: residual.name, harm }, set, patience);
  };
  const control = await open(async (lab) => lab.bare(), port ? CONTROL_MS : 0);
  const guarded = await open((lab) => lab.bridge(), Math.max(1_500, control.took * TIMES_THE_CONTROL));
  return {
    attack: residual.name,
    family: 'residual',
    engine,
    control: control.harm ? 'worked' : 'n/a',
    guarded: guarded.harm ? 'residual' : 'blocked',
    note: port ? '' : 'nothing here can see it',
  };
}

/** What is wrong with a row, if anything: harm, an attack that never ran, or a control that proves nothing. */
export function problemOf(row: Row, attack: Attack): string {
  if (row.guarded !== 'blocked') return row.guarded;
  if (row.control === 'worked' || attack.cannot?.[row.engine] !== undefined) return '';
  return `the control did not show the attack working ${row.note}`.trimEnd();
}
