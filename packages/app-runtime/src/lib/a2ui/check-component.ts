import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import type { SchemaSource } from './graph.ts';
import { rewriteProperties } from './rewrite.ts';
import type { A2uiProblemCode, Component } from './types.ts';

/** Type of the component drawn for one that is missing, or that no catalog knows. */
export const PLACEHOLDER = 'io.github.mcp-apps-bridge/placeholder';

export interface GateCatalog extends SchemaSource {
  readonly id: string;
  /** Properties that hold an address to load, by component type. */
  readonly urlProperties: Readonly<Record<string, readonly string[]>>;
}

export interface CheckedComponent {
  /** Absent: left out of the update. */
  component?: Component;
  problems: Array<{ code: A2uiProblemCode; message: string; componentId?: string }>;
}

const NO_URLS: readonly string[] = [];

/**
 * One component of an update, on its own: the processor refuses a whole message for one bad
 * component, we leave out the one (field case 79). Properties the catalog does not know are kept.
 * @param known the component of that id so far; an update may leave its type out.
 */
export function checkComponent(
  raw: unknown,
  known: (id: string) => Component | undefined,
  catalog: GateCatalog,
): CheckedComponent {
  if (!isPlainObject(raw)) return refuse('invalid_component', 'a component must be an object');
  const { id, component, ...properties } = raw;
  if (typeof id !== 'string' || id === '') return refuse('invalid_component', 'a component has no id');
  const type = component ?? known(id)?.type;
  if (typeof type !== 'string' || type === PLACEHOLDER) {
    return refuse('invalid_component', `component ${id} has no type`, id);
  }
  const rewritten = rewriteProperties(properties, urlProperties(catalog, type));
  if (rewritten.forbidden)
    return refuse('forbidden_path', `component ${id} is bound to a forbidden path`, id);
  const problems: CheckedComponent['problems'] = rewritten.problems.map((problem) => ({
    ...problem,
    componentId: id,
  }));
  const checked: Component = { id, type, properties: rewritten.properties };

  const schema = catalog.components.get(type)?.schema;
  if (!schema) {
    problems.push({
      code: 'unknown_component',
      message: `no component ${type} in the catalog`,
      componentId: id,
    });
    return { component: checked, problems };
  }
  const parsed = schema.safeParse(checked.properties);
  if (parsed.success) return { component: checked, problems };
  const [issue] = parsed.error.issues;
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'invalid';
  problems.push({ code: 'invalid_component', message: `${type} ${id}: ${where}`, componentId: id });
  return { problems };
}

function urlProperties(catalog: GateCatalog, type: string): readonly string[] {
  return Object.hasOwn(catalog.urlProperties, type) ? catalog.urlProperties[type]! : NO_URLS;
}

function refuse(code: A2uiProblemCode, message: string, componentId?: string): CheckedComponent {
  return { problems: [{ code, message, ...(componentId !== undefined && { componentId }) }] };
}
