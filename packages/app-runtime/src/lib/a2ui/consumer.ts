import type { ToolResult } from '@mcp-apps-bridge/partial-results';
import {
  assembleResult,
  createAssembler,
  type AssembledBlock,
} from '@mcp-apps-bridge/partial-results/stream';
import { ownList } from '../consumers/own.ts';
import type { Consumer } from '../types.ts';
import type { SecuredCatalog } from './catalog.ts';
import { createA2uiModel, type A2uiModel } from './model.ts';
import type { A2uiLimits, A2uiProblem, OnProblem } from './types.ts';

/** What is shown, from top to bottom: texts and surfaces in the order in which they first came. */
export type A2uiFlowItem = { kind: 'text'; text: string } | { kind: 'surface'; surfaceId: string };

export interface A2uiState {
  /** The surfaces. The same object while a stream goes on; another after a replay and at the end. */
  model: A2uiModel;
  flow: readonly A2uiFlowItem[];
  /** The last 50 problems, oldest first. */
  problems: readonly A2uiProblem[];
}

const MAX_PROBLEMS = 50;

export interface A2uiConsumerOptions {
  /** The first is the default of messages that name none. */
  catalogs: readonly SecuredCatalog[];
  onProblem?: OnProblem;
  limits?: Partial<A2uiLimits>;
}

/**
 * A2UI message streams as live surfaces. The end state is a second set of surfaces, built from the
 * result's messages alone by the same rules; `mountA2ui` shows it without a jump.
 */
export function createA2uiConsumer(options: A2uiConsumerOptions): Consumer<A2uiState> {
  function init(): A2uiState {
    const problems: A2uiProblem[] = [];
    const onProblem: OnProblem = (problem) => {
      problems.push(problem);
      if (problems.length > MAX_PROBLEMS) problems.shift();
      options.onProblem?.(problem);
    };
    const { catalogs, limits } = options;
    return { model: createA2uiModel({ catalogs, onProblem, ...(limits && { limits }) }), flow: [], problems };
  }

  return {
    init,
    assemble: createAssembler,
    chunk(state, { blocks, modes }, own = new WeakSet()) {
      if (!blocks) return { ...state };
      return { ...state, flow: take(state, blocks, modes.content === 'replace', own) };
    },
    final(result: ToolResult) {
      const state = init();
      const blocks = assembleResult(result, { onEvent: () => undefined });
      const flow = take(state, blocks, false, new WeakSet());
      state.model.end();
      return { ...state, flow };
    },
  };
}

/** Feeds the model and returns the flow that results. */
function take(
  { model, flow }: A2uiState,
  blocks: readonly AssembledBlock[],
  replacesText: boolean,
  own: WeakSet<object>,
): A2uiFlowItem[] {
  let next = replacesText ? flow.filter((item) => item.kind !== 'text') : ownList(flow, own);
  for (const { block, records } of blocks) {
    if (records) {
      // One by one: where a surface that is deleted and made again has its place must not depend on the cut.
      for (const record of records) {
        const { size } = model.surfaces;
        model.feed(record);
        if (model.surfaces.size !== size) next = followSurfaces(next, model);
      }
    } else if (block.type === 'text' && typeof block.text === 'string' && block.text !== '') {
      const last = next.at(-1);
      if (last?.kind === 'text') next[next.length - 1] = { kind: 'text', text: last.text + block.text };
      else next.push({ kind: 'text', text: block.text });
    }
  }
  return next;
}

function followSurfaces(flow: readonly A2uiFlowItem[], { surfaces }: A2uiModel): A2uiFlowItem[] {
  const next = flow.filter((item) => item.kind === 'text' || surfaces.has(item.surfaceId));
  const known = new Set(next.map((item) => (item.kind === 'surface' ? item.surfaceId : undefined)));
  for (const surfaceId of surfaces.keys())
    if (!known.has(surfaceId)) next.push({ kind: 'surface', surfaceId });
  return next;
}
