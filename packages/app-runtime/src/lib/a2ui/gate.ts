import { DataModel } from '@a2ui/web_core/v0_9';
import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { checkComponent, PLACEHOLDER, type GateCatalog } from './check-component.ts';
import { childRefs, findCycles, type ChildRefs } from './graph.ts';
import { measure, type Sizes } from './measure.ts';
import { isIndex, isSafePath, segmentsOf } from './pointer.ts';
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

/** A surface as the messages describe it: what the renderer was given, without what a user typed. */
export interface Mirror {
  catalog: GateCatalog;
  theme: Record<string, unknown>;
  sendDataModel: boolean;
  components: Map<string, Component>;
  data: DataModel;
  /** Ids that are referred to but not there yet; a neutral placeholder is drawn for each. */
  missing: Set<string>;
}

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
  const sizes = new WeakMap<Mirror, Sizes>();
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
    surfaces.set(surfaceId, {
      catalog,
      theme,
      sendDataModel,
      components: new Map(),
      data: new DataModel({}),
      missing: new Set(),
    });
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
    dropCycles(surface, surfaceId, accepted);
    if (accepted.size === 0) return;
    const merged = new Map([...surface.components, ...accepted]);
    if (merged.size > limits.maxComponents) {
      return report('too_many_components', `more than ${limits.maxComponents} components`, surfaceId);
    }
    const fresh: Sizes = new Map();
    const tooBig = measureSurface(surface, merged, fresh);
    if (tooBig) return report(tooBig, 'the update would draw too much and was left out', surfaceId);
    sizes.set(surface, fresh);

    const before = surface.components;
    surface.components = merged;
    const wire = [...accepted.values()].map((component) =>
      forProcessor(component, before.get(component.id), surface),
    );
    for (const id of accepted.keys()) surface.missing.delete(id);
    for (const id of newlyMissing(surface, accepted)) {
      surface.missing.add(id);
      wire.push({ id, component: PLACEHOLDER });
    }
    send(surfaceId, { updateComponents: { surfaceId, components: wire } });
    const oldRoot = before.get('root');
    if (oldRoot && oldRoot.type !== merged.get('root')?.type) options.onRootChange?.(surfaceId);
  }

  function dropCycles(surface: Mirror, surfaceId: string, accepted: Map<string, Component>): void {
    // Taking a component back brings its older version back, which may close another cycle.
    for (;;) {
      const ids = new Set([...surface.components.keys(), ...accepted.keys()]);
      const children = new Map<string, string[]>();
      for (const id of ids)
        children.set(id, childIds(surface, accepted.get(id) ?? surface.components.get(id)!));
      const cyclic = findCycles(ids, (id) => children.get(id) ?? []);
      const guilty = [...accepted.keys()].filter((id) => cyclic.has(id));
      for (const id of guilty) {
        accepted.delete(id);
        report('cycle', `component ${id} contains itself and was left out`, surfaceId, id);
      }
      if (guilty.length === 0) return;
    }
  }

  function measureSurface(
    surface: Mirror,
    components: Map<string, Component>,
    cache: Sizes,
  ): A2uiProblemCode | undefined {
    const tree = {
      refs(id: string): ChildRefs | undefined {
        const component = components.get(id);
        return component && childRefs(component, surface.catalog);
      },
      listLength(path: string): number | undefined {
        const value: unknown = surface.data.get(path);
        return Array.isArray(value) ? value.length : undefined;
      },
    };
    return measure(tree, limits, cache);
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
    const before: unknown = data.get(path);
    try {
      // The renderer's model keeps the value itself and user input changes it in place.
      data.set(path, structuredClone(value));
    } catch (problem) {
      return report(
        'invalid_message',
        problem instanceof Error ? problem.message : String(problem),
        surfaceId,
      );
    }
    const tooBig = measureSurface(surface, surface.components, sizes.get(surface) ?? new Map());
    if (tooBig) {
      data.set(path, before);
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

function childIds(surface: Mirror, component: Component): string[] {
  const { fixed, templates } = childRefs(component, surface.catalog);
  return [...fixed, ...templates.map((list) => list.componentId)];
}

function newlyMissing(surface: Mirror, accepted: Map<string, Component>): Set<string> {
  const ids = [...accepted.values()].flatMap((component) => childIds(surface, component));
  return new Set(ids.filter((id) => !surface.components.has(id) && !surface.missing.has(id)));
}

/**
 * The wire form of a component. The renderer's binder keeps a property that a newer version of the
 * component lacks, so what went away is sent as `undefined`.
 */
function forProcessor(
  component: Component,
  before: Component | undefined,
  surface: Mirror,
): Record<string, unknown> {
  const { id, type, properties } = component;
  const gone = Object.keys(before?.type === type ? before.properties : {}).filter(
    (key) => !(key in properties),
  );
  if (gone.includes('checks')) gone.push('isValid', 'validationErrors');
  const known = surface.catalog.components.has(type);
  return {
    ...Object.fromEntries(gone.map((key) => [key, undefined])),
    ...properties,
    id,
    component: known ? type : PLACEHOLDER,
  };
}

/** Only a container that exists tells an array index from a key: an absent one becomes an array. */
function reachesBeyond(data: DataModel, path: string, maxIndex: number): boolean {
  let container: unknown = data.get('/');
  for (const segment of segmentsOf(path)) {
    const array = Array.isArray(container) || container === undefined || container === null;
    if (array && isIndex(segment) && Number(segment) > maxIndex) return true;
    container = isPlainObject(container) || Array.isArray(container) ? Object(container)[segment] : undefined;
  }
  return false;
}

/** Ids of one catalog in the versions this gate reads; the components did not change between them. */
const BASIC_CATALOG =
  /^https:\/\/a2ui\.org\/specification\/v(0_9|0_9_1|1_0)\/(catalogs\/)?(basic|minimal)(\/catalog|_catalog)\.json$/;

function findCatalog(catalogs: readonly GateCatalog[], id: string | undefined): GateCatalog | undefined {
  // v1.0 may leave the id out: the first catalog is the default.
  if (id === undefined) return catalogs[0];
  const exact = catalogs.find((catalog) => catalog.id === id);
  if (exact) return exact;
  return BASIC_CATALOG.test(id) ? catalogs.find((catalog) => BASIC_CATALOG.test(catalog.id)) : undefined;
}

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A theme color ends up in a style property, where `url(…)` would load something. */
function safeTheme(theme: unknown): Record<string, unknown> {
  if (!isPlainObject(theme)) return {};
  const { primaryColor, ...rest } = theme;
  return typeof primaryColor === 'string' && COLOR.test(primaryColor) ? { ...rest, primaryColor } : rest;
}
