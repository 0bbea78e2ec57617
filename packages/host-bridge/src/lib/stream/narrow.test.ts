import { serialize } from 'node:v8';
import type { PartialResultBody } from '@mcp-apps-bridge/partial-results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COALESCE_LIMITS, createCoalescer } from './coalesce.ts';
import { createForwarder } from './forward.ts';
import { isNarrow, measureBody } from './narrow.ts';
import type { OutputChunk } from './types.ts';

/* Sizes are those of the engine's own serializer, which `postMessage` uses. */

const modes = { content: 'append' } as const;

/** A string the engine keeps at two bytes a character though no character needs them. */
function keptWide(text: string): string {
  return `\u6f22${text}`.slice(1);
}

function chunkOf(seq: number, body: PartialResultBody): OutputChunk {
  const narrow = isNarrow(body);
  const bytes = measureBody(body, narrow);
  return { range: { first: seq, last: seq }, gaps: 0, body, modes, bytes, narrow };
}

/** Every message the window path makes of these bodies, while none can be sent. */
function messagesOf(bodies: PartialResultBody[]): Record<string, unknown>[] {
  const coalescer = createCoalescer();
  const messages: Record<string, unknown>[] = [];
  const forwarder = createForwarder({
    notify: (method, params) => messages.push({ jsonrpc: '2.0', method, params }),
    onSendFailed: (_, error) => {
      throw error;
    },
    token: 'a'.repeat(32),
    epoch: 1,
  });
  bodies.forEach((body, seq) => coalescer.push(chunkOf(seq, body)));
  for (let chunk = coalescer.shift(); chunk; chunk = coalescer.shift()) forwarder.chunk(chunk);
  return messages;
}

const textBody = (text: string): PartialResultBody => ({ content: [{ type: 'text', text }] });
const textIn = (messages: Record<string, unknown>[]): string =>
  messages
    .flatMap(({ params }) => (params as PartialResultBody).content ?? [])
    .map(({ text, resource }) => (text as string | undefined) ?? resource?.text ?? '')
    .join('');

describe('a batch on the window path', () => {
  it('holds twice as much where a character is one byte', () => {
    const latin = messagesOf(Array.from({ length: 1_000 }, () => textBody('x'.repeat(200))));
    const greek = messagesOf(Array.from({ length: 1_000 }, () => textBody('\u03b1'.repeat(200))));
    expect(1_000 / latin.length).toBeGreaterThan(50);
    expect(greek.length).toBeGreaterThanOrEqual(latin.length * 1.9);
  });

  it.each([
    ['one wide character at the end', `${'x'.repeat(11_000)}\u{1f600}`],
    ['the first character above one byte', `${'x'.repeat(11_000)}\u0100`],
    ['the last character of one byte', 'x'.repeat(11_000) + '\u00ff'],
    ['characters kept at two bytes that need one', keptWide('x'.repeat(11_000))],
  ])('stays below the cliff with %s', (_, text) => {
    const pieces = Array.from({ length: 55 }, (__, i) => text.slice(i * 202, (i + 1) * 202));
    const messages = messagesOf(pieces.map(textBody));
    expect(textIn(messages)).toBe(pieces.join(''));
    for (const message of messages) expect(serialize(message).length).toBeLessThan(16_384);
  });

  it('never reaches it, whatever comes and however the engine keeps it', () => {
    const text = fc
      .tuple(
        fc.oneof(
          { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
          fc.string({ unit: 'binary', maxLength: 40 }),
        ),
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom('', '', '', '\u{1f600}', '\u0100', '\ud83d', '\u00ff'),
        fc.boolean(),
      )
      .map(([unit, times, last, wide]) => {
        const whole = unit.repeat(times) + last;
        return wide ? keptWide(whole) : whole;
      });
    const block = fc.oneof(
      { weight: 5, arbitrary: text.map((value) => ({ type: 'text' as const, text: value })) },
      text.map((value) => ({
        type: 'resource' as const,
        resource: { uri: 'file:///a', mimeType: 'text/plain', text: value },
      })),
      text.map((value) => ({
        type: 'text' as const,
        text: value,
        annotations: { note: value.slice(0, 50) },
      })),
    );
    const bodies = fc.array(
      fc.record(
        { content: fc.array(block, { maxLength: 3 }), _meta: fc.constant({ key: 'value' }) },
        { requiredKeys: ['content'] },
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(bodies, (list) => {
        const messages = messagesOf(list);
        expect(textIn(messages)).toBe(textIn(list.map((params) => ({ params }))));
        const alone = new Set(
          list
            .filter((body) => chunkOf(0, body).bytes > COALESCE_LIMITS.batchBytes)
            .map(({ content }) => content),
        );
        for (const message of messages) {
          const { content } = message['params'] as PartialResultBody;
          if (!alone.has(content as never)) expect(serialize(message).length).toBeLessThan(16_384);
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('a text longer than any batch is not scanned: its length alone decides', () => {
  expect(isNarrow(textBody('x'.repeat(16_385)))).toBe(false);
  expect(isNarrow(textBody('x'.repeat(16_384)))).toBe(true);
});
