import {
  A2uiExpressionError,
  Catalog,
  CommonSchemas,
  createFunctionImplementation,
  IconApi,
  OpenUrlApi,
  RegexApi,
  TextApi,
  type FunctionImplementation,
  type WebComponentImplementation,
} from '@a2ui/web_core/v0_9';
import { PLACEHOLDER, type GateCatalog } from './check-component.ts';
import { compilePattern, PatternError, type Pattern } from './linear-regex.ts';
import { isLoadableUrl, SAFE_URL_FUNCTION } from './rewrite.ts';

export type A2uiCatalog = Catalog<WebComponentImplementation>;

/** A catalog as the gate and the renderer share it. */
export type SecuredCatalog = A2uiCatalog & GateCatalog;

/** Element names of the two components this package draws itself; registered by `mountA2ui`. */
export const ICON_TAG = 'mcp-apps-bridge-icon';
export const PLACEHOLDER_TAG = 'mcp-apps-bridge-placeholder';

const URL_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  Image: ['url'],
  Video: ['url'],
  AudioPlayer: ['url'],
};

/**
 * A catalog made safe for content nobody vetted: patterns match in linear time and bounded steps, `openUrl` does
 * nothing when bound (an action gets rewritten), unknown properties and icon names are no error, and
 * a placeholder is at hand. Components and functions are otherwise the given ones.
 * @param urlProperties further properties that hold an address to load, by component type.
 */
export function secureCatalog(
  catalog: A2uiCatalog,
  urlProperties: Readonly<Record<string, readonly string[]>> = {},
): SecuredCatalog {
  const components = [...catalog.components.values()].map(tolerant);
  const functions = new Map<string, FunctionImplementation>(catalog.functions);
  for (const safe of [regex, openUrl, safeUrl, itemIndex]) functions.set(safe.name, safe);
  const secured = new Catalog(
    catalog.id,
    [...components, placeholder],
    [...functions.values()],
    catalog.themeSchema,
  );
  return Object.assign(secured, { urlProperties: { ...URL_PROPERTIES, ...urlProperties } });
}

/** A newer server's extra property, or an icon we have no picture of, must not cost the component. */
function tolerant(component: WebComponentImplementation): WebComponentImplementation {
  const isBasicIcon = component.tagName === 'a2ui-icon';
  const schema = isBasicIcon ? IconApi.schema.extend({ name: anyIconName }) : component.schema;
  const { name, tagName } = component;
  return { name, tagName: isBasicIcon ? ICON_TAG : tagName, schema: passthrough(schema) };
}

const anyIconName = IconApi.schema.shape.name.or(CommonSchemas.DynamicString);

function passthrough(schema: WebComponentImplementation['schema']): WebComponentImplementation['schema'] {
  return 'passthrough' in schema ? (schema as typeof TextApi.schema).passthrough() : schema;
}

const placeholder: WebComponentImplementation = {
  name: PLACEHOLDER,
  tagName: PLACEHOLDER_TAG,
  schema: TextApi.schema
    .omit({ text: true, variant: true })
    .extend({ child: CommonSchemas.ComponentId.optional(), children: CommonSchemas.ChildList.optional() })
    .passthrough(),
};

/** `undefined`: a pattern we refuse. */
const compiled = new Map<string, Pattern | undefined>();
const MAX_COMPILED = 256;

function patternOf(source: string): Pattern | undefined {
  if (compiled.has(source)) return compiled.get(source);
  let pattern: Pattern | undefined;
  try {
    pattern = compilePattern(source);
  } catch (problem) {
    if (!(problem instanceof PatternError)) throw problem;
  }
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

/**
 * A pattern we refuse counts as passed, and so does a value that would take too many steps: the user can mend
 * neither, and the server checks again.
 */
const regex: FunctionImplementation = createFunctionImplementation(
  RegexApi,
  ({ pattern, value }) => patternOf(pattern)?.(value).found ?? true,
);

const openUrl: FunctionImplementation = createFunctionImplementation(OpenUrlApi, () => {
  throw new A2uiExpressionError('openUrl may only be the function of an action', 'openUrl');
});

const safeUrl: FunctionImplementation = {
  name: SAFE_URL_FUNCTION,
  returnType: 'string',
  schema: CommonSchemas.AnyComponent.partial(),
  execute: ({ value }) => (typeof value === 'string' && isLoadableUrl(value) ? value : ''),
};

/** v1.0's index of the list item a component is drawn for. */
const itemIndex: FunctionImplementation = {
  name: '@index',
  returnType: 'number',
  schema: CommonSchemas.AnyComponent.partial(),
  execute({ offset }, context) {
    const index = Number(context.path.split('/').pop());
    return (Number.isInteger(index) ? index : 0) + (typeof offset === 'number' ? offset : 0);
  },
};
