/**
 * Milliseconds between two steps of a streamed tool, from `DEMO_PACE_MS`. The rows are few and would be
 * done at once; real sources are not. Tests set it to 0.
 */
export function paceFromEnv(): number {
  const value = Number(process.env['DEMO_PACE_MS'] ?? '65');
  if (!Number.isFinite(value) || value < 0)
    throw new Error('DEMO_PACE_MS must be a number of milliseconds, 0 or more.');
  return value;
}

/** Waits, and rejects with the reason as soon as `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
