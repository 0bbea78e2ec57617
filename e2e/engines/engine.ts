import type { Results } from '../contract/host/check.ts';

/** A browser engine besides Chromium. */
export interface Engine {
  name: string;
  /** Debian packages that bring it. */
  packages: readonly string[];
  /** Files that must be there. */
  needs: readonly string[];
  /** Starts a browser that shows one page after the other. */
  open(): Promise<Browser>;
}

/** As little of a browser as the contract page needs: it runs its checks itself. */
export interface Browser {
  goto(url: string): Promise<void>;
  /** What the page has found so far. */
  results(): Promise<Results | undefined>;
  close(): Promise<void>;
}
