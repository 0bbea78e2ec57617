import createDOMPurify from 'dompurify';
import type { Config, DOMPurify } from 'dompurify';
import { HostBridgeError } from '../../errors.ts';
import { checkOptionNames } from '../../limits.ts';

export interface HtmlOptions {
  /** Characters of one HTML resource. Default 1 Mi; sanitizing takes about 0.3 ms a kilobyte. */
  maxHtmlChars: number;
  /** For hosts under `require-trusted-types-for 'script'`. Without it no policy is created (field case 42). */
  trustedTypesPolicy?: HtmlPolicy | undefined;
  /** What this app may have beyond or less than the default. */
  rules?: HtmlRules | undefined;
}

/** Changes to what HTML resources may hold. Names are compared without case. */
export interface HtmlRules {
  /** Drawings inside HTML. What runs, animates or includes other documents stays out. Default false. */
  svg?: boolean;
  /** Formulas inside HTML. Default false. */
  mathMl?: boolean;
  /** Further elements, such as `button`. Those that run script or load documents are refused. Default none. */
  allowTags?: readonly string[];
  /** Further attributes, such as `style`. Those that run script are refused. Default none. */
  allowAttributes?: readonly string[];
  /** Elements removed besides. Default none. */
  denyTags?: readonly string[];
  /** Attributes removed besides. Default none. */
  denyAttributes?: readonly string[];
}

/** The part of a Trusted Types policy that is used. */
export interface HtmlPolicy {
  createHTML(input: string): unknown;
  createScriptURL(input: string): unknown;
}

/** What came out, or why nothing did. */
export type CleanHtml = { html: string; changed: boolean } | { refused: string };

export type HtmlCleaner = (html: string) => CleanHtml;

/** Deeper markup changes its meaning when it is parsed again (field case 39). */
const MAX_DEPTH = 200;

const OFF_TAGS = [
  'style',
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'option',
  'dialog',
  'template',
  'slot',
];
const OFF_ATTRIBUTES = ['style', 'ping', 'srcset', 'background', 'popover', 'popovertarget'];

/** No option opens these: they run script, load documents, change the page around them, or parse differently twice. */
const NEVER_TAGS =
  /^(?:script|style|iframe|frame|frameset|object|embed|applet|portal|fencedframe|base|link|meta|template|slot|noscript|noembed|noframes|xmp|plaintext|math|svg|annotation-xml|foreignobject|use|animate.*|set|html|head|body)$/;
const NEVER_ATTRIBUTES = /^on|^(?:srcdoc|formaction|action|is|slot|http-equiv|xmlns.*)$/;

const RULE_NAMES = ['svg', 'mathMl', 'allowTags', 'allowAttributes', 'denyTags', 'denyAttributes'];

const CONFIG = {
  // Applies to every attribute: what has no scheme is a width, a language or the like.
  ALLOWED_URI_REGEXP:
    /^(?:https?:|mailto:|tel:|data:image\/(?:png|jpeg|gif|webp)[;,]|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i,
  ALLOW_DATA_ATTR: false,
} satisfies Config;

const URL_ATTRIBUTES: ReadonlySet<string> = new Set([
  'href',
  'xlink:href',
  'src',
  'srcset',
  'poster',
  'cite',
  'longdesc',
  'action',
  'data',
  'background',
  'usemap',
]);
/** A relative reference would lead to the sandbox, which has nothing of the server's. */
const ABSOLUTE = /^(?:https?:|mailto:|tel:|#|data:image\/)/i;
/** Presentation attributes of SVG load what they name; an escape could spell it. */
const PAINT = /^(?:fill|stroke|filter|mask|clip-path|cursor|marker(?:-\w+)?)$/;
const LOADS = /url\s*\(\s*["']?\s*(?!["'\s#])|\\/i;

/**
 * DOMPurify in an instance of its own, so that hooks and settings of another copy on the page do not
 * reach it; made when the first HTML comes. SVG, MathML, styles and forms are off by default. The output is
 * cleaned once more and must not change: what is not stable under parsing is refused.
 */
export function createHtmlCleaner(options: HtmlOptions): HtmlCleaner {
  let purify: DOMPurify | undefined;
  // `null` keeps DOMPurify from creating a policy under a name that may be taken.
  const policy = options.trustedTypesPolicy ?? null;
  const config = { ...configOf(options.rules ?? {}), TRUSTED_TYPES_POLICY: policy } as unknown as Config;

  return (html) => {
    if (typeof window === 'undefined') return { refused: 'there is no DOM to check it with' };
    if (html.length > options.maxHtmlChars)
      return { refused: `has more than ${options.maxHtmlChars} characters` };
    if (!/[<&]/.test(html)) return { html, changed: false };
    try {
      purify ??= createPurify();
      if (!purify.isSupported) return { refused: 'the DOM here cannot check it' };
      const once = purify.sanitize(html, config);
      const body = purify.sanitize(once, { ...config, RETURN_DOM: true });
      if (body.innerHTML !== once) return { refused: 'changes its meaning when parsed again' };
      if (depthOf(body) > MAX_DEPTH) return { refused: `is nested more than ${MAX_DEPTH} levels deep` };
      return { html: once, changed: once !== html };
    } catch (error) {
      return { refused: `could not be parsed here: ${error instanceof Error ? error.name : typeof error}` };
    }
  };
}

function createPurify(): DOMPurify {
  const purify = createDOMPurify(window);
  if (!purify.isSupported) return purify;
  purify.addHook('uponSanitizeAttribute', (_, attribute) => {
    const { attrName, attrValue } = attribute;
    const relative = URL_ATTRIBUTES.has(attrName) && !ABSOLUTE.test(attrValue.trim());
    if (relative || (PAINT.test(attrName) && LOADS.test(attrValue))) attribute.keepAttr = false;
  });
  return purify;
}

function depthOf(root: Element): number {
  let depth = 0;
  let level: Element[] = [root];
  while (level.length > 0) {
    level = level.flatMap((element) => [...element.children]);
    depth++;
  }
  return depth;
}

/** Lists only: a function given to DOMPurify would take precedence over what is forbidden (field case 40). */
function configOf(rules: HtmlRules): Config {
  checkOptionNames('createSanitizer: html', RULE_NAMES, rules);
  const tags = names('allowTags', rules.allowTags, NEVER_TAGS);
  const attributes = names('allowAttributes', rules.allowAttributes, NEVER_ATTRIBUTES);
  return {
    ...CONFIG,
    USE_PROFILES: { html: true, svg: rules.svg === true, mathMl: rules.mathMl === true },
    ADD_TAGS: tags,
    ADD_ATTR: attributes,
    FORBID_TAGS: [...OFF_TAGS.filter((tag) => !tags.includes(tag)), ...names('denyTags', rules.denyTags)],
    FORBID_ATTR: [
      ...OFF_ATTRIBUTES.filter((name) => !attributes.includes(name)),
      ...names('denyAttributes', rules.denyAttributes),
    ],
  };
}

function names(option: string, given: readonly string[] | undefined, never?: RegExp): string[] {
  const list = (given ?? []).map((name) => name.toLowerCase());
  const bad = list.find((name) => never?.test(name));
  if (bad === undefined) return list;
  throw new HostBridgeError(
    'invalid_option',
    `createSanitizer: "html.${option}" cannot hold ${JSON.stringify(bad)}; an app that needs it is a UI resource in the sandbox`,
  );
}
