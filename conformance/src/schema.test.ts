import { readFileSync } from 'node:fs';
import {
  type PartialToolResult,
  parsePartialToolResult,
  isPlainObject,
} from '@mcp-apps-bridge/partial-results';
import { createPartialEmitter } from '@mcp-apps-bridge/partial-results/server';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  PartialToolResultNotificationParams,
  ToolOutputPartialNotificationParams,
} from '../schema/schema.ts';
import { parseVector } from './testing/read-vector.ts';
import { generateSchema, SCHEMA_FILE, type SchemaDocument } from './tooling/schema.ts';

const read = (file: string | URL): unknown => JSON.parse(readFileSync(file, 'utf8'));
const schema = read(SCHEMA_FILE) as SchemaDocument;
const ajv = new Ajv2020({ allErrors: true });
ajv.addSchema(schema);

function validator(name: string): ValidateFunction {
  return ajv.getSchema(`${schema.$id}#/$defs/${name}`)!;
}

const isParams = validator('PartialToolResultNotificationParams');
const isForwarded = validator('ToolOutputPartialNotificationParams');

it('is generated from schema.ts', { timeout: 120_000 }, () => {
  // Out of date? `pnpm --filter @mcp-apps-bridge/conformance generate`
  expect(schema).toEqual(generateSchema());
});

it('what the types of the schema allow, those of the library take', () => {
  expectTypeOf<PartialToolResultNotificationParams>().toExtend<PartialToolResult>();
  expectTypeOf<ToolOutputPartialNotificationParams>().toExtend<PartialToolResult>();
});

describe('examples', () => {
  const examples = read(new URL('../schema/examples.json', import.meta.url)) as Record<
    string,
    Array<Record<string, unknown>>
  >;

  it.each(Object.entries(examples))('of %s are valid, and chunks among them pass the guard', (name, list) => {
    for (const example of list) {
      expect([validator(name)(example), validator(name).errors]).toEqual([true, null]);
      if ('params' in example)
        expect(parsePartialToolResult(example['params'])).toEqual({ ok: true, value: example['params'] });
    }
  });

  it('a partial with an id is a request, and no partial', () => {
    const [example] = examples['PartialToolResultNotification']!;
    expect(validator('PartialToolResultNotification')({ ...example, id: 1 })).toBe(false);
  });
});

/** `null` counts as absent for the guard, which reads; the schema says what a sender should write. */
function withoutNulls(params: unknown): unknown {
  if (!isPlainObject(params)) return params;
  const { content, structuredContent, final, taskId, _meta, ...rest } = params;
  const present = Object.entries({ content, structuredContent, final, taskId, _meta }).filter(
    ([, value]) => value != null,
  );
  const result: Record<string, unknown> = { ...rest, ...Object.fromEntries(present) };
  if (Array.isArray(content)) result['content'] = content.map(withoutNullBlob);
  return result;
}

function withoutNullBlob(block: unknown): unknown {
  if (!isPlainObject(block) || block['type'] !== 'resource' || !isPlainObject(block['resource']))
    return block;
  const { blob, ...resource } = block['resource'];
  return { ...block, resource: blob == null ? resource : { ...resource, blob } };
}

/** Mostly right, with a wrong value here and there, so that both verdicts are common. */
const json = fc.jsonValue({ maxDepth: 2 });
const mostly = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: json });
const text = mostly(fc.string({ maxLength: 4 }));
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: text, mimeType: text }),
  fc.record({ type: fc.constant('resource_link'), uri: text, name: text }),
  fc.record({
    type: fc.constant('resource'),
    resource: mostly(fc.record({ uri: text, text, blob: text }, { requiredKeys: ['uri'] })),
  }),
  fc.record({ type: fc.constantFrom('', 'hologram', 'text ', 'texts', 'toString'), extra: json }),
  fc.record({ type: text }),
);
const params = fc.record(
  {
    partialResultToken: mostly(fc.oneof(fc.string({ maxLength: 4 }), fc.maxSafeInteger())),
    seq: mostly(
      fc.oneof(
        { weight: 8, arbitrary: fc.maxSafeNat() },
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    ),
    content: mostly(fc.array(mostly(block), { maxLength: 3 })),
    structuredContent: json,
    final: mostly(fc.boolean()),
    taskId: text,
    _meta: mostly(fc.dictionary(fc.string({ maxLength: 3 }), json)),
    'x-unknown': json,
  },
  { requiredKeys: ['partialResultToken', 'seq'] },
);

describe('the guard and the schema', () => {
  it('accept the same chunks, null counting as absent', () => {
    const verdicts = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: params }, json), (value) => {
        const { ok } = parsePartialToolResult(value);
        verdicts[`${ok}`]++;
        expect(isParams(withoutNulls(value))).toBe(ok);
      }),
      { numRuns: 4_000 },
    );
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(400);
  });

  it('differ on null alone: the schema refuses it where the guard reads it as absent', () => {
    const good = { partialResultToken: 't', seq: 0 };
    for (const field of ['content', 'structuredContent', 'final', 'taskId', '_meta']) {
      const value = { ...good, [field]: null };
      expect([field, parsePartialToolResult(value), isParams(value)]).toEqual([
        field,
        { ok: true, value: good },
        false,
      ]);
    }
  });

  it('agree on what opts a call in', () => {
    const capabilities = validator('ClientCapabilities');
    fc.assert(
      fc.property(
        fc.record({ partialResults: fc.oneof(fc.constant({}), json), other: json }, { requiredKeys: [] }),
        (value) => {
          const _meta = { 'io.modelcontextprotocol/clientCapabilities': value, partialResultToken: 't' };
          const { enabled } = createPartialEmitter({ sendNotification: () => Promise.resolve(), _meta });
          expect(capabilities(value) && 'partialResults' in value).toBe(enabled);
        },
      ),
    );
  });

  it('what the schema of the view hop accepts, the guard accepts', () => {
    fc.assert(
      fc.property(params, (value) => {
        if (isForwarded(value)) expect(parsePartialToolResult(value).ok).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('judges the chunks of the vectors as the vectors say', () => {
  const file = (name: string): string =>
    readFileSync(new URL(`../vectors/${name}.jsonl`, import.meta.url), 'utf8');
  for (const name of ['mixed', 'media', 'malformed']) {
    const { chunks, expect: expected } = parseVector(file(name));
    const refused = chunks.filter((chunk) => !isParams(withoutNulls(chunk)));
    expect([name, refused.length]).toEqual([name, expected.rejected ?? 0]);
  }
});
