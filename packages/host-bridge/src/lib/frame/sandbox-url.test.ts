import { expect, test } from 'vitest';
import { sandboxUrl } from './sandbox-url.ts';

const host = 'https://chat.example';

test('names the host and the declared domains and keeps the query it had', () => {
  const url = sandboxUrl('https://sandbox.example/p?v=1', host, { connectDomains: ['https://api.example'] });
  expect(Object.fromEntries(url.searchParams)).toEqual({
    v: '1',
    host,
    csp: '{"connectDomains":["https://api.example"]}',
  });
});

test('says nothing of domains where none are declared', () => {
  expect(sandboxUrl('https://sandbox.example/', host, {}).searchParams.has('csp')).toBe(false);
});

test.each([
  ['the origin of the page', 'https://chat.example/sandbox', /another host name/],
  ['a relative address', '/sandbox', /absolute/],
  ['a data URL', 'data:text/html,x', /http or https/],
  ['a blob of the page', 'blob:https://chat.example/1', /http or https/],
])('%s is refused', (_name, base, message) => {
  expect(() => sandboxUrl(base, host, {})).toThrow(
    expect.objectContaining({
      code: 'sandbox_misconfigured',
      message: expect.stringMatching(message),
    }) as Error,
  );
});
