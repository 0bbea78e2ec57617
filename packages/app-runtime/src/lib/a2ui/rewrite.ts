import { isPlainObject } from '@mcp-apps-bridge/partial-results';
import { isSafePath } from './pointer.ts';
import type { A2uiProblemCode, Properties } from './types.ts';

/** The action a click on a rewritten `openUrl` raises; the view turns it into a request to the host. */
export const OPEN_URL_ACTION = 'io.github.mcp-apps-bridge/open-url';
/** Catalog function that lets only safe addresses through, also when they come from data. */
export const SAFE_URL_FUNCTION = 'io.github.mcp-apps-bridge/safe-url';

/** Functions with an effect outside the surface. Only a click may call them. */
const SIDE_EFFECTS: ReadonlySet<string> = new Set(['openUrl']);

export interface Rewritten {
  properties: Properties;
  /** Parts that were left out. */
  problems: Array<{ code: A2uiProblemCode; message: string }>;
  /** The component must not be drawn at all: it reads where no data is. */
  forbidden: boolean;
}

/**
 * Makes a component's properties safe to bind: a property must not be able to do something when it
 * is drawn (field case 46), reach a prototype (47), or load from a scheme that runs code (45, 51).
 * @param urlProperties names of properties that hold an address to load.
 */
export function rewriteProperties(properties: Properties, urlProperties: readonly string[]): Rewritten {
  const out: Rewritten = { properties: {}, problems: [], forbidden: false };
  const rewritten = rewrite(properties, out) as Properties;
  for (const name of urlProperties) {
    if (rewritten[name] === undefined) continue;
    rewritten[name] = checkUrl(rewritten[name], out);
  }
  out.properties = rewritten;
  return out;
}

function rewrite(value: unknown, out: Rewritten): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, out));
  if (!isPlainObject(value)) return value;
  if (typeof value['path'] === 'string' && !isSafePath(value['path'])) out.forbidden = true;
  const { call, functionCall } = value;
  if (isPlainObject(functionCall) && functionCall['call'] === 'openUrl') {
    const args = isPlainObject(functionCall['args']) ? functionCall['args'] : {};
    return { event: { name: OPEN_URL_ACTION, context: { url: rewrite(args['url'] ?? '', out) } } };
  }
  if (typeof call === 'string' && SIDE_EFFECTS.has(call)) {
    out.problems.push({
      code: 'bound_side_effect',
      message: `${call} may only be the function of an action`,
    });
    return '';
  }
  // Entries, not assignment: a key named __proto__ stays data.
  const entries = Object.entries(value).map(([key, item]) => [key, rewrite(item, out)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  // The binder iterates over the arguments of every call, nested ones included, without a check.
  if (typeof call === 'string' && !isPlainObject(copy['args'])) copy['args'] = {};
  return copy;
}

function checkUrl(value: unknown, out: Rewritten): unknown {
  if (typeof value !== 'string') return { call: SAFE_URL_FUNCTION, args: { value }, returnType: 'string' };
  if (isLoadableUrl(value)) return value;
  out.problems.push({ code: 'unsafe_url', message: `address refused: ${value.slice(0, 40)}` });
  return '';
}

/** http, https and images in the text itself. What else may be loaded is up to the view's CSP. */
export function isLoadableUrl(value: string): boolean {
  if (value === '') return true;
  const url = parse(value);
  if (!url) return false;
  return isWeb(url) || (url.protocol === 'data:' && /^data:image\//i.test(url.href));
}

/** http and https: what a click may open (field case 45). */
export function isOpenableUrl(value: unknown): value is string {
  const url = typeof value === 'string' ? parse(value) : undefined;
  return url !== undefined && isWeb(url);
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** Absolute addresses only: a view has no address of its own that a relative one could refer to. */
function parse(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
