import type {
  ContentBlock,
  Parsed,
  PartialToolResult,
  PartialResultToken,
  Rejection,
  RejectionCode,
} from './types.ts';

/*
 * Written by hand: a schema library is 30 to 90 times slower on this shape and its compiled form
 * does not run under a CSP without 'unsafe-eval'. Fields that are `null` count as absent, unknown
 * fields are left alone: the stage that forwards a chunk builds it anew from the known ones.
 */

/**
 * Checks the `params` of a partial-result notification, of either hop (S3, S9).
 * @returns the chunk with `null` fields removed, or the first field that is wrong and why.
 */
export function parsePartialToolResult(params: unknown): Parsed<PartialToolResult> {
  if (!isPlainObject(params))
    return reject('not_an_object', '$', `params must be an object, got ${kind(params)}`);
  const { partialResultToken, seq, content, structuredContent, final, taskId, _meta } = params;

  if (partialResultToken === undefined)
    return reject('missing_field', '$.partialResultToken', 'the token is missing');
  if (!isToken(partialResultToken)) {
    return reject(
      'wrong_type',
      '$.partialResultToken',
      `must be a string or an integer, got ${kind(partialResultToken)}`,
    );
  }
  if (seq === undefined) return reject('missing_field', '$.seq', 'the sequence number is missing');
  if (typeof seq !== 'number') return reject('wrong_type', '$.seq', `must be a number, got ${kind(seq)}`);
  if (!Number.isSafeInteger(seq) || seq < 0) {
    return reject('out_of_range', '$.seq', `must be an integer from 0, got ${seq}`);
  }

  const chunk: PartialToolResult = { partialResultToken, seq };
  if (isPresent(content)) {
    const rejection = checkContent(content);
    if (rejection) return { ok: false, rejection };
    chunk.content = content as ContentBlock[];
  }
  if (isPresent(structuredContent)) chunk.structuredContent = structuredContent;
  if (isPresent(final)) {
    if (typeof final !== 'boolean')
      return reject('wrong_type', '$.final', `must be a boolean, got ${kind(final)}`);
    chunk.final = final;
  }
  if (isPresent(taskId)) {
    if (typeof taskId !== 'string')
      return reject('wrong_type', '$.taskId', `must be a string, got ${kind(taskId)}`);
    chunk.taskId = taskId;
  }
  if (isPresent(_meta)) {
    if (!isPlainObject(_meta))
      return reject('wrong_type', '$._meta', `must be an object, got ${kind(_meta)}`);
    chunk._meta = _meta;
  }
  return { ok: true, value: chunk };
}

/** A token is a string or an integer; `0` and `""` are tokens like any other (S9). */
export function isToken(value: unknown): value is PartialResultToken {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** True for `{…}` values, false for arrays, `null` and everything else. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function checkContent(content: unknown): Rejection | undefined {
  if (!Array.isArray(content))
    return rejection('wrong_type', '$.content', `must be an array, got ${kind(content)}`);
  for (let i = 0; i < content.length; i++) {
    const problem = checkBlock(content[i], `$.content[${i}]`);
    if (problem) return problem;
  }
  return undefined;
}

/** The fields without which a block of a known type cannot be shown. */
const REQUIRED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

function checkBlock(block: unknown, path: string): Rejection | undefined {
  if (!isPlainObject(block))
    return rejection('wrong_type', path, `must be a content block, got ${kind(block)}`);
  const { type } = block;
  if (typeof type !== 'string')
    return rejection('wrong_type', `${path}.type`, `must be a string, got ${kind(type)}`);
  if (type === 'resource') return checkResource(block['resource'], `${path}.resource`);
  const required = Object.hasOwn(REQUIRED_STRINGS, type) ? REQUIRED_STRINGS[type] : undefined;
  return required && checkStrings(block, required, path);
}

function checkResource(resource: unknown, path: string): Rejection | undefined {
  if (!isPlainObject(resource))
    return rejection('wrong_type', path, `must be an object, got ${kind(resource)}`);
  const body = isPresent(resource['blob']) ? 'blob' : 'text';
  return checkStrings(resource, ['uri', body], path);
}

function checkStrings(
  object: Record<string, unknown>,
  keys: readonly string[],
  path: string,
): Rejection | undefined {
  for (const key of keys) {
    if (typeof object[key] !== 'string') {
      return rejection('wrong_type', `${path}.${key}`, `must be a string, got ${kind(object[key])}`);
    }
  }
  return undefined;
}

function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return value === undefined ? 'nothing' : typeof value;
}

function rejection(code: RejectionCode, path: string, message: string): Rejection {
  return { code, path, message: `${path}: ${message}` };
}

function reject(code: RejectionCode, path: string, message: string): { ok: false; rejection: Rejection } {
  return { ok: false, rejection: rejection(code, path, message) };
}
