import { logConsumer, type Consumer, type LogState, type Snapshot } from '@mcp-apps-bridge/app-runtime';
import { mountA2ui, type A2uiState } from '@mcp-apps-bridge/app-runtime/a2ui';
import type { AppConfig } from '../shared/config.ts';

/** One way of showing a stream, with what a test may read of it. */
export interface Show {
  consumer: Consumer<unknown>;
  update(snapshot: Snapshot<unknown>): void;
  /** What is shown, without its looks. */
  model(state: unknown): unknown;
  readonly element: HTMLElement;
  readonly renders: number;
  close(): void;
}

export function createShow(parent: HTMLElement, config: AppConfig): Show {
  const element = parent.appendChild(document.createElement('div'));
  const kind = config.shows === 'log' ? showLog(element) : showA2ui(element);
  const { consumer } = kind;
  let renders = 0;
  return {
    element,
    consumer: {
      ...consumer,
      chunk(state, chunk) {
        if (config.applyMs > 0) keepBusy(config.applyMs);
        return config.ignorePartials ? state : consumer.chunk(state, chunk);
      },
    },
    update(snapshot) {
      renders++;
      kind.update(snapshot);
    },
    model: kind.model,
    get renders() {
      return renders;
    },
    close() {
      kind.close();
      element.remove();
    },
  };
}

type Kind = Pick<Show, 'consumer' | 'update' | 'model' | 'close'>;

function showA2ui(element: HTMLElement): Kind {
  const view = mountA2ui(element);
  return {
    consumer: view.consumer,
    update: (snapshot) => view.update(snapshot as Snapshot<A2uiState>),
    model: (state) =>
      [...(state as A2uiState).model.surfaces].map(([id, surface]) => ({
        id,
        data: surface.dataModel.get('/') as unknown,
        components: [...surface.componentsModel.entries].map(([, component]) => component.componentTree),
      })),
    close: () => view.close(),
  };
}

function showLog(element: HTMLElement): Kind {
  const text = element.appendChild(document.createElement('pre'));
  const linesOf = ({ blocks }: LogState): string[] => blocks.flatMap(({ lines }) => lines);
  return {
    consumer: logConsumer({ maxLines: 200 }),
    update({ state }) {
      text.textContent = linesOf(state as LogState).join('\n');
    },
    model(state) {
      const { blocks, open, dropped, gaps } = state as LogState;
      return { lines: linesOf({ blocks } as LogState), open, dropped, gaps };
    },
    close: () => undefined,
  };
}

/** A slow view: it blocks its thread, as a large update does. */
function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
