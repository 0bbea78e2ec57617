import { connect } from 'node:net';
import { createSandboxHandler } from '@mcp-apps-bridge/host-bridge/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type Listening } from '../http/listen.ts';
import { serveSandbox } from './serve-sandbox.ts';

let listening: Listening;
let broken = false;

beforeAll(async () => {
  const inner = createSandboxHandler({ hostOrigins: ['http://127.0.0.1:1'] });
  const handler: typeof inner = async (request) => {
    if (broken) throw new Error('no page');
    return inner(request);
  };
  listening = await listen(
    serveSandbox(handler, () => listening.origin),
    { port: 0, hostname: 'localhost', portVariable: 'TEST_PORT' },
  );
});
afterAll(() => listening.close());

/** What a socket gets for these very bytes: `fetch` would not send them. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(listening.port, 'localhost', () => socket.end(bytes));
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}

const request = (line: string): string => `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
const status = async (bytes: string): Promise<string> => (await raw(bytes)).slice(9, 12);

test('the page is served, and only read', async () => {
  expect(await status(request('GET /'))).toBe('200');
  expect(await status(request('HEAD /?host=http://127.0.0.1:1'))).toBe('200');
  for (const method of ['POST', 'TRACE', 'PUT', 'DELETE'])
    expect(await status(request(`${method} /`))).toBe('405');
});

test.each(['GET //', 'GET //[', 'GET http://[::', 'GET /%', 'GET \\\\', 'NOTHING', ''])(
  'after %j the process serves on',
  async (line) => {
    await raw(request(line));
    expect(await status(request('GET /'))).toBe('200');
  },
);

test('a request that breaks off, or a handler that throws, ends nothing', async () => {
  await raw('GET / HTTP/1.1\r\nHost: loc');
  broken = true;
  expect(await status(request('GET /'))).toBe('400');
  broken = false;
  expect(await status(request('GET /'))).toBe('200');
});
