import {
  isPlainObject,
  type ContentBlock,
  type MergeModes,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { assembleResult, estimateSize, type AssembledBlock } from '@mcp-apps-bridge/partial-results/stream';
import { checkOptionNames, resolveLimits } from '../../limits.ts';
import type { A2uiLimits } from './a2ui.ts';
import { sanitizeBlock, type BlockRules } from './blocks.ts';
import { createHtmlCleaner, type HtmlPolicy, type HtmlRules } from './html.ts';
import { copyJson, isForbiddenEntry, type JsonLimits } from './json.ts';
import { MEDIA_TYPES } from './media.ts';
import type { Report } from './report.ts';

export interface SanitizeLimits extends JsonLimits, A2uiLimits {
  /** Blocks in one chunk or result. Default 10,000. */
  maxBlocks: number;
  /** Estimated bytes of a whole result, two per character. Default 64 MiB. */
  maxResultBytes: number;
  /** Characters of one HTML resource. Default 1 Mi. */
  maxHtmlChars: number;
}

export const SANITIZE_LIMITS: Readonly<SanitizeLimits> = {
  maxDepth: 64,
  maxValues: 500_000,
  maxStringChars: 16 * 1_024 * 1_024,
  maxKeyChars: 4_096,
  maxComponents: 2_000,
  maxBlocks: 10_000,
  maxResultBytes: 64 * 1_024 * 1_024,
  maxHtmlChars: 1_024 * 1_024,
};

/** Rules of an embedder run after the built-in ones, on partials and results alike. */
export interface SanitizerOptions {
  limits?: Partial<SanitizeLimits>;
  /** Block types beyond text, image, audio, resource and resource_link that pass as plain JSON. Default none. */
  allowBlockTypes?: readonly string[];
  /** Block types refused although known. Default none. */
  denyBlockTypes?: readonly string[];
  /** Types for image and audio blocks beyond the usual raster and audio formats. Default none; SVG is not among them. */
  allowMediaTypes?: readonly string[];
  /** The only URI schemes for resources and links. Default: all but those that execute, such as `javascript`. */
  uriSchemes?: readonly string[];
  /** What HTML resources may hold beyond, or less than, the default: no SVG, MathML, styles or forms. */
  html?: HtmlRules;
  /** Policy for hosts under `require-trusted-types-for 'script'`. Without one HTML resources are refused there. */
  trustedTypesPolicy?: HtmlPolicy;
  /** Last word on a block: return it, another one, or nothing to drop it. Throwing drops it. */
  blockRule?: (block: ContentBlock) => ContentBlock | undefined;
  /** Last word on one whole message of an A2UI or JSONL stream. */
  recordRule?: (record: Record<string, unknown>) => Record<string, unknown> | undefined;
}

/**
 * The one check of everything a view may read, for chunks and results alike (S12, D4). Returns
 * copies; refuses by dropping the smallest whole thing; reports each decision; never throws.
 */
export interface Sanitizer {
  /** @param whole the blocks are complete, as in a result; HTML is only let through then. */
  content(
    blocks: readonly AssembledBlock[],
    report: Report,
    options?: { path?: string; whole?: boolean },
  ): ContentBlock[];
  /** `undefined` when the value is refused as a whole. */
  structured(value: unknown, report: Report, path?: string): unknown;
  /** The keys of `_meta` that may go on: none of this project's, no tokens. */
  meta(
    value: Record<string, unknown> | undefined,
    report: Report,
    path?: string,
  ): Record<string, unknown> | undefined;
  result(result: ToolResult, report: Report, modes?: MergeModes): ToolResult;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);
const OPTION_NAMES = [
  'limits',
  'allowBlockTypes',
  'denyBlockTypes',
  'allowMediaTypes',
  'uriSchemes',
  'html',
  'trustedTypesPolicy',
  'blockRule',
  'recordRule',
];
const RESULT_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'isError',
  '_meta',
  'resultType',
]);
/** Ours are written by the forwarder; the others belong to the hop between server and client. */
const HOP_META =
  /^io\.github\.mcp-apps-bridge\/|^(?:partialResultToken|progressToken)$|^io\.modelcontextprotocol\/(?:client|protocol)/;

