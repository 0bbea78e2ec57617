import { ANYTHING } from '../any-schema.ts';
import { MAX_DELAY_MS } from '../call-clock.ts';
import { PartialResultsError } from '../errors.ts';
import { isPlainObject } from '../guards.ts';
import type { AbortSignalLike } from '../opt-in.ts';
import { tapTransport, type TransportLike } from '../tap.ts';
import { wrapTaskMethod } from './task-request.ts';

/** What is used of an SDK client. */
export interface TaskClient {
  request(request: { method: string; params?: Record<string, unknown> }, ...rest: never[]): Promise<unknown>;
  readonly transport?: TransportLike | undefined;
}

/** @throws PartialResultsError `connection_closed` without a connection; the SDK's and the server's errors. */
export async function requestTask(
  client: TaskClient,
  method: string,
  params: Record<string, unknown>,
  signal?: AbortSignalLike,
): Promise<Record<string, unknown>> {
  if (!tapTransport(client.transport)) {
    throw new PartialResultsError(
      'connection_closed',
      'The client is not connected; connect it, then ask again',
    );
  }
  const options = { timeout: MAX_DELAY_MS, ...(signal && { signal }) };
  const request = { method: wrapTaskMethod(method), params };
  const result = await client.request(request, ...([ANYTHING, options] as never[]));
  return isPlainObject(result) ? result : {};
}
