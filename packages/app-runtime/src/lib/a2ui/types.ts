/** Bounds on what a stream may build. Every one is checked before the renderer sees the message. */
export interface A2uiLimits {
  /** Surfaces alive at once. Default 32. */
  maxSurfaces: number;
  /** Components of one surface. Default 5,000. */
  maxComponents: number;
  /** Components on the way from root to leaf, lists included. Default 64. */
  maxDepth: number;
  /** Components drawn at once, after lists and repeated children are expanded. Default 10,000. */
  maxNodes: number;
  /** Items of a list that has a component drawn for each. Default 2,000. */
  maxListItems: number;
  /** Highest array index a message may write to, so that one write cannot make a huge sparse array. Default 100,000. */
  maxIndex: number;
  /** Surfaces whose updates came before their `createSurface`. Default 16. */
  maxParkedSurfaces: number;
  /** Messages parked for one such surface; the oldest stay, later ones are dropped. Default 256. */
  maxParkedMessages: number;
}

export const A2UI_LIMITS: Readonly<A2uiLimits> = {
  maxSurfaces: 32,
  maxComponents: 5_000,
  maxDepth: 64,
  maxNodes: 10_000,
  maxListItems: 2_000,
  maxIndex: 100_000,
  maxParkedSurfaces: 16,
  maxParkedMessages: 256,
};

export type A2uiProblemCode =
  /** The message is of a version this renderer does not speak; `message` names it. */
  | 'unsupported_version'
  /** A message kind that has no meaning in a view fed by tool output. */
  | 'unsupported_message'
  | 'invalid_message'
  | 'unknown_catalog'
  /** One component was left out; its neighbours of the same message stay. */
  | 'invalid_component'
  /** The catalog has no such component: a neutral placeholder stands in. */
  | 'unknown_component'
  /** A path into a prototype, or an array index beyond `maxIndex`. */
  | 'forbidden_path'
  /** A side effect bound to a property: it would run without a click. Left out. */
  | 'bound_side_effect'
  | 'unsafe_url'
  | 'cycle'
  | 'too_deep'
  | 'too_many_nodes'
  | 'list_too_long'
  | 'too_many_surfaces'
  | 'too_many_components'
  | 'too_many_parked'
  | 'duplicate_surface'
  | 'deleted_surface'
  /** The call ended and this surface got updates but never a `createSurface`. */
  | 'never_created'
  /** The message processor threw all the same. */
  | 'processor_failed'
  /** An expression of the surface failed; common and harmless before its data is there. */
  | 'expression_failed';

export interface A2uiProblem {
  code: A2uiProblemCode;
  message: string;
  surfaceId?: string;
  componentId?: string;
}

/** Problems a user must be told of: without them the page would just look empty or cut off. */
export const VISIBLE_PROBLEMS: ReadonlySet<A2uiProblemCode> = new Set<A2uiProblemCode>([
  'unsupported_version',
  'unknown_catalog',
  'cycle',
  'too_deep',
  'too_many_nodes',
  'list_too_long',
  'too_many_surfaces',
  'too_many_components',
]);

/** One thing to do, in the terms of v0.9, whatever version it came in. */
export type A2uiStep =
  | { kind: 'create'; surfaceId: string; catalogId?: string; theme?: unknown; sendDataModel?: boolean }
  | { kind: 'components'; surfaceId: string; components: unknown[] }
  /** `value: undefined` deletes. */
  | { kind: 'data'; surfaceId: string; path: string; value: unknown }
  | { kind: 'delete'; surfaceId: string };

/** Properties of a component, `id` and `component` aside. */
export type Properties = Record<string, unknown>;

export interface Component {
  id: string;
  type: string;
  properties: Properties;
}

export type OnProblem = (problem: A2uiProblem) => void;
