import { copyJson, type JsonLimits } from './json.ts';
import type { Report } from './report.ts';
import {
  isForbiddenPath,
  isLinkKey,
  isPatternKey,
  isPlainTemplate,
  isScriptTarget,
  isUrlKey,
  withoutScriptLinks,
} from './a2ui-text.ts';
import { compiles, isSafePattern } from './regex.ts';
import { isLoadableUrl, isWebUrl, schemeOf } from './urls.ts';

export interface A2uiLimits {
  /** Components in one message. Default 2,000. */
  maxComponents: number;
}

type Json = Record<string, unknown>;

const MESSAGES_08: ReadonlySet<string> = new Set([
  'beginRendering',
  'surfaceUpdate',
  'dataModelUpdate',
  'deleteSurface',
]);
const MESSAGES_09: ReadonlySet<string> = new Set([
  'createSurface',
  'updateComponents',
  'updateDataModel',
  'deleteSurface',
]);
const MESSAGES_10: ReadonlySet<string> = new Set([
  ...MESSAGES_09,
  'callRendererFunction',
  'agentFunctionResponse',
]);

const VERSION = /^v?(0\.8|0\.9|0\.10|1\.0)(?:\.\d{1,3})?$/;

/** The empty string is a valid value of every property concerned here, so the component stays valid. */
const NOTHING = '';

/**
 * One whole A2UI message, copied and checked, or `undefined`, reported (D4, field cases 45–49). What a
 * property may hold is judged by name and shape, not by component, so that it also holds in
 * catalogs this version does not know. Data is only copied: it is text until a property shows it.
 */
export function sanitizeA2ui(
  message: Json,
  path: string,
  report: Report,
  limits: JsonLimits & A2uiLimits,
): Json | undefined {
  const { version } = message;
  const kinds = Object.keys(message).filter((key) => key !== 'version');
  const known = knownMessages(version);
  if (!known) {
    report(
      'a2ui_unsupported_version',
      `${path}.version`,
      `version ${describe(version)} is not one of 0.8 to 1.0`,
    );
    return undefined;
  }
  const [kind] = kinds;
  if (kinds.length !== 1 || !kind || !known.has(kind)) {
    report(
      'a2ui_unknown_message',
      path,
      `must be one known message, has ${kinds.map(describe).join(', ') || 'none'}`,
    );
    return undefined;
  }
  const copied = copyJson(message, path, report, limits) as Json | undefined;
  const body = copied?.[kind];
  if (!copied || typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (copied) report('a2ui_unknown_message', `${path}.${kind}`, 'must hold an object');
    return undefined;
  }
  return checkBody(kind, body as Json, `${path}.${kind}`, report, limits.maxComponents) ? copied : undefined;
}

function knownMessages(version: unknown): ReadonlySet<string> | undefined {
  if (version === undefined || version === null) return MESSAGES_08;
  const line = typeof version === 'string' ? VERSION.exec(version)?.[1] : undefined;
  if (line === undefined) return undefined;
  if (line === '0.8') return MESSAGES_08;
  return line === '0.9' ? MESSAGES_09 : MESSAGES_10;
}

