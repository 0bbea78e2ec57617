/* A2UI surfaces from a stream of tool output, drawn with `@a2ui/lit`. Importing it registers elements. */
export { secureCatalog, type A2uiCatalog, type SecuredCatalog } from './lib/a2ui/catalog.ts';
export {
  createA2uiConsumer,
  type A2uiConsumerOptions,
  type A2uiFlowItem,
  type A2uiState,
} from './lib/a2ui/consumer.ts';
export type { A2uiAction, A2uiModel, A2uiSurfaceModel } from './lib/a2ui/model.ts';
export { mountA2ui, type A2uiView, type MarkdownRenderer, type MountA2uiOptions } from './lib/a2ui/mount.ts';
export {
  A2UI_LIMITS,
  type A2uiLimits,
  type A2uiProblem,
  type A2uiProblemCode,
  type OnProblem,
} from './lib/a2ui/types.ts';
