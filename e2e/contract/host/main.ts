import { createChecker, type Check, type Checker, type Results } from './check.ts';
import { checkExamples } from './examples.ts';
import { checkMessages } from './messages.ts';
import { checkReloads } from './reloads.ts';
import { checkUnseen } from './unseen.ts';

/*
 * A page that checks itself and leaves what came of it in `window.__results`.
 *
 *   ?only=examples,messages   some groups; default all
 *   &seeds=2 &step=3 &width=4 &kinds=one  see ExampleOptions; `points` of a stream at which it is reloaded
 *   &control=ignore-partials  an app that does nothing with chunks: checks before the result must fail
 */
declare global {
  interface Window {
    __results: Results;
  }
}

const query = new URLSearchParams(location.search);
const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
const width = number('width', 3);
const ignorePartials = query.get('control') === 'ignore-partials';

const GROUPS: Record<string, (check: Checker) => Promise<void>> = {
  examples: async (check) =>
    checkExamples(check, {
      seeds: number('seeds', 1),
      step: number('step', 1),
      oneKind: query.get('kinds') === 'one',
      ignorePartials,
      width,
    }),
  messages: checkMessages,
  reloads: async (check) => checkReloads(check, { points: number('points', 10), ignorePartials, width }),
  unseen: checkUnseen,
};

const results: Results = { done: false, passed: 0, failed: 0, checks: [] };
window.__results = results;
const list = document.getElementById('checks')!;

function note(check: Check): void {
  results.checks.push(check);
  results[check.ok ? 'passed' : 'failed']++;
  document.getElementById('status')!.textContent = `${results.passed} passed, ${results.failed} failed`;
  if (check.ok) return;
  list.appendChild(document.createElement('li')).textContent = `${check.name}: ${check.detail}`;
}

/* An error nobody waits for is a failure like any other. */
addEventListener('error', (event) => note({ name: 'uncaught error', ok: false, detail: event.message }));
addEventListener('unhandledrejection', (event) =>
  note({ name: 'unhandled rejection', ok: false, detail: String(event.reason) }),
);

const checker = createChecker(note);
const wanted = query.get('only')?.split(',') ?? Object.keys(GROUPS);
for (const name of wanted) {
  const group = GROUPS[name];
  if (group) await checker.group(name, group);
  else checker.ok(`there is a group ${name}`, false);
}
results.done = true;
