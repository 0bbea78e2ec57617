import { isPlainObject, type ContentBlock, type ResourceContents } from '@mcp-apps-bridge/partial-results';
import type { AssembledBlock } from '@mcp-apps-bridge/partial-results/stream';
import { isA2uiMimeType } from '@mcp-apps-bridge/partial-results/stream';
import { sanitizeA2ui, type A2uiLimits } from './a2ui.ts';
import type { HtmlCleaner } from './html.ts';
import { copyJson, type JsonLimits } from './json.ts';
import { essenceOf, holdsMarkup, isActiveMarkup, isBase64 } from './media.ts';
import type { Report } from './report.ts';
import { isLoadableUrl, isResourceUri, isResourceUriList } from './urls.ts';

export interface BlockRules {
  limits: JsonLimits & A2uiLimits;
  /** Media types of image and audio blocks. */
  mediaTypes: ReadonlySet<string>;
  /** Block types beyond the five of MCP that pass as plain JSON. */
  blockTypes: ReadonlySet<string>;
  /** Resource URI schemes; without it all but those that execute. */
  uriSchemes: ReadonlySet<string> | undefined;
  cleanHtml: HtmlCleaner;
  /** The embedder's own check of a whole A2UI or JSONL message. */
  recordRule?: ((record: Record<string, unknown>) => Record<string, unknown> | undefined) | undefined;
}

export interface BlockContext {
  path: string;
  report: Report;
  /** The block is whole: it comes with the result, or as the value that replaces the last one. */
  whole: boolean;
}

/** Views open what such a resource lists, so it is checked like the `uri` of a link. */
const URI_LIST = 'text/uri-list';

/** Fields that mean the same absent and `null`; SDK peers reject the latter (field case 89). */
const NULLABLE = ['annotations', '_meta', 'mimeType', 'title', 'description', 'size', 'icons'];

/** One block, copied and checked, or `undefined`, reported. Unknown fields of a known type stay. */
export function sanitizeBlock(
  item: AssembledBlock,
  rules: BlockRules,
  context: BlockContext,
): ContentBlock | undefined {
  const { path, report } = context;
  const block = copyBlock(item, rules, context);
  if (!block) return undefined;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? block : badBlock(context, 'text', 'a string');
    case 'image':
    case 'audio':
      return checkMedia(block, rules, context);
    case 'resource_link':
      return checkLink(block, rules, context);
    case 'resource':
      return checkResource(block, item, rules, context);
    default:
      if (rules.blockTypes.has(block.type)) return block;
      report(
        'unknown_block_type',
        `${path}.type`,
        `${JSON.stringify(block.type.slice(0, 80))} is not a known block type`,
      );
      return undefined;
  }
}

/** A message stream's raw text is dropped before the copy: only its checked messages go on. */
function copyBlock(
  item: AssembledBlock,
  rules: BlockRules,
  { path, report }: BlockContext,
): ContentBlock | undefined {
  const { block } = item;
  if (!isPlainObject(block) || typeof block.type !== 'string') {
    report('bad_block', path, 'must be an object with a "type"');
    return undefined;
  }
  const source = item.records ? { ...block, resource: { ...block.resource, text: '' } } : block;
  const copy = copyJson(source, path, report, rules.limits) as ContentBlock | undefined;
  if (!copy) return undefined;
  dropNulls(copy);
  if (isPlainObject(copy.resource)) dropNulls(copy.resource);
  for (const key of ['annotations', '_meta'] as const) {
    if (copy[key] === undefined || isPlainObject(copy[key])) continue;
    report('bad_block', `${path}.${key}`, 'must be an object and was dropped');
    delete copy[key];
  }
  return copy;
}

function dropNulls(object: Record<string, unknown>): void {
  for (const key of NULLABLE) if (object[key] === null) delete object[key];
}

function badBlock({ path, report }: BlockContext, field: string, wanted: string): undefined {
  report('bad_block', `${path}.${field}`, `must be ${wanted}`);
  return undefined;
}

function checkMedia(block: ContentBlock, rules: BlockRules, context: BlockContext): ContentBlock | undefined {
  const { path, report } = context;
  if (typeof block.data !== 'string') return badBlock(context, 'data', 'a string');
  if (typeof block.mimeType !== 'string') return badBlock(context, 'mimeType', 'a string');
  const essence = essenceOf(block.mimeType);
  if (!essence?.startsWith(`${block.type}/`) || !rules.mediaTypes.has(essence)) {
    report('bad_media_type', `${path}.mimeType`, `is not an allowed type for ${block.type} blocks`);
    return undefined;
  }
  if (!isBase64(block.data)) {
    report('bad_base64', `${path}.data`, 'must be base64');
    return undefined;
  }
  if (!isActiveMarkup(essence) && holdsMarkup(block.data)) {
    report('bad_media_type', `${path}.data`, `holds markup and not ${essence}`);
    return undefined;
  }
  return block;
}

function checkUri(uri: unknown, rules: BlockRules, at: string, context: BlockContext): uri is string {
  if (typeof uri !== 'string') badBlock({ ...context, path: at }, 'uri', 'a string');
  else if (isResourceUri(uri, rules.uriSchemes)) return true;
  else context.report('bad_uri', `${at}.uri`, 'has a scheme that is not allowed');
  return false;
}

