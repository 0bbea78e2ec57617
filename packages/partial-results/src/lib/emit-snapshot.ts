import { PartialResultsError } from './errors.ts';
import { isPlainObject, parsePartialToolResult } from './guards.ts';
import type { PartialResultBody, PartialResultToken } from './types.ts';

const ANY_TOKEN: PartialResultToken = 0;

/**
 * The chunk as it will read on the wire. A copy, since it may wait here while the tool goes on
 * filling the object it passed.
 * @throws PartialResultsError `invalid_body`, naming the field that is wrong.
 */
export function takeSnapshot(body: unknown): PartialResultBody {
  if (!isPlainObject(body))
    throw invalidBody('emitPartial takes an object with content, structuredContent or final');
  let fields: Record<string, unknown>;
  try {
    const { content, structuredContent, final, _meta } = body;
    fields = JSON.parse(JSON.stringify({ content, structuredContent, final, _meta }));
  } catch (cause) {
    throw invalidBody(`the chunk cannot be written as JSON: ${String(cause)}`, cause);
  }
  const parsed = parsePartialToolResult({ ...fields, partialResultToken: ANY_TOKEN, seq: 0 });
  if (!parsed.ok) throw invalidBody(parsed.rejection.message);
  const { partialResultToken: _token, seq: _seq, ...snapshot } = parsed.value;
  if (Object.keys(snapshot).length === 0) {
    throw invalidBody('the chunk is empty: give it content, structuredContent, final or _meta');
  }
  return snapshot;
}

function invalidBody(message: string, cause?: unknown): PartialResultsError {
  return new PartialResultsError(
    'invalid_body',
    `emitPartial: ${message}`,
    cause === undefined ? {} : { cause },
  );
}
