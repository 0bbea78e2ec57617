import type { Results } from '../contract/host/check.ts';
import type { Browser } from './engine.ts';

/** A page that has found nothing new for this long has hung. */
const PATIENCE_MS = 150_000;

/** Waits until the page that checks itself is done. */
export async function finished<R extends Results>(browser: Browser): Promise<R> {
  let seen = -1;
  let since = Date.now();
  let count = 0;
  for (;;) {
    const results = await within(
      PATIENCE_MS,
      browser.results(),
      () => `the browser answers nothing after ${count} checks`,
    );
    if (results?.done) return results as R;
    count = results?.checks.length ?? 0;
    if (count !== seen) [seen, since] = [count, Date.now()];
    if (Date.now() - since > PATIENCE_MS) throw new Error(`the page hangs after ${count} checks`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Rejects when that long nothing comes of it. */
export async function within<T>(ms: number, promise: Promise<T>, message: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message())), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
