import type { AppLike } from './app-hub.ts';

/*
 * Hot path. The SDK validates each message several times with zod, which is 20 to 90 µs; the runtime's own check of a
 * chunk is a tenth of one. So what an app has a runtime for is taken from the window before its transport looks.
 */

/** @returns whether it took the message; `false` leaves it to the SDK. */
type Take = (method: unknown, params: unknown) => boolean;

const takers = new Map<AppLike, Take>();
/** Where acks can go, once the parent has said something. */
let address: string | undefined;

/** Until {@link release}. Where there is no window, the app's own handlers are the only ones. */
export function divert(app: AppLike, taker: Take): void {
  if (typeof window === 'undefined') return;
  takers.set(app, taker);
  // Captured, so that it comes before a transport that listens already.
  window.addEventListener('message', onMessage, true);
}

export function release(app: AppLike): void {
  if (takers.delete(app) && takers.size === 0) window.removeEventListener('message', onMessage, true);
}

/** Where the app's parent takes messages, in the terms of `postMessage`; known once it has sent one to take here. */
export function addressOf(app: AppLike): string | undefined {
  return address && app.transport && listensToParent(app) ? address : undefined;
}

function onMessage(event: MessageEvent): void {
  const { data, source, origin } = event;
  if (source !== parent || data?.jsonrpc !== '2.0' || 'id' in data) return;
  const due = [...takers].filter(([app]) => app.transport);
  // To stop the event would take it from the transport of every other app as well, whatever that is.
  if (!due.every(([app]) => listensToParent(app))) return;
  // An origin that is no address is reached as the app's transport reaches every parent.
  address = /^https?:/.test(origin) ? origin : '*';
  for (const [, taker] of due) if (taker(data.method, data.params)) event.stopImmediatePropagation();
}

/**
 * By these fields of its transport, in 2.x and 1.7; where others are used the SDK goes on to deliver. So it does to a
 * transport that somebody made his own, by replacing `send` or by a subclass: he wants to see what passes.
 */
function listensToParent(app: AppLike): boolean {
  const { eventSource, eventTarget, send } = app.transport as Record<string, unknown>;
  const { getPrototypeOf } = Object;
  const own = getPrototypeOf(app.transport);
  return (
    (eventSource ?? eventTarget) === parent && send === own.send && getPrototypeOf(own) === Object.prototype
  );
}
