import { createPartialEmitter, type PartialEmitter, type PartialEmitterOptions } from './emitter.ts';
import type { PartialResultBody } from './types.ts';

/** What a wrapped handler finds on its context. */
export interface EmitsPartials {
  /**
   * Sends one chunk of this call's output; a no-op when the caller did not ask for chunks, so a tool
   * need not know. The result the handler returns must be complete all the same (S7).
   * See {@link PartialEmitter.emit} for what it resolves on and throws.
   */
  emitPartial(body: PartialResultBody): Promise<void>;
}

/** The parameters of a handler, with `emitPartial` on the context, which comes last. */
type Extended<Params> = Params extends [infer Args, infer Context]
  ? [args: Args, context: Context & EmitsPartials]
  : Params extends [infer Context]
    ? [context: Context & EmitsPartials]
    : never;

/**
 * Gives a tool handler of SDK v2 or v1 `emitPartial` on its context. The wrapped handler takes what
 * the handler took, so it goes where the handler went:
 *
 * ```ts
 * server.registerTool('report', { inputSchema }, withPartialResults(async ({ topic }, ctx) => {
 *   for await (const text of write(topic)) await ctx.emitPartial({ content: [{ type: 'text', text }] });
 *   return { content: [{ type: 'text', text: await wholeReport(topic) }] };
 * }));
 * ```
 *
 * What is queued when the handler returns or throws leaves before its result (bounded by
 * `maxFlushMs`), what is emitted after that, or after an abort, is ignored (S9).
 */
export function withPartialResults<Params extends [unknown] | [unknown, unknown], Result>(
  handler: (...params: Extended<Params>) => Result | Promise<Result>,
  options?: PartialEmitterOptions,
): (...params: Params) => Promise<Result>;
/**
 * For handlers whose parameters carry their types: those written elsewhere, and those of tools without
 * input, where nothing tells the compiler the context's type: `async (ctx: ServerContext & EmitsPartials) => …`.
 */
export function withPartialResults<Context, Result>(
  handler: (context: Context & EmitsPartials) => Result | Promise<Result>,
  options?: PartialEmitterOptions,
): (context: Context) => Promise<Result>;
export function withPartialResults<Args, Context, Result>(
  handler: (args: Args, context: Context & EmitsPartials) => Result | Promise<Result>,
  options?: PartialEmitterOptions,
): (args: Args, context: Context) => Promise<Result>;
export function withPartialResults(
  handler: (...params: never[]) => unknown,
  options?: PartialEmitterOptions,
): (...params: never[]) => Promise<unknown> {
  return async (...params: unknown[]) => {
    // Both SDKs call a tool without input with its context alone.
    const args = params.slice(0, -1);
    const context = params.at(-1);
    const emitter = createPartialEmitter(context, options);
    try {
      return await handler(...([...args, extend(context, emitter)] as never[]));
    } finally {
      await emitter.end();
    }
  };
}

/** A copy, since the SDK's own object may be shared by several handlers; accessors and prototype stay. */
function extend(context: unknown, emitter: PartialEmitter): EmitsPartials {
  const known = typeof context === 'object' && context !== null ? context : {};
  const copy = Object.create(Object.getPrototypeOf(known), Object.getOwnPropertyDescriptors(known));
  copy.emitPartial = emitter.emit;
  return copy;
}
