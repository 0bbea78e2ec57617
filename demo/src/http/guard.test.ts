import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuard } from './guard.ts';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';

const PAGE = 'http://127.0.0.1:4711';
let listening: Listening;

beforeAll(async () => {
  const guard = createGuard({ origins: [PAGE], port: () => listening.port });
  listening = await listen(
    (incoming, response) => {
      if (guard(incoming, response)) response.end('through');
    },
    { port: 0, hostname: '127.0.0.1', portVariable: 'TEST_PORT' },
  );
});
afterAll(() => listening.close());

function ask(
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    request({ port: listening.port, host: '127.0.0.1', method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('a caller that is no browser passes', async () => {
  expect((await ask({})).body).toBe('through');
});

test('the host page passes and may read the answer', async () => {
  const answer = await ask({ origin: PAGE });
  expect(answer.body).toBe('through');
  expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
});

test('the own origin passes, under the name it was asked for and no other', async () => {
  const own = `127.0.0.1:${listening.port}`;
  expect((await ask({ host: own, origin: `http://${own}` })).body).toBe('through');
  expect((await ask({ host: own, origin: `http://localhost:${listening.port}` })).status).toBe(403);
  const rebound = `evil.example:${listening.port}`;
  expect((await ask({ host: rebound, origin: `http://${rebound}` })).status).toBe(403);
});

test.each(['http://127.0.0.1:4712', 'http://evil.example', 'null'])(
  'the page %s is refused',
  async (origin) => {
    const answer = await ask({ origin });
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  },
);

test('a rebound name is refused', async () => {
  expect((await ask({ host: `evil.example:${listening.port}` })).status).toBe(403);
});

test('a preflight is granted for MCP headers only', async () => {
  const answer = await ask(
    { origin: PAGE, 'access-control-request-headers': 'content-type, MCP-Protocol-Version, cookie' },
    'OPTIONS',
  );
  expect(answer.status).toBe(204);
  expect(answer.headers['access-control-allow-headers']).toBe('content-type, mcp-protocol-version');
});

test('a taken port is reported with the variable to change', async () => {
  await expect(
    listen(() => {}, { port: listening.port, hostname: '127.0.0.1', portVariable: 'DEMO_REPORT_PORT' }),
  ).rejects.toThrow('DEMO_REPORT_PORT');
});
