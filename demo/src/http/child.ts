/**
 * A server process of the demo, as the launcher sees it: it says where it listens in one JSON line (and in
 * a message when it was started with a channel), and it ends with the launcher.
 */
export function reportListening(urls: Record<string, string>): void {
  process.stdout.write(`${JSON.stringify(urls)}\n`);
  process.send?.(urls);
}

/** Runs `close` once at the first of SIGINT, SIGTERM or the launcher's end, then exits. */
export function endWithLauncher(close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    void close().finally(() => process.exit(0));
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (process.channel !== undefined) process.on('disconnect', end);
}

/** Prints the message of a failed start, not its stack, and exits with 1. */
export function exitOnFailure(start: Promise<unknown>): void {
  start.catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