/** Edits the copy in place; false refuses the message. */
function checkBody(kind: string, body: Json, path: string, report: Report, maxComponents: number): boolean {
  let refused = false;

  function refusePath(at: string, value: string): void {
    refused = true;
    report('a2ui_forbidden_path', at, `${describe(value)} reaches for a prototype`);
  }

  /** `name` is the property that holds the value, also for what stands in a list. */
  function visit(
    owner: Json | unknown[],
    key: string | number,
    name: string,
    at: string,
    click: boolean,
  ): void {
    const value = (owner as Json)[key];
    if (typeof value === 'string') return visitString(owner as Json, key, name, value, at);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) visit(value, i, name, `${at}[${i}]`, false);
      return;
    }
    const node = value as Json;
    if (typeof node['call'] === 'string' && !visitCall(node, name, at, click && key === 'functionCall')) {
      (owner as Json)[key] = NOTHING;
      return;
    }
    if (isUrlKey(name)) visitUrl(node, 'literalString', `${at}.literalString`);
    else if (isLinkKey(name)) visitLink(node, 'literalString', `${at}.literalString`);
    for (const child of Object.keys(node)) visit(node, child, child, `${at}.${child}`, key === 'action');
  }

  function visitString(owner: Json, key: string | number, name: string, value: string, at: string): void {
    if (name === 'path' || name === 'dataBinding') {
      if (isForbiddenPath(value)) refusePath(at, value);
      return;
    }
    if (isUrlKey(name)) return visitUrl(owner, key, at);
    if (isLinkKey(name) && isScriptTarget(value)) return visitLink(owner, key, at);
    // A pattern that is none stays: it formats numbers or dates.
    if (isPatternKey(name) && !isSafePattern(value) && (name === 'validationRegexp' || compiles(value))) {
      owner[key] = NOTHING;
      return report('a2ui_regex', at, 'the pattern could hang the view');
    }
    const shown = withoutScriptLinks(value);
    if (shown === value) return;
    owner[key] = shown;
    report('a2ui_markdown_link', at, 'a link in the text would run script');
  }

  function visitUrl(owner: Json, key: string | number, at: string): void {
    const value = owner[key];
    if (typeof value !== 'string' || value === '' || isLoadableUrl(value)) return;
    owner[key] = NOTHING;
    report('a2ui_bad_url', at, 'must be an http, https or data:image URL');
  }

  function visitLink(owner: Json, key: string | number, at: string): void {
    const value = owner[key];
    if (typeof value !== 'string' || !isScriptTarget(value)) return;
    owner[key] = NOTHING;
    report('a2ui_bad_url', at, 'must not run script');
  }

  /** False: the call itself must go. */
  function visitCall(node: Json, name: string, at: string, onClick: boolean): boolean {
    const args =
      typeof node['args'] === 'object' && node['args'] !== null ? (node['args'] as Json) : undefined;
    switch (node['call']) {
      case 'openUrl': {
        const url = args?.['url'];
        if (onClick && typeof url === 'string' && isWebUrl(url)) return true;
        const why = onClick ? 'may open a literal http or https URL only' : 'would open without a click';
        report('a2ui_open_url', at, `openUrl ${why}`);
        return false;
      }
      case 'regex': {
        const pattern = args?.['pattern'];
        if (!args || (typeof pattern === 'string' && isSafePattern(pattern))) return true;
        args['pattern'] = NOTHING;
        report('a2ui_regex', `${at}.args.pattern`, 'must be a literal pattern that cannot hang the view');
        return true;
      }
      case 'formatString': {
        const template = args?.['value'];
        if (template === undefined) return true;
        if (typeof template === 'string' && isUrlKey(name) && !isUrlTemplate(template)) {
          report('a2ui_bad_url', `${at}.args.value`, 'must begin as an http, https or data:image URL');
          return false;
        }
        if (typeof template === 'string' && isPlainTemplate(template)) return true;
        report(
          'a2ui_template',
          `${at}.args.value`,
          'must be a literal template without openUrl, regex or nested templates',
        );
        return false;
      }
      default:
        return true;
    }
  }

  for (const [name, value] of Object.entries(body)) {
    const at = `${path}.${name}`;
    // The data model, and what a function answers, is data: only its keys matter, and they are checked.
    const isData = name === 'dataModel' || (name === 'value' && kind !== 'callRendererFunction');
    if (isData || kind === 'agentFunctionResponse') continue;
    if (kind === 'dataModelUpdate' && name === 'contents') {
      visitEntries(value, at, refusePath);
      continue;
    }
    if (name === 'components' && Array.isArray(value) && value.length > maxComponents) {
      report('a2ui_too_many_components', at, `has ${value.length}, the limit is ${maxComponents}`);
      return false;
    }
    visit(body, name, name, at, false);
    if (kind === 'callRendererFunction' && body[name] === NOTHING && value !== NOTHING) return false;
  }
  return !refused;
}

/** 0.8 writes data as a list of entries whose `key` becomes a property name. */
function visitEntries(entries: unknown, at: string, refuse: (at: string, value: string) => void): void {
  if (!Array.isArray(entries)) return;
  for (const [i, entry] of entries.entries()) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { key, valueMap } = entry as Json;
    if (typeof key === 'string' && isForbiddenPath(key)) refuse(`${at}[${i}].key`, key);
    visitEntries(valueMap, `${at}[${i}].valueMap`, refuse);
  }
}

/** What a template writes in front of its first part already says where it leads; nothing there leaves it open. */
function isUrlTemplate(template: string): boolean {
  const start = template.split('${', 1)[0]!;
  return start === '' || !schemeOf(start) || isWebUrl(`${start}x`) || isLoadableUrl(start);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : typeof value;
}
