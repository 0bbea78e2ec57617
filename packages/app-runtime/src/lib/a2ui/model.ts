import { MessageProcessor, type SurfaceModel, type WebComponentImplementation } from '@a2ui/web_core/v0_9';
import type { SecuredCatalog } from './catalog.ts';
import { createGate } from './gate.ts';
import type { Mirror } from './mirror.ts';
import { createOverlay, survives, type Overlay } from './overlay.ts';
import { sameJson } from './same-json.ts';
import type { A2uiLimits, OnProblem } from './types.ts';

export type A2uiSurfaceModel = SurfaceModel<WebComponentImplementation>;

/** A user's action as A2UI sends it to a server. */
export interface A2uiAction {
  name: string;
  surfaceId: string;
  sourceComponentId: string;
  /** ISO 8601. */
  timestamp: string;
  context: Record<string, unknown>;
}

/** All surfaces of one stream or one result, behind the gate. */
export interface A2uiModel {
  /** One whole message. Never throws. */
  feed(message: unknown): void;
  /** A message that answers what the user did: it wins over what was typed. */
  feedAnswer(message: unknown): void;
  /** No more messages of this stream. */
  end(): void;
  /** Live surfaces, in the order in which they were created. */
  readonly surfaces: ReadonlyMap<string, A2uiSurfaceModel>;
  /** Whether the messages of both came to the same, whatever a user typed into either. */
  same(other: A2uiModel): boolean;
  /** Takes over what the user typed into another model, where it still has a place. */
  adopt(other: A2uiModel): void;
  onAction(listener: (action: A2uiAction) => void): () => void;
  onRootChange(listener: (surfaceId: string) => void): () => void;
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly overlay: Overlay;
}

export function createA2uiModel(options: {
  catalogs: readonly SecuredCatalog[];
  onProblem: OnProblem;
  limits?: Partial<A2uiLimits>;
}): A2uiModel {
  const { catalogs, onProblem } = options;
  const processor = new MessageProcessor<WebComponentImplementation>([...catalogs]);
  const overlay = createOverlay();
  const rootListeners = new Set<(surfaceId: string) => void>();
  /** Writes to a data model are the server's while a message is processed, the user's otherwise. */
  let feeding = false;
  let answering = false;

  const gate = createGate({
    catalogs,
    process: (message) => processor.processMessages([message as never]),
    onProblem,
    onData(surfaceId, path) {
      if (answering) overlay.forget(surfaceId, path);
      else restore(surfaceId, path, overlay);
    },
    onRootChange: (surfaceId) => rootListeners.forEach((listener) => listener(surfaceId)),
    ...(options.limits && { limits: options.limits }),
  });

  processor.onSurfaceCreated((surface) => {
    const { dataModel, id } = surface;
    const write = dataModel.set.bind(dataModel);
    dataModel.set = (path, value) => {
      if (!feeding) overlay.record(id, path, value);
      return write(path, value);
    };
    surface.onError.subscribe((problem: { message?: unknown }) =>
      onProblem({ code: 'expression_failed', message: String(problem.message), surfaceId: id }),
    );
  });

  function asServer(answers: boolean, run: () => void): void {
    const before = [feeding, answering] as const;
    [feeding, answering] = [true, answers];
    try {
      run();
    } finally {
      [feeding, answering] = before;
    }
  }

  function restore(surfaceId: string, path: string, typed: Overlay): void {
    const data = processor.model.getSurface(surfaceId)?.dataModel;
    if (!data) return;
    for (const entry of typed.under(surfaceId, path)) {
      if (survives((at) => data.get(at), entry.path, entry.value)) data.set(entry.path, entry.value);
    }
  }

  return {
    feed: (message) => asServer(false, () => gate.feed(message)),
    feedAnswer: (message) => asServer(true, () => gate.feed(message)),
    end: () => gate.end(),
    get surfaces() {
      return processor.model.surfacesMap;
    },
    same: (other) => sameMirrors(gate.surfaces, other.mirrors),
    adopt(other) {
      // Not as the server: what is put back counts as typed here, too.
      for (const surfaceId of gate.surfaces.keys()) restore(surfaceId, '/', other.overlay);
    },
    onAction(listener) {
      const subscription = processor.model.onAction.subscribe((action) => listener(action));
      return () => subscription.unsubscribe();
    },
    onRootChange(listener) {
      rootListeners.add(listener);
      return () => void rootListeners.delete(listener);
    },
    mirrors: gate.surfaces,
    overlay,
  };
}

function sameMirrors(a: ReadonlyMap<string, Mirror>, b: ReadonlyMap<string, Mirror>): boolean {
  if (a.size !== b.size) return false;
  const others = [...b];
  return [...a].every(([id, mirror], i) => others[i]![0] === id && sameMirror(mirror, others[i]![1]));
}

function sameMirror(a: Mirror, b: Mirror): boolean {
  return (
    a.catalog === b.catalog &&
    a.sendDataModel === b.sendDataModel &&
    a.components.size === b.components.size &&
    [...a.components].every(([id, component]) => sameJson(component, b.components.get(id))) &&
    sameJson(a.theme, b.theme) &&
    sameJson(a.data.get('/'), b.data.get('/'))
  );
}
