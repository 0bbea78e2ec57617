import { useState, useSyncExternalStore } from 'react';
import { attachToApp, type AppLike } from '../attach.ts';
import { createCounters } from '../counters.ts';
import type { AppRuntime, AppRuntimeOptions, Consumer, Snapshot } from '../types.ts';

/** The runtime of each `App`: its notifications can be claimed once, and live as long as it does. */
const attached = new WeakMap<AppLike, AppRuntime<unknown>>();

/**
 * Attaches a consumer to an `App` that has not connected yet, or returns the runtime that already is:
 * both runs of StrictMode and every remount share one (field case 70). Made for `onAppCreated` of
 * ext-apps' `useApp`.
 */
export function attachOnce<S>(app: AppLike, options: AppRuntimeOptions<S>): AppRuntime<S> {
  const known = attached.get(app);
  if (known) return known as unknown as AppRuntime<S>;
  const runtime = attachToApp<S>(app, options);
  attached.set(app, runtime);
  return runtime;
}

/**
 * The streamed output of the call this view belongs to. Renders at most once a paint.
 *
 * Give it a runtime, or an `App` and a consumer. An `App` must have been attached (`attachOnce`)
 * or must not have connected: a host sends input and result right after the handshake. One `App` has
 * one consumer, the first. While `app` is `null` the snapshot is that of a call still waiting.
 */
export function useToolOutput<S>(runtime: AppRuntime<S>): Snapshot<S>;
export function useToolOutput<S>(app: AppLike | null | undefined, consumer: Consumer<S>): Snapshot<S>;
export function useToolOutput<S>(
  source: AppRuntime<S> | AppLike | null | undefined,
  consumer?: Consumer<S>,
): Snapshot<S> {
  const [idle] = useState(() => (consumer ? idleStore(consumer) : undefined));
  const store = isRuntime<S>(source) ? source : source && consumer ? attachOnce(source, { consumer }) : idle;
  if (!store) throw new TypeError('useToolOutput(app, consumer): the consumer is missing');
  return useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
}

type Store<S> = Pick<AppRuntime<S>, 'subscribe' | 'snapshot'>;

function isRuntime<S>(source: object | null | undefined): source is AppRuntime<S> {
  return source !== null && source !== undefined && 'snapshot' in source;
}

function idleStore<S>(consumer: Consumer<S>): Store<S> {
  const snapshot: Snapshot<S> = {
    state: consumer.init(),
    status: 'waiting',
    counters: createCounters(),
    incomplete: false,
  };
  return { subscribe: () => () => undefined, snapshot: () => snapshot };
}