function checkLink(block: ContentBlock, rules: BlockRules, context: BlockContext): ContentBlock | undefined {
  if (typeof block.name !== 'string') return badBlock(context, 'name', 'a string');
  if (!checkUri(block.uri, rules, context.path, context)) return undefined;
  const { icons } = block;
  if (icons === undefined) return block;
  if (!Array.isArray(icons)) {
    context.report('bad_block', `${context.path}.icons`, 'must be an array and was dropped');
    delete block['icons'];
    return block;
  }
  const loadable = icons.filter((icon: unknown) => {
    return isPlainObject(icon) && typeof icon['src'] === 'string' && isLoadableUrl(icon['src']);
  });
  if (loadable.length < icons.length) {
    context.report('bad_uri', `${context.path}.icons`, 'icons must have http, https or data:image sources');
    block['icons'] = loadable;
  }
  return block;
}

function checkResource(
  block: ContentBlock,
  item: AssembledBlock,
  rules: BlockRules,
  context: BlockContext,
): ContentBlock | undefined {
  const { path, report } = context;
  const { resource } = block;
  if (!isPlainObject(resource)) return badBlock(context, 'resource', 'an object');
  if (!checkUri(resource.uri, rules, `${path}.resource`, context)) return undefined;
  let essence: string | undefined;
  if (resource.mimeType !== undefined) {
    essence = typeof resource.mimeType === 'string' ? essenceOf(resource.mimeType) : undefined;
    if (essence === undefined) {
      report('bad_media_type', `${path}.resource.mimeType`, 'must be a media type');
      return undefined;
    }
  }
  if (item.records) {
    // The tool chose to have it read as messages; a view would still read it as what the type says.
    if (essence !== undefined && isActiveMarkup(essence)) {
      report('html_refused', `${path}.resource.mimeType`, `${essence} cannot be a stream of messages`);
      return undefined;
    }
    return writeRecords(block, item, essence, rules, context);
  }
  if (typeof resource.blob === 'string') {
    delete resource.text;
    if (essence !== undefined && (isActiveMarkup(essence) || isA2uiMimeType(essence))) {
      report(
        'html_refused',
        `${path}.resource.blob`,
        `${essence} must come as text, where it can be checked`,
      );
      return undefined;
    }
    if (isBase64(resource.blob)) return block;
    report('bad_base64', `${path}.resource.blob`, 'must be base64');
    return undefined;
  }
  if (typeof resource.text !== 'string') return badBlock(context, 'resource.text', 'a string');
  delete resource.blob;
  if (essence === undefined || (essence !== URI_LIST && !isActiveMarkup(essence))) return block;
  if (!context.whole) {
    report('html_withheld', `${path}.resource.text`, 'a fragment cannot be checked; the result brings it');
    return undefined;
  }
  return essence === URI_LIST
    ? checkUriList(block, resource, rules, context)
    : cleanMarkup(block, resource, essence, rules, context);
}

function checkUriList(
  block: ContentBlock,
  resource: ResourceContents,
  rules: BlockRules,
  { path, report }: BlockContext,
): ContentBlock | undefined {
  if (isResourceUriList(resource.text!, rules.uriSchemes)) return block;
  report('bad_uri', `${path}.resource.text`, 'lists a URI with a scheme that is not allowed');
  return undefined;
}

function cleanMarkup(
  block: ContentBlock,
  resource: ResourceContents,
  essence: string,
  rules: BlockRules,
  { path, report }: BlockContext,
): ContentBlock | undefined {
  const at = `${path}.resource.text`;
  if (essence !== 'text/html') {
    report('html_refused', at, `${essence} is not allowed`);
    return undefined;
  }
  const cleaned = rules.cleanHtml(resource.text!);
  if ('refused' in cleaned) {
    report('html_refused', at, cleaned.refused);
    return undefined;
  }
  if (cleaned.changed) report('html_cleaned', at, 'what could run or reach out was removed');
  resource.text = cleaned.html;
  return block;
}

/** What goes on is written anew from the checked messages, never the text that was read (D4). */
function writeRecords(
  block: ContentBlock,
  { records = [], form }: AssembledBlock,
  essence: string | undefined,
  rules: BlockRules,
  { path, report, whole }: BlockContext,
): ContentBlock | undefined {
  const checked: Record<string, unknown>[] = [];
  for (const [i, record] of records.entries()) {
    const at = `${path}.resource.text[${i}]`;
    const copy = isA2uiMimeType(essence)
      ? sanitizeA2ui(record, at, report, rules.limits)
      : (copyJson(record, at, report, rules.limits) as Record<string, unknown> | undefined);
    const kept = copy && applyRecordRule(copy, rules, at, report);
    if (kept) checked.push(kept);
  }
  if (checked.length === 0) return undefined;
  delete block.resource!.blob;
  // An array only as a whole document: line by line the next chunk's text can follow directly.
  block.resource!.text =
    whole && form === 'array'
      ? JSON.stringify(checked)
      : `${checked.map((it) => JSON.stringify(it)).join('\n')}\n`;
  return block;
}

function applyRecordRule(
  record: Record<string, unknown>,
  rules: BlockRules,
  at: string,
  report: Report,
): Record<string, unknown> | undefined {
  if (!rules.recordRule) return record;
  try {
    const kept = rules.recordRule(record);
    if (!kept) report('rule_refused', at, 'refused by the record rule');
    return kept;
  } catch {
    report('rule_failed', at, 'the record rule threw');
    return undefined;
  }
}
