/* `./server`: partial results from a tool handler of either SDK generation. */
export { withPartialResults, type EmitsPartials } from './lib/with-partial-results.ts';
export {
  createPartialEmitter,
  type EmitterCounters,
  type EmitterEvent,
  type PartialEmitter,
  type PartialEmitterOptions,
} from './lib/emitter.ts';
export { DEFAULT_EMIT_LIMITS, type EmitLimits } from './lib/emit-limits.ts';
export { PartialResultsError, type PartialResultsErrorCode, type TaskHandle } from './lib/errors.ts';
