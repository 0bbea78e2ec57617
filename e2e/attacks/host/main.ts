import type { Results } from '../../contract/host/check.ts';
import type { Attack, Row } from '../attack.ts';
import { FAMILIES, RESIDUALS } from '../families/index.ts';
import { openLab } from './lab.ts';
import { problemOf, runAttack, runResidual } from './run.ts';
import { openWorld } from './world.ts';

/*
 * A page that attacks the bridge in it and leaves what came of it in `window.__results`: `checks` as the contract
 * page does, and `rows` for the table.
 *
 *   ?only=reach,navigate  some families; default all
 *   &name=text            only attacks whose name holds the text
 *   &width=6              how many run side by side
 *   ?stage=bridge&key=…   shows the app of `name` and attacks nothing
 */
export interface AttackResults extends Results {
  rows: Row[];
  /** The browser as it names itself. */
  agent: string;
}

declare global {
  interface Window {
    __results: Results;
  }
}

const results: AttackResults = {
  done: false,
  passed: 0,
  failed: 0,
  checks: [],
  rows: [],
  agent: navigator.userAgent,
};
window.__results = results;
const query = new URLSearchParams(location.search);
const only = query.get('only')?.split(',');
const name = query.get('name') ?? '';
const width = Number(query.get('width') ?? 6);
/* Where attacks that navigate the page expect it. */
if (!query.has('stage')) history.replaceState(null, '', '/?');

function check(name: string, problem: string): void {
  results.checks.push({ name, ok: problem === '', detail: problem });
  results[problem === '' ? 'passed' : 'failed']++;
  document.getElementById('status')!.textContent = `${results.passed} passed, ${results.failed} failed`;
  if (problem === '') return;
  document
    .getElementById('checks')!
    .appendChild(document.createElement('li')).textContent = `${name}: ${problem}`;
}

const world = await openWorld();

/* A host page for somebody else's window: one app, and nothing to report. */
const stage = query.get('stage');
if (stage === 'naive' || stage === 'bridge') {
  const lab = openLab(world, { name }, query.get('key') ?? '');
  await (stage === 'naive' ? lab.naive(true) : lab.bridge());
  await new Promise(() => undefined);
}

const wanted = FAMILIES.filter((family) => !only || only.includes(family.name)).flatMap((family) =>
  family.attacks
    .filter((attack) => attack.name.includes(name))
    .map((attack) => ({ family: family.name, attack })),
);

interface Wanted {
  family: string;
  attack: Attack;
}

/** @param last whatever came of it counts; else one that showed nothing is kept for another try. */
async function run({ family, attack }: Wanted, last: boolean): Promise<boolean> {
  const row = await runAttack(world, family, attack);
  const problem = problemOf(row, attack);
  if (problem !== '' && row.guarded !== 'HARM' && !last) return false;
  results.rows.push(row);
  check(`${family}: ${attack.name}`, problem);
  return true;
}

const [alone, together] = [true, false].map((value) =>
  wanted.filter(({ attack }) => (attack.alone ?? false) === value),
);
const queue = [...together!];
await Promise.all(
  Array.from({ length: width }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      /* On a busy machine an app may not get its turn in time; on its own it does. Harm is never tried again. */
      if (!(await run(next, false))) alone!.push(next);
    }
  }),
);
for (const next of alone!) await run(next, true);
if (!only || only.includes('residual')) {
  for (const residual of RESIDUALS) results.rows.push(await runResidual(world, residual));
}
results.done = true;
