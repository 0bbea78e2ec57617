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
import { createHtmlCleaner, type HtmlPolicy } from './html.ts';
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
    cleanHtml: createHtmlCleaner({ maxHtmlChars, trustedTypesPolicy: options.trustedTypesPolicy }),
    recordRule: options.recordRule,
  };

  function checkBlock(
    item: AssembledBlock,
    path: string,
    whole: boolean,
    report: Report,
  ): ContentBlock | undefined {
    const type: unknown = item.block?.type;
    if (typeof type === 'string' && denied.has(type)) {
      report('unknown_block_type', `${path}.type`, `"${type}" is denied`);
      return undefined;
    }
    const block = sanitizeBlock(item, rules, { path, report, whole });
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
      if (!isPlainObject(value)) return undefined;
      const own: Record<string, unknown> = {};
      for (const [key, item] of Object.entries(value)) {
        if (item === null || HOP_META.test(key) || isForbiddenEntry(key, item)) continue;
        const copy = copyJson(item, `${path}.${key}`, report, limits);
        if (copy !== undefined) own[key] = copy;
      }
      return Object.keys(own).length > 0 ? own : undefined;
    },
    result(result, report, modes) {
      const bytes = estimateSize(result, limits.maxResultBytes);
      if (bytes > limits.maxResultBytes) {
        report('too_large', '$', `the result has more than ${limits.maxResultBytes} estimated bytes`);
        return errorResult('The result is too large to show.');
      }
      for (const key of Object.keys(result)) {
        if (!RESULT_FIELDS.has(key)) report('unknown_field', `$.${key}`, 'is not part of a tool result');
      }
      const content = Array.isArray(result.content) ? result.content : [];
      const blocks = assembleResult(
        { ...result, content: content.filter(isPlainObject) },
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
      const checked: ToolResult = { content: sanitizer.content(blocks, report, { whole: true }) };
      const structuredContent = sanitizer.structured(result.structuredContent, report);
      if (structuredContent !== undefined) checked.structuredContent = structuredContent;
      if (typeof result.isError === 'boolean') checked.isError = result.isError;
      const meta = sanitizer.meta(result._meta, report);
      if (meta) checked._meta = meta;
      return checked;
    },
  };
  return sanitizer;
}

export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function lower(names: readonly string[] | undefined): string[] {
  return (names ?? []).map((name) => name.toLowerCase());
}
