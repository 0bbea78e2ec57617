import createDOMPurify from 'dompurify';
import type { Config, DOMPurify } from 'dompurify';

export interface HtmlOptions {
  /** Characters of one HTML resource. Default 1 Mi; sanitizing takes about 0.3 ms a kilobyte. */
  maxHtmlChars: number;
  /** For hosts under `require-trusted-types-for 'script'`. Without it no policy is created (field case 42). */
  trustedTypesPolicy?: HtmlPolicy | undefined;
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

const CONFIG = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
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
  ],
  FORBID_ATTR: ['style', 'ping', 'srcset', 'background', 'popover', 'popovertarget'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|#|data:image\/(?:png|jpeg|gif|webp)[;,])/i,
  ALLOW_DATA_ATTR: false,
} satisfies Config;

/**
 * DOMPurify in an instance of its own, so that hooks and settings of another copy on the page do not
 * reach it; made when the first HTML comes. SVG, MathML, styles and forms are off. The output is
 * cleaned once more and must not change: what is not stable under parsing is refused.
 */
export function createHtmlCleaner(options: HtmlOptions): HtmlCleaner {
  let purify: DOMPurify | undefined;
  // `null` keeps DOMPurify from creating a policy under a name that may be taken.
  const policy = options.trustedTypesPolicy ?? null;
  const config = { ...CONFIG, TRUSTED_TYPES_POLICY: policy } as unknown as Config;

  return (html) => {
    if (typeof window === 'undefined') return { refused: 'there is no DOM to check it with' };
    if (html.length > options.maxHtmlChars)
      return { refused: `has more than ${options.maxHtmlChars} characters` };
    if (!/[<&]/.test(html)) return { html, changed: false };
    try {
      purify ??= createDOMPurify(window);
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

function depthOf(root: Element): number {
  let depth = 0;
  let level: Element[] = [root];
  while (level.length > 0) {
    level = level.flatMap((element) => [...element.children]);
    depth++;
  }
  return depth;
}
