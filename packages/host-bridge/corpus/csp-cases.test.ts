import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxHandler } from '../src/lib/sandbox/handler.ts';

const HOST = 'https://chat.example';
const handler = createSandboxHandler({ hostOrigins: [HOST] });
let server: Server;
let port = 0;

/* A plain Node server, as an embedder without a framework writes it: what counts is what is on the wire. */
beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    void handler(
      new Request(`http://127.0.0.1${incoming.url ?? '/'}`, { method: incoming.method ?? 'GET' }),
    ).then(async (response) => {
      outgoing.writeHead(response.status, [...response.headers].flat());
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function get(query: string, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: `/proxy?${query}`, method }, (response) => {
      response.resume();
      response.on('end', () => resolve(response));
    })
      .on('error', reject)
      .end();
  });
}

/** Written out in full each time, so that nothing here is built the way the policy is. */
const CLOSED =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'; " +
  'frame-ancestors https://chat.example';

const CASES: readonly (readonly [name: string, declared: unknown, policy: string])[] = [
  ['nothing declared', undefined, CLOSED],
  ['empty lists', { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }, CLOSED],
  [
    'one origin to connect to',
    { connectDomains: ['https://api.example'] },
    CLOSED.replace("connect-src 'none'", 'connect-src https://api.example'),
  ],
  [
    'a web socket with a port, and one twice',
    { connectDomains: ['wss://live.example:8443', 'https://a.example', 'wss://live.example:8443'] },
    CLOSED.replace("connect-src 'none'", 'connect-src wss://live.example:8443 https://a.example'),
  ],
  [
    'a wildcard host',
    { connectDomains: ['https://*.example.com'] },
    CLOSED.replace("connect-src 'none'", 'connect-src https://*.example.com'),
  ],
  [
    'a host of this machine, any port',
    { connectDomains: ['http://127.0.0.1:*', 'localhost:3000'] },
    CLOSED.replace("connect-src 'none'", 'connect-src http://127.0.0.1:* localhost:3000'),
  ],
  [
    'one origin for resources',
    { resourceDomains: ['https://cdn.example'] },
    "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.example; style-src 'self' 'unsafe-inline' https://cdn.example; " +
      "img-src 'self' data: https://cdn.example; font-src 'self' https://cdn.example; media-src 'self' data: https://cdn.example; " +
      "connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors https://chat.example",
  ],
  [
    'a path of one',
    { resourceDomains: ['https://cdn.example/lib@1/'] },
    "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.example/lib@1/; style-src 'self' 'unsafe-inline' https://cdn.example/lib@1/; " +
      "img-src 'self' data: https://cdn.example/lib@1/; font-src 'self' https://cdn.example/lib@1/; media-src 'self' data: https://cdn.example/lib@1/; " +
      "connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors https://chat.example",
  ],
  [
    'a frame',
    { frameDomains: ['https://player.example'] },
    CLOSED.replace("frame-src 'none'", 'frame-src https://player.example'),
  ],
  [
    'a base',
    { baseUriDomains: ['https://docs.example'] },
    CLOSED.replace("base-uri 'self'", 'base-uri https://docs.example'),
  ],
  [
    'all four',
    {
      connectDomains: ['https://a.example'],
      resourceDomains: ['https://b.example'],
      frameDomains: ['https://c.example'],
      baseUriDomains: ['https://d.example'],
    },
    "default-src 'none'; script-src 'self' 'unsafe-inline' https://b.example; style-src 'self' 'unsafe-inline' https://b.example; " +
      "img-src 'self' data: https://b.example; font-src 'self' https://b.example; media-src 'self' data: https://b.example; " +
      "connect-src https://a.example; frame-src https://c.example; object-src 'none'; base-uri https://d.example; form-action 'none'; frame-ancestors https://chat.example",
  ],
  [
    'what is no list, and a field nobody defined',
    { connectDomains: 'https://a.example', scriptSrc: ['*'], policy: 'default-src *' },
    CLOSED,
  ],
  [
    'injection: a second directive',
    {
      connectDomains: ['https://a.example; script-src *'],
      resourceDomains: ["https://a.example;script-src 'unsafe-eval'"],
    },
    CLOSED,
  ],
  [
    'injection: a second policy',
    {
      connectDomains: ['https://a.example, default-src *'],
      frameDomains: ['https://a.example,https://b.example'],
    },
    CLOSED,
  ],
  [
    'injection: a header of its own',
    { connectDomains: ['https://a.example\r\nx-injected: 1', 'https://a.example\nset-cookie: a=b'] },
    CLOSED,
  ],
  [
    'injection: keywords',
    {
      resourceDomains: ["'unsafe-eval'", "'strict-dynamic'", "'nonce-a'", "'self'"],
      baseUriDomains: ["'none'"],
    },
    CLOSED,
  ],
  [
    'injection: everything at once',
    {
      connectDomains: ['*', 'https:', 'https://*', '*.*', 'http://*:*'],
      frameDomains: ['*'],
      resourceDomains: ['data:', 'blob:'],
    },
    CLOSED,
  ],
  [
    'injection: schemes that run code',
    { frameDomains: ['javascript:alert(1)', 'data:text/html,x', 'blob:https://a.example', 'filesystem:x'] },
    CLOSED,
  ],
  [
    'injection: white space of every kind',
    {
      connectDomains: [
        'https://a.example *',
        'https://a.example\t*',
        'https://a.example\u00a0*',
        'https://a.example\u2028*',
        'https://a.example\f*',
      ],
    },
    CLOSED,
  ],
  [
    'injection: a prototype and what is no text',
    JSON.parse(
      '{"__proto__":{"connectDomains":["*"]},"connectDomains":[["https://a.example"],{"toString":"*"},null,1],"frameDomains":{"0":"*","length":1}}',
    ),
    CLOSED,
  ],
];

test('there are 20 cases, 8 of them injections', () => {
  expect([CASES.length, CASES.filter(([name]) => name.startsWith('injection')).length]).toEqual([20, 8]);
});

test.each(CASES)('the policy on the wire is exactly this one: %s', async (_, declared, policy) => {
  const query = new URLSearchParams({
    host: HOST,
    ...(declared !== undefined && { csp: JSON.stringify(declared) }),
  }).toString();
  for (const method of ['GET', 'HEAD']) {
    const response = await get(query, method);
    expect(response.statusCode).toBe(200);
    // From the raw list: Node joins what is sent twice, and a second policy would hide in that.
    const sent = response.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
    const values = response.rawHeaders.filter((_, i) => i % 2 === 1);
    expect(values.filter((_, i) => sent[i] === 'content-security-policy')).toEqual([policy]);
    expect(sent.filter((name) => /^x-injected|^set-cookie/.test(name))).toEqual([]);
  }
});

test('a refusal has the closed policy of refusals, whatever was declared', async () => {
  for (const query of [
    'host=https://evil.example',
    `host=${HOST}%3B%20script-src%20*`,
    `host=${HOST}&csp=%7B`,
    'csp=[]&csp=%7B%7D&host=x',
  ]) {
    const response = await get(query);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
    );
  }
});
