/** One thing that was checked. */
export interface Check {
  /** What was run, such as an example's name, then what was looked at. */
  name: string;
  ok: boolean;
  /** Why not, or nothing. */
  detail: string;
}

/** What the page leaves in `window.__results`. */
export interface Results {
  done: boolean;
  passed: number;
  failed: number;
  checks: Check[];
}

/** Notes checks; a failed one stops nothing. */
export interface Checker {
  ok(name: string, condition: boolean, detail?: () => string): void;
  /** Compares as JSON. */
  same(name: string, got: unknown, wanted: unknown): void;
  /** Runs a group; what it throws is a failed check of its own. */
  group(name: string, run: (check: Checker) => Promise<void>): Promise<void>;
}

export function createChecker(onCheck: (check: Check) => void, prefix = ''): Checker {
  const checker: Checker = {
    ok(name, condition, detail) {
      onCheck({ name: prefix + name, ok: condition, detail: condition ? '' : (detail?.() ?? '') });
    },
    same(name, got, wanted) {
      const [left, right] = [serialize(got), serialize(wanted)];
      checker.ok(name, left === right, () => difference(left, right));
    },
    async group(name, run) {
      const inner = createChecker(onCheck, `${prefix}${name}: `);
      try {
        await run(inner);
      } catch (error) {
        inner.ok('runs', false, () => String(error));
      }
    },
  };
  return checker;
}

function serialize(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

/** Both values around the first place where they differ. */
function difference(got: string, wanted: string): string {
  let at = 0;
  while (at < got.length && got[at] === wanted[at]) at++;
  const from = Math.max(0, at - 80);
  return `at ${at}: got …${got.slice(from, at + 160)}… wanted …${wanted.slice(from, at + 160)}…`;
}

/** Waits for a condition. Whatever never comes ends as a failed check and not as a page that hangs. */
export async function until<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const patience = performance.now() + 90_000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > patience) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Runs jobs side by side, a few at a time, in their order. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  job: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await job(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