/** @throws HostBridgeError `invalid_option` */
export function createSanitizer(options: SanitizerOptions = {}): Sanitizer {
  checkOptionNames('createSanitizer', OPTION_NAMES, options);
  const limits = resolveLimits('createSanitizer', SANITIZE_LIMITS, options.limits);
  const { maxHtmlChars } = limits;
  const denied = new Set(options.denyBlockTypes);
  const allowed = (options.allowBlockTypes ?? []).filter((type) => !KNOWN_TYPES.has(type));
  const rules: BlockRules = {
    limits,
    mediaTypes: new Set([...MEDIA_TYPES.image, ...MEDIA_TYPES.audio, ...lower(options.allowMediaTypes)]),
    blockTypes: new Set(allowed),
    uriSchemes: options.uriSchemes && new Set(lower(options.uriSchemes)),
    cleanHtml: createHtmlCleaner({
      maxHtmlChars,
      trustedTypesPolicy: options.trustedTypesPolicy,
      rules: options.html,
    }),
    recordRule: options.recordRule,
  };

  function checkBlock(
    item: AssembledBlock,
    path: string,
    whole: boolean,
    report: Report,
  ): ContentBlock | undefined {
    let block: ContentBlock | undefined;
    try {
      const type: unknown = item.block?.type;
      if (typeof type === 'string' && denied.has(type)) {
        report('unknown_block_type', `${path}.type`, `"${type}" is denied`);
        return undefined;
      }
      block = sanitizeBlock(item, rules, { path, report, whole });
    } catch {
      report('not_json', path, 'could not be read');
    }
    if (!block || !options.blockRule) return block;
    try {
      const kept = options.blockRule(block);
      if (!kept) report('rule_refused', path, 'refused by the block rule');
      return kept;
    } catch {
      report('rule_failed', path, 'the block rule threw');
      return undefined;
    }
  }

  function checkResult(result: ToolResult, report: Report, modes: MergeModes | undefined): ToolResult {
    if (sizeOf(result, limits.maxResultBytes) > limits.maxResultBytes) {
      report('too_large', '$', `the result has more than ${limits.maxResultBytes} estimated bytes`);
      return errorResult('The result is too large to show.');
    }
    for (const key of Object.keys(result)) {
      if (!RESULT_FIELDS.has(key)) report('unknown_field', `$.${key}`, 'is not part of a tool result');
    }
    const checked: ToolResult = { content: checkContent(result, report, modes) };
    const structuredContent = sanitizer.structured(result.structuredContent, report);
    if (structuredContent !== undefined) checked.structuredContent = structuredContent;
    const isError: unknown = result.isError;
    if (typeof isError === 'boolean') checked.isError = isError;
    else if (isError !== undefined && isError !== null) report('bad_block', '$.isError', 'must be a boolean');
    const meta = sanitizer.meta(result._meta, report);
    if (meta) checked._meta = meta;
    return checked;
  }

  /** Message streams are read first, so that one code path checks whole messages in chunks and results. */
  function checkContent(result: ToolResult, report: Report, modes: MergeModes | undefined): ContentBlock[] {
    const given: unknown = result.content;
    if (given !== undefined && given !== null && !Array.isArray(given))
      report('bad_block', '$.content', 'must be an array');
    const blocks = assembleResult(
      { _meta: result._meta, content: Array.isArray(given) ? Array.from(given, asBlock) : [] },
      {
        ...(modes && { modes }),
        // What the reader could not make out is gone from the blocks; the loss is reported here.
        onEvent: (event) =>
          report(
            'a2ui_unknown_message',
            '$.content',
            'problem' in event ? `a line is ${event.problem}` : event.type,
          ),
      },
    );
    return sanitizer.content(blocks, report, { whole: true });
  }

  function copyMeta(
    value: Record<string, unknown>,
    report: Report,
    path: string,
  ): Record<string, unknown> | undefined {
    const own: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (item === null || item === undefined || HOP_META.test(key)) continue;
      if (key.length > limits.maxKeyChars) {
        report('key_too_long', path, `has a key of more than ${limits.maxKeyChars} characters`);
      } else if (isForbiddenEntry(key, item)) {
        report('forbidden_key', `${path}.${key}`, `the key "${key}" can reach a prototype`);
      } else {
        const copy = copyJson(item, `${path}.${key.slice(0, 80)}`, report, limits);
        if (copy !== undefined) own[key] = copy;
      }
    }
    return Object.keys(own).length > 0 ? own : undefined;
  }

  const sanitizer: Sanitizer = {
    content(blocks, report, { path = '$.content', whole = false } = {}) {
      if (blocks.length > limits.maxBlocks) {
        report(
          'too_many_blocks',
          path,
          `has ${blocks.length} blocks; those after ${limits.maxBlocks} were dropped`,
        );
      }
      const kept: ContentBlock[] = [];
      for (let i = 0; i < blocks.length && i < limits.maxBlocks; i++) {
        const block = checkBlock(blocks[i]!, `${path}[${i}]`, whole, report);
        if (block) kept.push(block);
      }
      return kept;
    },
    structured: (value, report, path = '$.structuredContent') =>
      value === undefined || value === null ? undefined : copyJson(value, path, report, limits),
    meta(value, report, path = '$._meta') {
      try {
        return isPlainObject(value) ? copyMeta(value, report, path) : undefined;
      } catch {
        report('not_json', path, 'could not be read');
        return undefined;
      }
    },
    result(result, report, modes) {
      try {
        return checkResult(result, report, modes);
      } catch {
        report('not_json', '$', 'could not be read');
        return errorResult('The result could not be checked.');
      }
    },
  };
  return sanitizer;
}

/** What is no object keeps its place, so that the paths of reports are right, and is refused there. */
function asBlock(value: unknown): ContentBlock {
  return isPlainObject(value) ? (value as ContentBlock) : ({} as ContentBlock);
}

/** What is nested too deeply to be measured counts for nothing: its own check drops it, and it alone. */
function sizeOf(result: ToolResult, enough: number): number {
  const blocks: unknown[] = Array.isArray(result.content) ? result.content : [];
  let size = 0;
  for (const part of [result.structuredContent, result._meta, ...blocks]) {
    const bytes = estimateSize(part, enough - size);
    if (bytes !== Infinity) size += bytes;
    if (size > enough) break;
  }
  return size;
}

export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function lower(names: readonly string[] | undefined): string[] {
  return (names ?? []).map((name) => name.toLowerCase());
}
