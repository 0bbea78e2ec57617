import { describe, expect, test } from 'vitest';
import { createSandboxHandler, sandboxProxyHtml } from './handler.ts';

const host = 'https://chat.example';
const serve = createSandboxHandler({ hostOrigins: [host, 'http://127.0.0.1:4000'] });
const get = async (query: Record<string, string>): Promise<Response> =>
  serve(new Request(`https://sandbox.example/proxy?${new URLSearchParams(query).toString()}`));

describe('the header', () => {
  test('is the policy of the declared domains with the host that asks as the only ancestor', async () => {
    const response = await get({ host, csp: JSON.stringify({ connectDomains: ['https://api.example'] }) });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "media-src 'self' data:; connect-src https://api.example; frame-src 'none'; object-src 'none'; base-uri 'self'; " +
        "form-action 'none'; frame-ancestors https://chat.example",
    );
  });

  test('names the second host for the second host', async () => {
    const response = await get({ host: 'http://127.0.0.1:4000' });
    expect(response.headers.get('content-security-policy')).toMatch(
      /; frame-ancestors http:\/\/127\.0\.0\.1:4000$/,
    );
  });

  test.each([
    'https://a.example; frame-ancestors *',
    'https://a.example, default-src *',
    "'unsafe-eval'",
    'https://a.example\r\nx-injected: 1',
  ])('leaves out %j from the query', async (domain) => {
    const csp = JSON.stringify({
      connectDomains: [domain],
      resourceDomains: [domain],
      frameDomains: [domain],
    });
    const response = await get({ host, csp });
    const plain = await get({ host });
    expect(response.headers.get('content-security-policy')).toBe(
      plain.headers.get('content-security-policy'),
    );
    expect([...response.headers.keys()]).toEqual([...plain.headers.keys()]);
  });

  test('marks the page as HTML that is neither sniffed nor stored', async () => {
    const { headers } = await get({ host });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('requests that cannot be served', () => {
  test.each([
    ['another host', { host: 'https://evil.example' }],
    ['a host with a path', { host: `${host}/x` }],
    ['a host that would end the directive', { host: `${host}; script-src *` }],
    ['no host where there are two', {}],
  ])('%s: refused with a page that says what to do', async (_name, query) => {
    const response = await get(query as Record<string, string>);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Add its origin to hostOrigins');
    expect(response.headers.get('content-security-policy')).not.toContain('evil');
  });

  test.each(['{', '[]', '1', 'null', '"x"'])('a csp of %s', async (csp) => {
    expect((await get({ host, csp })).status).toBe(400);
  });

  test('a query beyond the limit', async () => {
    expect((await get({ host, csp: JSON.stringify({ x: 'y'.repeat(40_000) }) })).status).toBe(414);
  });

  test('a host name cannot end the script it is shown in', async () => {
    const tags = async (host: string): Promise<string[]> =>
      (await (await get({ host })).text()).match(/<[/!]?[a-z-]+/gi) ?? [];
    expect(await tags('</script><script>alert(1)</script><!--')).toEqual(await tags('https://evil.example'));
  });

  test('a method other than GET and HEAD', async () => {
    const response = await serve(new Request('https://sandbox.example/', { method: 'POST' }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('HEAD has the headers of GET and no body', async () => {
  const url = `https://sandbox.example/?host=${host}`;
  const [head, full] = await Promise.all([
    serve(new Request(url, { method: 'HEAD' })),
    serve(new Request(url)),
  ]);
  expect([...head.headers]).toEqual([...full.headers]);
  expect([await head.text(), (await full.text()).length > 0]).toEqual(['', true]);
});

test('a single configured host need not be named', async () => {
  const response = await createSandboxHandler({ hostOrigins: [`${host}/`] })(
    new Request('https://sandbox.example/'),
  );
  expect(response.headers.get('content-security-policy')).toMatch(
    /; frame-ancestors https:\/\/chat\.example$/,
  );
});

test('the page for a static server names its hosts and that it has no header', () => {
  expect(sandboxProxyHtml({ hostOrigins: [host] })).toContain(
    '{"hostOrigins":["https://chat.example"],"headers":false,"dedicated":false}',
  );
});

test.each([
  [[]],
  [['*']],
  [['null']],
  [['https://chat.example/path']],
  [['chat.example']],
  [['file:///x']],
  [['https://a;b.example']],
  [['https://user@chat.example']],
  [[5]],
])('origins %j are refused when the handler is made', (hostOrigins) => {
  const wanted = expect.objectContaining({ code: 'sandbox_misconfigured' });
  expect(() => createSandboxHandler({ hostOrigins: hostOrigins as string[] })).toThrow(wanted);
  expect(() => sandboxProxyHtml({ hostOrigins: hostOrigins as string[] })).toThrow(wanted);
});
