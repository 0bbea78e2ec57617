import { DataModel } from '@a2ui/web_core/v0_9';
import { checkComponent, PLACEHOLDER, type GateCatalog } from './check-component.ts';
import {
  createMirror,
  dropCycles,
  forProcessor,
  hasChildren,
  measureData,
  newlyMissing,
  replaceComponents,
  resize,
  type Mirror,
} from './mirror.ts';
import { checkpoint, isSafePath, reachesBeyond } from './pointer.ts';
import { findCatalog, safeTheme } from './surface-settings.ts';
import { translate } from './translate.ts';
import {
  A2UI_LIMITS,
  type A2uiLimits,
  type A2uiProblem,
  type A2uiProblemCode,
  type A2uiStep,
  type Component,
  type OnProblem,
} from './types.ts';

/** The processor behind the gate. Gets one v0.9 message at a time, each of which it can apply. */
export interface GateOptions {
  catalogs: readonly GateCatalog[];
  process(message: Record<string, unknown>): void;
  onProblem: OnProblem;
  /** After data under `path` changed: what a user typed there can be put back. */
  onData?(surfaceId: string, path: string): void;
  /** The renderer keeps drawing the old root when its type changes; it must be told. */
  onRootChange?(surfaceId: string): void;
  limits?: Partial<A2uiLimits>;
}

export interface Gate {
  /** One whole message, as parsed from the stream. Never throws. */
  feed(message: unknown): void;
  /** No more messages: reports surfaces that were never created (field case 75). */
  end(): void;
  readonly surfaces: ReadonlyMap<string, Mirror>;
}

type Step<K extends A2uiStep['kind']> = Extract<A2uiStep, { kind: K }>;

/** Remembered so that an update after a delete is ignored rather than parked for a create to come. */
const MAX_DELETED = 1_024;

/**
 * Stands in front of the A2UI message processor, which trusts its input: it throws in mid-batch,
 * draws cycles for ever, and lets a property run a function. Order is not its business; it gets
 * messages in order.
 */
