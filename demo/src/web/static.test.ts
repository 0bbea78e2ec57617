import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../http/listen.ts';
import type { Listening } from '../http/listen.ts';
import { hostPolicy, serveFolder } from './static.ts';

let listening: Listening;
const parent = mkdtempSync(join(tmpdir(), 'demo-static-'));
const policy = hostPolicy({ mcpOrigins: ['http://127.0.0.1:1'], sandboxOrigin: 'http://localhost:2' });

beforeAll(async () => {
  const folder = join(parent, 'host');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(parent, 'secret.json'), '{}');
  listening = await listen(serveFolder(folder, policy), {
    port: 0,
    hostname: '127.0.0.1',
    portVariable: 'TEST_PORT',
  });
});
afterAll(async () => {
  await listening.close();
  rmSync(parent, { recursive: true });
});

// `fetch` would tidy the path before it is sent.
function get(path: string): Promise<{ status: number | undefined; policy: unknown; body: string }> {
  return new Promise((resolve, reject) => {
    request({ port: listening.port, host: '127.0.0.1', path }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode, policy: response.headers['content-security-policy'], body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test('the page is served at /, whatever the query, under its policy', async () => {
  expect(await get('/?prompt=hello')).toEqual({ status: 200, policy, body: '<title>page</title>' });
});

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/..%2fsecret.json',
  '/%00',
  '/missing.js',
  '/%zz',
  '/assets',
])('%s gives nothing', async (path) => {
  expect([400, 404]).toContain((await get(path)).status);
});

test('the policy names servers and sandbox and forbids the rest', () => {
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:1");
  expect(policy).toContain('frame-src http://localhost:2');
  expect(policy).not.toContain('unsafe');
});
