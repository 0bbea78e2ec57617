import type { PartialResultToken } from '@mcp-apps-bridge/partial-results';
import type { Progress } from '@mcp-apps-bridge/partial-results/client';
import type { Cancel, Scheduler } from '@mcp-apps-bridge/partial-results/stream';

/** Progress of a view's call, under the view's own token. */
export interface ProgressRelay {
  push(progress: Progress): void;
  /** Sends what waits: after the response the view does not know the token any more. */
  flush(): void;
  close(): void;
}

/** One message a task at most: of progress only the latest says anything (S13). */
export function createProgressRelay(options: {
  token: PartialResultToken;
  scheduler: Scheduler;
  notify(method: string, params: Record<string, unknown>): void;
}): ProgressRelay {
  let latest: Progress | undefined;
  let cancel: Cancel | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    const progress = latest;
    latest = undefined;
    if (!progress) return;
    try {
      options.notify('notifications/progress', { ...progress, progressToken: options.token });
    } catch {
      // The view is gone; its call ends for that reason, not for this one.
    }
  }

  return {
    push(progress) {
      latest = progress;
      cancel ??= options.scheduler.macrotask(flush);
    },
    flush,
    close() {
      latest = undefined;
      cancel?.();
      cancel = undefined;
    },
  };
}