export function createGate(options: GateOptions): Gate {
  const { catalogs, process, onProblem } = options;
  const limits = { ...A2UI_LIMITS, ...options.limits };
  const surfaces = new Map<string, Mirror>();
  const parked = new Map<string, A2uiStep[]>();
  const deleted = new Set<string>();

  function report(code: A2uiProblemCode, message: string, surfaceId: string, componentId?: string): void {
    const problem: A2uiProblem = { code, message, surfaceId };
    if (componentId !== undefined) problem.componentId = componentId;
    onProblem(problem);
  }

  function send(surfaceId: string, message: Record<string, unknown>): void {
    try {
      process({ version: 'v0.9', ...message });
    } catch (problem) {
      report('processor_failed', problem instanceof Error ? problem.message : String(problem), surfaceId);
    }
  }

  function run(step: A2uiStep): void {
    if (step.kind === 'create') return create(step);
    const { surfaceId } = step;
    const surface = surfaces.get(surfaceId);
    if (step.kind === 'delete') return remove(surfaceId, surface);
    if (!surface) return park(step);
    if (step.kind === 'components') updateComponents(surface, step);
    else updateData(surface, step);
  }

  function create(step: Step<'create'>): void {
    const { surfaceId, sendDataModel = false } = step;
    if (surfaces.has(surfaceId)) return report('duplicate_surface', 'the surface exists already', surfaceId);
    if (surfaces.size >= limits.maxSurfaces)
      return report('too_many_surfaces', `more than ${limits.maxSurfaces} surfaces`, surfaceId);
    const catalog = findCatalog(catalogs, step.catalogId);
    if (!catalog)
      return report('unknown_catalog', `the component catalog ${step.catalogId} is not available`, surfaceId);
    const theme = safeTheme(step.theme);
    deleted.delete(surfaceId);
    surfaces.set(surfaceId, createMirror({ catalog, theme, sendDataModel, data: new DataModel({}) }));
    send(surfaceId, { createSurface: { surfaceId, catalogId: catalog.id, theme, sendDataModel } });
    const waiting = parked.get(surfaceId) ?? [];
    parked.delete(surfaceId);
    waiting.forEach(run);
  }

  function remove(surfaceId: string, surface: Mirror | undefined): void {
    parked.delete(surfaceId);
    if (!surface) return;
    surfaces.delete(surfaceId);
    deleted.add(surfaceId);
    if (deleted.size > MAX_DELETED) deleted.delete(deleted.values().next().value!);
    send(surfaceId, { deleteSurface: { surfaceId } });
  }

  /** The messages of a surface may come before its create (field cases 8, 75). */
  function park(step: Step<'components' | 'data'>): void {
    const { surfaceId } = step;
    if (deleted.has(surfaceId)) return report('deleted_surface', 'update of a deleted surface', surfaceId);
    const waiting = parked.get(surfaceId) ?? [];
    const full = parked.size >= limits.maxParkedSurfaces && waiting.length === 0;
    if (full || waiting.length >= limits.maxParkedMessages) {
      return report('too_many_parked', 'too many updates before createSurface', surfaceId);
    }
    waiting.push(step);
    parked.set(surfaceId, waiting);
  }

  function updateComponents(surface: Mirror, { surfaceId, components }: Step<'components'>): void {
    const accepted = new Map<string, Component>();
    for (const raw of components) {
      const known = (id: string): Component | undefined => accepted.get(id) ?? surface.components.get(id);
      const checked = checkComponent(raw, known, surface.catalog);
      for (const { code, message, componentId } of checked.problems)
        report(code, message, surfaceId, componentId);
      if (checked.component) accepted.set(checked.component.id, checked.component);
    }
    for (const id of dropCycles(surface, accepted)) {
      report('cycle', `component ${id} contains itself and was left out`, surfaceId, id);
    }
    if (accepted.size === 0) return;
    const before = new Map([...accepted.keys()].map((id) => [id, surface.components.get(id)]));
    const added = [...before.values()].filter((component) => !component).length;
    if (surface.components.size + added > limits.maxComponents) {
      return report('too_many_components', `more than ${limits.maxComponents} components`, surfaceId);
    }
    // A component without children in the place of one without changes no size.
    const resized = [...accepted].some(
      ([id, component]) => hasChildren(surface, component) || hasChildren(surface, before.get(id)),
    );
    if (resized) {
      const { tooBig, keep } = resize(surface, accepted, limits);
      if (tooBig) return report(tooBig, 'the update would draw too much and was left out', surfaceId);
      keep();
    }

    const wire = [...accepted].map(([id, component]) => forProcessor(component, before.get(id), surface));
    const missing = newlyMissing(surface, accepted);
    replaceComponents(surface, accepted);
    for (const id of missing) {
      surface.missing.add(id);
      wire.push({ id, component: PLACEHOLDER });
    }
    send(surfaceId, { updateComponents: { surfaceId, components: wire } });
    const oldRoot = before.get('root');
    if (oldRoot && oldRoot.type !== accepted.get('root')?.type) options.onRootChange?.(surfaceId);
  }

  function updateData(surface: Mirror, { surfaceId, path, value }: Step<'data'>): void {
    const { data } = surface;
    if (!isSafePath(path)) return report('forbidden_path', `path refused: ${path.slice(0, 80)}`, surfaceId);
    if (reachesBeyond(data, path, limits.maxIndex)) {
      return report(
        'forbidden_path',
        `array index beyond ${limits.maxIndex}: ${path.slice(0, 80)}`,
        surfaceId,
      );
    }
    const undo = checkpoint(data, path);
    try {
      // The renderer's model keeps the value itself and user input changes it in place.
      data.set(path, structuredClone(value));
    } catch (problem) {
      undo();
      return report(
        'invalid_message',
        problem instanceof Error ? problem.message : String(problem),
        surfaceId,
      );
    }
    surface.lists.touch(path);
    const tooBig = measureData(surface, limits);
    if (tooBig) {
      undo();
      surface.lists.touch(path);
      return report(
        tooBig,
        `the data at ${path.slice(0, 80)} would draw too much and was left out`,
        surfaceId,
      );
    }
    send(surfaceId, { updateDataModel: { surfaceId, path, ...(value !== undefined && { value }) } });
    options.onData?.(surfaceId, path);
  }

  return {
    feed(message) {
      const translated = translate(message);
      if (translated.ok) translated.steps.forEach(run);
      else onProblem(translated.problem);
    },
    end() {
      for (const surfaceId of parked.keys())
        report('never_created', 'updates came, but no createSurface', surfaceId);
      parked.clear();
    },
    surfaces,
  };
}
