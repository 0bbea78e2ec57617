import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type HttpFixture, startHttp } from './testing/fixture-peers.ts';

// Processes start slowly on a loaded machine; nothing here depends on how long anything takes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/* The 2026-07-28 wire, spoken by hand: what a client that is not ours sends and gets. */
let server: HttpFixture;
beforeAll(async () => {
  server = await startHttp('server-v2');
});
afterAll(() => server.stop());

interface Message {
  id?: number;
  method?: string;
  params?: { partialResultToken?: unknown; seq?: number; content?: Array<{ text: string }> };
  result?: { content: Array<{ text: string }> };
}

/** Posts one `tools/call` and yields each message of the answer as it comes in. */
async function* post(name: string, args: object, meta: object): AsyncGenerator<Message> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 42,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
          ...meta,
        },
      },
    }),
  });
  expect(response.status).toBe(200);
  if (response.headers.get('content-type')!.startsWith('application/json')) {
    yield (await response.json()) as Message;
    return;
  }
  let buffered = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    buffered += part;
    const events = buffered.split(/\r?\n\r?\n/);
    buffered = events.pop()!;
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5));
      if (data.length > 0) yield JSON.parse(data.join('\n')) as Message;
    }
  }
}

async function collect(messages: AsyncIterable<Message>): Promise<Message[]> {
  const all: Message[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

const capability = { 'io.modelcontextprotocol/clientCapabilities': { partialResults: {} } };
const numbers = (messages: Message[]) =>
  messages
    .filter((message) => message.method === 'notifications/tools/partial_result')
    .map(({ params }) => [params!.partialResultToken, params!.seq]);

it('streams to a call that opts in, over SSE, before the response', async () => {
  const messages = await collect(
    post('stream', { count: 3 }, { ...capability, partialResultToken: 'prt-abc' }),
  );
  expect(numbers(messages)).toEqual([
    ['prt-abc', 0],
    ['prt-abc', 1],
    ['prt-abc', 2],
  ]);
  expect(messages.at(-1)).toMatchObject({ id: 42, result: { content: [{ text: 'word0 word1 word2 ' }] } });
});

it('lets the reader have a chunk while the tool waits for it', async () => {
  const call = post('stream', { count: 3, gate: 'raw' }, { ...capability, partialResultToken: 0 });
  expect((await call.next()).value).toMatchObject({ params: { partialResultToken: 0, seq: 0 } });
  expect((await call.next()).value).toMatchObject({ params: { partialResultToken: 0, seq: 1 } });
  await collect(post('open_gate', { gate: 'raw' }, {}));
  expect((await call.next()).value).toMatchObject({ params: { partialResultToken: 0, seq: 2 } });
  expect((await call.next()).value).toMatchObject({ id: 42 });
});

it.each([
  ['neither', {}],
  ['the capability alone', capability],
  ['the token alone', { partialResultToken: 'prt-abc' }],
  ['a token of the wrong type', { ...capability, partialResultToken: 1.5 }],
  [
    'the capability as an extension',
    {
      'io.modelcontextprotocol/clientCapabilities': { extensions: { partialResults: {} } },
      partialResultToken: 'a',
    },
  ],
])('sends none to a call with %s', async (_what, meta) => {
  const messages = await collect(post('stream', { count: 3 }, meta));
  expect(messages.map((message) => message.method ?? message.id)).toEqual([42]);
  expect(messages[0]!.result!.content[0]!.text).toBe('word0 word1 word2 ');
});

it('does not remember the opt-in of an earlier call', async () => {
  await collect(post('stream', {}, { ...capability, partialResultToken: 'first' }));
  expect(numbers(await collect(post('stream', {}, {})))).toEqual([]);
});

it('counts two calls in flight apart', async () => {
  const [a, b] = await Promise.all([
    collect(post('stream', { count: 4 }, { ...capability, partialResultToken: 'a' })),
    collect(post('stream', { count: 2 }, { ...capability, partialResultToken: 7 })),
  ]);
  expect(numbers(a)).toEqual([0, 1, 2, 3].map((seq) => ['a', seq]));
  expect(numbers(b)).toEqual([0, 1].map((seq) => [7, seq]));
});

it('treats a closed stream as a cancel: the tool stops', async () => {
  const call = post('wait_for_abort', { gate: 'raw-abort' }, { ...capability, partialResultToken: 'gone' });
  await call.next();
  await call.return(undefined);
  await collect(post('wait_for_gate', { gate: 'raw-abort:aborted' }, {}));
  const [answer] = await collect(post('events', {}, {}));
  expect(answer!.result!.content[0]!.text).toContain('aborted:raw-abort');
});
