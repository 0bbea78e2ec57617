import { isExecutableUrl } from './urls.ts';

/** Properties whose strings a component may load or open; `urls` and the like hold several. */
const URL_KEY = /^(?:url|src|href|uri)s?$|[_-](?:url|src|href|uri)s?$/i;
const URL_SUFFIX = /(?:Url|URL|Src|Href|Uri|URI)s?$/;
/** Properties that hold a URL in one catalog and a name or text in another: only what runs script is out. */
const LINK_KEY =
  /^(?:link|links|poster|srcset|background|image|icon|thumbnail|avatar|logo|homepage|website)$/i;
const PATTERN_KEY = /^(?:validationRegexp|pattern|regex|regexp)$/i;

export function isUrlKey(key: string): boolean {
  return URL_KEY.test(key) || URL_SUFFIX.test(key);
}

export function isLinkKey(key: string): boolean {
  return LINK_KEY.test(key);
}

export function isPatternKey(key: string): boolean {
  return PATTERN_KEY.test(key);
}

/** JSON pointers and the dotted and bracketed forms that readers also take, however they are escaped. */
export function isForbiddenPath(path: string): boolean {
  return [path, decodePercent(path)].some((form) => {
    const pointer = form.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!/proto|constructor/i.test(pointer)) return false;
    return pointer
      .split(/[/.[\]"']/)
      .some((step) => step === '__proto__' || step === 'constructor' || step === 'prototype');
  });
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Calls inside a template that cannot be seen into, or that act while the text is drawn. */
const TEMPLATE_CALL = /\b(?:openUrl|regex|formatString)\s*\(/;
const TEMPLATE_PATH = /[\w/.~%[\]-]+/g;

/** Whether the `${…}` parts of a template do nothing but read and format. */
export function isPlainTemplate(template: string): boolean {
  for (let at = template.indexOf('${'); at >= 0;) {
    const end = endOfPart(template, at + 2);
    const part = template.slice(at + 2, end);
    if (TEMPLATE_CALL.test(part) || (part.match(TEMPLATE_PATH) ?? []).some(isForbiddenPath)) return false;
    at = template.indexOf('${', end);
  }
  return true;
}

/** Where the braces balance, those in quotes left out, as the renderers read it; else the end. */
function endOfPart(template: string, from: number): number {
  let depth = 1;
  let quote = '';
  for (let i = from; i < template.length; i++) {
    const char = template[i]!;
    if (quote) {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i;
  }
  return template.length;
}

/**
 * Where Markdown names a target, `](`, `]:` or `<`, and what a scheme may be spelt with. It matches
 * wherever it begins, and no two matches overlap, so the cost is linear.
 */
const TARGET = /(\]\(\s*<?|\]:\s*<?|<)([\w+.\-&#;\\:\p{Cc}\p{Cf}\p{Z}]*)/gu;
const COLON = /:|&(?:colon|#0*58|#x0*3a);?/i;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(Tab|NewLine|colon));?/gi;
const SHOWN_ENTITY: Readonly<Record<string, string>> = { tab: '\t', newline: '\n', colon: ':' };

/**
 * The text with `#` in place of each link target that runs script (field case 45); all else stays as it
 * is, since a renderer without Markdown shows it as written. HTML inside Markdown is the renderer's to refuse.
 */
export function withoutScriptLinks(text: string): string {
  if (!COLON.test(text)) return text;
  return text.replaceAll(TARGET, (found, opening: string, target: string, at: number) => {
    const colon = COLON.exec(target);
    if (!colon) return found;
    const end = colon.index + colon[0].length;
    const after = at + opening.length + end;
    const start = `${decodeMarkdown(target.slice(0, end))}${text.slice(after, after + 64)}`;
    return isScriptTarget(start) ? `${opening}#${target.slice(end)}` : found;
  });
}

/** Whether following this runs script; stricter than {@link isExecutableUrl}, since text is no URL. */
export function isScriptTarget(url: string): boolean {
  if (!isExecutableUrl(url)) return false;
  const start = url.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]/gu, '').toLowerCase();
  // `<data:row>` is a tag of some XML, and `[1]: about:` a note.
  return start.startsWith('data:') ? /^data:[a-z]+\/[a-z]/.test(start) : /^[a-z]*script:/.test(start);
}

function decodeMarkdown(text: string): string {
  return text
    .replaceAll(ENTITY, (found, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return SHOWN_ENTITY[name.toLowerCase()] ?? found;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : found;
    })
    .replaceAll('\\', '');
}
