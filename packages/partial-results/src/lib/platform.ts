import type { AbortSignalLike } from './opt-in.ts';

/* What this package takes from its environment; it is compiled with neither DOM nor Node types. */
interface Platform {
  AbortController: new () => { readonly signal: AbortSignalLike; abort(reason?: unknown): void };
  crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
}

const platform = globalThis as unknown as Platform;

export function createAbortController(): { readonly signal: AbortSignalLike; abort(reason?: unknown): void } {
  return new platform.AbortController();
}

/** 128 random bits (S9: unguessable). `randomUUID` would need a secure context in browsers. */
export function createToken(): string {
  return `prt-${randomHex()}`;
}

/** As hard to guess: whoever knows it may read the task. */
export function createTaskId(): string {
  return `task-${randomHex()}`;
}

function randomHex(): string {
  const bytes = platform.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
