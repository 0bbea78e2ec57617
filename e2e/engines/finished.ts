import type { Results } from '../contract/host/check.ts';
import type { Browser } from './engine.ts';

/** A page that has found nothing new for this long has hung. */
const PATIENCE_MS = 150_000;

/** Waits until the page that checks itself is done. */
export async function finished<R extends Results>(browser: Browser): Promise<R> {
  let seen = -1;
  let since = Date.now();
  for (;;) {
    const results = await browser.results();
    if (results?.done) return results as R;
    const count = results?.checks.length ?? 0;
    if (count !== seen) [seen, since] = [count, Date.now()];
    if (Date.now() - since > PATIENCE_MS) throw new Error(`the page hangs after ${count} checks`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
