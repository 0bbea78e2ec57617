import type {
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
  const rejection = isPlainObject(params)
    ? checkChunk(params)
    : mistyped('$', 'an object', params, 'not_an_object');
  if (rejection) return { ok: false, rejection };
  const fields = params as Record<string, unknown>;
  const chunk: Record<string, unknown> = {};
  for (const key of FIELDS) if (isPresent(fields[key])) chunk[key] = fields[key];
  return { ok: true, value: chunk as unknown as PartialToolResult };
}

const FIELDS = [
  'partialResultToken',
  'seq',
  'content',
  'structuredContent',
  'final',
  'taskId',
  '_meta',
] as const;

function checkChunk(params: Record<string, unknown>): Rejection | undefined {
  const { partialResultToken, seq, content, final, taskId, _meta } = params;
  if (!isToken(partialResultToken)) {
    return required('$.partialResultToken', 'a string or an integer', partialResultToken);
  }
  if (typeof seq !== 'number') return required('$.seq', 'a number', seq);
  if (!Number.isSafeInteger(seq) || seq < 0) {
    return reject('out_of_range', '$.seq', `must be an integer from 0, got ${seq}`);
  }
  const problem = isPresent(content) ? checkContent(content) : undefined;
  if (problem) return problem;
  if (isPresent(final) && typeof final !== 'boolean') return mistyped('$.final', 'a boolean', final);
  if (isPresent(taskId) && typeof taskId !== 'string') return mistyped('$.taskId', 'a string', taskId);
  return isPresent(_meta) && !isPlainObject(_meta) ? mistyped('$._meta', 'an object', _meta) : undefined;
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
  if (!Array.isArray(content)) return mistyped('$.content', 'an array', content);
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
  if (!isPlainObject(block)) return mistyped(path, 'a content block', block);
  const { type, resource } = block;
  if (typeof type !== 'string') return mistyped(`${path}.type`, 'a string', type);
  if (type === 'resource') {
    const at = `${path}.resource`;
    if (!isPlainObject(resource)) return mistyped(at, 'an object', resource);
    return checkStrings(resource, ['uri', isPresent(resource['blob']) ? 'blob' : 'text'], at);
  }
  return checkStrings(block, Object.hasOwn(REQUIRED_STRINGS, type) ? REQUIRED_STRINGS[type]! : [], path);
}

function checkStrings(
  object: Record<string, unknown>,
  keys: readonly string[],
  path: string,
): Rejection | undefined {
  const wrong = keys.find((key) => typeof object[key] !== 'string');
  return wrong === undefined ? undefined : mistyped(`${path}.${wrong}`, 'a string', object[wrong]);
}

function required(path: string, wanted: string, value: unknown): Rejection {
  return mistyped(path, wanted, value, value === undefined ? 'missing_field' : undefined);
}

function mistyped(
  path: string,
  wanted: string,
  value: unknown,
  code: RejectionCode = 'wrong_type',
): Rejection {
  const kind = value === undefined ? 'nothing' : value === null ? 'null' : typeof value;
  return reject(code, path, `must be ${wanted}, got ${Array.isArray(value) ? 'an array' : kind}`);
}

function reject(code: RejectionCode, path: string, message: string): Rejection {
  return { code, path, message: `${path}: ${message}` };
}
