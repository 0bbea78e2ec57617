import { expect, test } from '../support/fixtures.ts';
import { collect, partials, rawRequest, rawToolCall } from '../support/raw-mcp.ts';
import type { JsonRpcMessage } from '../support/raw-mcp.ts';

/* The report server on the wire: no SDK, nothing of this project, no browser. */

const OPT_IN = { partialResults: {} };
const dashboard = { name: 'generate_dashboard', arguments: {} };

const last = (messages: readonly JsonRpcMessage[]): JsonRpcMessage | undefined => messages.at(-1);
const seqs = (messages: readonly JsonRpcMessage[]): unknown[] => partials(messages).map(({ seq }) => seq);
const upTo = (count: number): number[] => [...Array(count).keys()];

test('an opted-in call streams seq 0, 1, 2 … before its response (S3)', async ({ urls }) => {
  const messages = await collect(
    rawToolCall(urls.mcp.report, { ...dashboard, capabilities: OPT_IN, token: 'prt-raw' }),
  );

  expect(seqs(messages).length).toBeGreaterThan(3);
  expect(seqs(messages)).toEqual(upTo(seqs(messages).length));
  expect(new Set(partials(messages).map((chunk) => chunk['partialResultToken']))).toEqual(
    new Set(['prt-raw']),
  );
  expect(last(messages)).toMatchObject({ id: 1, result: { content: expect.any(Array) } });
  expect(messages.filter((message) => message.id !== undefined)).toHaveLength(1);
});

test('chunks are spread over the call: other requests are answered between them (case 30)', async ({
  urls,
}) => {
  const order: string[] = [];
  let running = true;
  const call = (async () => {
    for await (const message of rawToolCall(urls.mcp.report, {
      ...dashboard,
      capabilities: OPT_IN,
      token: 1,
    })) {
      order.push(message.id === undefined ? 'chunk' : 'response');
    }
    running = false;
  })();
  for (let id = 100; running; id++) {
    await collect(rawRequest(urls.mcp.report, 'tools/list', {}, { id }));
    order.push('list');
  }
  await call;

  // Chunks that were held back until the end would arrive with no answered request between them.
  const runs = order.join(' ').split(/(?:list ?)+/);
  const runsWithChunks = runs.filter((entries) => entries.includes('chunk'));
  expect(runsWithChunks.length).toBeGreaterThan(3);
  expect(order.lastIndexOf('chunk')).toBeLessThan(order.indexOf('response'));
});

test('without the capability in that very call there are no partials, and the final is the same (S1, S7)', async ({
  urls,
}) => {
  const streamed = await collect(
    rawToolCall(urls.mcp.report, { ...dashboard, capabilities: OPT_IN, token: 'a' }),
  );
  const plain = await collect(rawToolCall(urls.mcp.report, { ...dashboard, token: 'b' }));

  expect(partials(streamed).length).toBeGreaterThan(0);
  expect(partials(plain)).toEqual([]);
  expect(last(plain)?.result).toEqual(last(streamed)?.result);
});

test('the capability without a token gets no partials (S2)', async ({ urls }) => {
  const messages = await collect(rawToolCall(urls.mcp.report, { ...dashboard, capabilities: OPT_IN }));

  expect(partials(messages)).toEqual([]);
  expect(last(messages)?.result).toBeDefined();
});

test('two calls at once count for themselves, and string and integer tokens come back as sent (S3, S9, case 16)', async ({
  urls,
}) => {
  const tokens = ['0', 0];
  const calls = await Promise.all(
    tokens.map((token, id) =>
      collect(rawToolCall(urls.mcp.report, { ...dashboard, id, capabilities: OPT_IN, token })),
    ),
  );

  for (const [index, messages] of calls.entries()) {
    expect(seqs(messages)).toEqual(upTo(seqs(messages).length));
    expect(seqs(messages).length).toBeGreaterThan(3);
    for (const chunk of partials(messages)) expect(chunk['partialResultToken']).toBe(tokens[index]);
    expect(last(messages)?.id).toBe(index);
  }
});

test('tools/list announces the streams (S16)', async ({ urls }) => {
  const [message] = await collect(rawRequest(urls.mcp.report, 'tools/list', {}));
  const tools = message?.result?.['tools'] as { name: string; annotations?: Record<string, unknown> }[];
  const hinted = tools
    .filter((tool) => tool.annotations?.['streamingHint'] === true)
    .map((tool) => tool.name);

  expect(hinted).toEqual(expect.arrayContaining(['generate_dashboard', 'write_report']));
});
