import { readdirSync, readFileSync } from 'node:fs';
import { parsePartialToolResult } from '@mcp-apps-bridge/partial-results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expectation, parseVector, runVector, type Vector } from './testing/read-vector.ts';

const folder = new URL('../vectors/', import.meta.url);
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name): [string, Vector] => [name, parseVector(readFileSync(new URL(name, folder), 'utf8'))]);

/** Absent counts are nought. */
function whole(expected: Expectation): Expectation {
  return { duplicates: 0, gaps: [], rejected: 0, badLines: 0, ...expected };
}

describe('a recorded stream ends in its state', () => {
  it.each(vectors)('%s', (name, vector) => {
    expect(`${vector.vector}.jsonl`).toBe(name);
    expect(runVector(vector)).toEqual(whole(vector.expect));
  });

  it.each(vectors)('%s, in every other order of arrival', (_name, vector) => {
    const chunks = firstOfEachNumber(vector.chunks);
    const { streamed, final, applied } = vector.expect;
    fc.assert(
      fc.property(fc.shuffledSubarray(chunks, { minLength: chunks.length }), (shuffled) => {
        expect(runVector({ ...vector, chunks: shuffled })).toMatchObject({ streamed, final, applied });
      }),
      { numRuns: 30 },
    );
  });

  it.each(vectors)('%s, with only the result seen', (_name, vector) => {
    expect(runVector({ ...vector, chunks: [] }).final).toEqual(vector.expect.final);
  });
});

it('covers every mode, every block type and every kind of trouble', () => {
  const text = JSON.stringify(vectors);
  for (const mode of ['append', 'replace', 'merge-patch', 'jsonl']) expect(text).toContain(`:"${mode}"`);
  for (const type of ['text', 'image', 'audio', 'resource', 'resource_link'])
    expect(text).toContain(`"type":"${type}"`);
  for (const trouble of ['duplicates', 'gaps', 'rejected', 'badLines'])
    expect(text).toContain(`"${trouble}":`);
});

/** Which of two chunks with one number counts depends on the order; what is malformed has no number. */
function firstOfEachNumber(chunks: readonly unknown[]): unknown[] {
  const numbers = new Set<number>();
  return chunks.filter((params) => {
    const parsed = parsePartialToolResult(params);
    if (!parsed.ok) return true;
    const known = numbers.has(parsed.value.seq);
    numbers.add(parsed.value.seq);
    return !known;
  });
}
