import { readdirSync, readFileSync } from 'node:fs';
import { createToolOutput, createViewFeed } from '@mcp-apps-bridge/host-bridge';
import { TOOL_OUTPUT_PARTIAL_METHOD } from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parseVector, type Vector } from './testing/read-vector.ts';
import { SCHEMA_FILE } from './tooling/schema.ts';

const folder = new URL('../vectors/', import.meta.url);
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name): [string, Vector] => [name, parseVector(readFileSync(new URL(name, folder), 'utf8'))]);

const schema = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')) as { $id: string };
const validate = new Ajv2020({ allErrors: true })
  .addSchema(schema)
  .getSchema(`${schema.$id}#/$defs/ToolOutputPartialNotification`)!;

/** What a host sends to a view for the chunks of a vector. */
function forward(
  { tool, chunks, result }: Vector,
  acks: boolean,
): Array<{ method: string; params: Record<string, unknown> }> {
  const scheduler = createManualScheduler();
  const output = createToolOutput({ tool: { name: 'recorded', ...tool }, scheduler });
  const sent: Array<{ method: string; params: Record<string, unknown> }> = [];
  const feed = createViewFeed({
    output,
    scheduler,
    notify: (method, params) => void sent.push({ method, params: structuredClone(params) }),
  });
  feed.open({ acks });
  for (const chunk of chunks) {
    output.push(chunk);
    scheduler.flush();
  }
  // Past every wait for a missing number, so that what is behind a gap is sent as well.
  scheduler.advance(10_000);
  output.finish(result);
  scheduler.flush();
  return sent;
}

it.each(vectors)(
  'what a host forwards of %s is as the schema says, numbered anew under a token of its own',
  (_name, vector) => {
    for (const acks of [true, false]) {
      const messages = forward(vector, acks);
      const partials = messages.filter(({ method }) => method === TOOL_OUTPUT_PARTIAL_METHOD);
      expect(partials.length).toBeGreaterThan(0);
      for (const partial of partials) {
        expect([validate({ jsonrpc: '2.0', ...partial }), validate.errors]).toEqual([true, null]);
        expect(partial.params['partialResultToken']).not.toBe('t-1');
      }
      expect(messages.at(-1)!.method).toBe('ui/notifications/tool-result');
    }
  },
);
