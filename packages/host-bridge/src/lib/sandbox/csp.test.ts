import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCsp } from './csp.ts';

const closed =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'";

const withConnect = (sources: string): string =>
  closed.replace("connect-src 'none'", `connect-src ${sources}`);
const withFrame = (sources: string): string => closed.replace("frame-src 'none'", `frame-src ${sources}`);
const withBase = (sources: string): string => closed.replace("base-uri 'self'", `base-uri ${sources}`);
const withResource = (s: string): string =>
  `default-src 'none'; script-src 'self' 'unsafe-inline' ${s}; style-src 'self' 'unsafe-inline' ${s}; ` +
  `img-src 'self' data: ${s}; font-src 'self' ${s}; media-src 'self' data: ${s}; connect-src 'none'; ` +
  "frame-src 'none'; object-src 'none'; base-uri 'self'; form-action 'none'";

describe('declared domains', () => {
  const cases: [name: string, declared: unknown, policy: string][] = [
    ['nothing', undefined, closed],
    ['null', null, closed],
    ['an empty declaration', {}, closed],
    [
      'empty lists',
      { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
      closed,
    ],
    ['null lists', { connectDomains: null }, closed],
    ['a connect domain', { connectDomains: ['https://api.example'] }, withConnect('https://api.example')],
    ['a web socket', { connectDomains: ['wss://live.example:8443'] }, withConnect('wss://live.example:8443')],
    [
      'two connect domains, one twice',
      { connectDomains: ['https://a.example', 'https://b.example', 'https://a.example'] },
      withConnect('https://a.example https://b.example'),
    ],
    ['a wildcard host', { connectDomains: ['https://*.example.com'] }, withConnect('https://*.example.com')],
    ['a bare host', { connectDomains: ['localhost:3000'] }, withConnect('localhost:3000')],
    ['any port', { connectDomains: ['http://127.0.0.1:*'] }, withConnect('http://127.0.0.1:*')],
    ['a resource domain', { resourceDomains: ['https://cdn.example'] }, withResource('https://cdn.example')],
    [
      'a path',
      { resourceDomains: ['https://cdn.example/lib@1/'] },
      withResource('https://cdn.example/lib@1/'),
    ],
    ['a frame domain', { frameDomains: ['https://player.example'] }, withFrame('https://player.example')],
    ['a base URI', { baseUriDomains: ['https://docs.example'] }, withBase('https://docs.example')],
  ];
  test.each(cases)('%s', (_name, declared, policy) => {
    expect(buildCsp(declared)).toMatchObject({ policy, rejected: [] });
  });

  test('the applied lists hold what the policy holds', () => {
    const { applied } = buildCsp({ connectDomains: ['https://a.example', 'x y'], frameDomains: ["'self'"] });
    expect(applied).toEqual({ connectDomains: ['https://a.example'] });
  });
});

describe('what is not a domain is rejected and changes nothing', () => {
  const attempts: [name: string, value: unknown][] = [
    ['a second directive', 'https://a.example; script-src *'],
    ['a second policy', 'https://a.example, default-src *'],
    ['a header line', 'https://a.example\r\nset-cookie: x=1'],
    ['a line break at the end', 'https://a.example\n'],
    ['a tab', 'https://a.example\tevil.example'],
    ['two sources in one', 'https://a.example https://evil.example'],
    ['a keyword', "'unsafe-eval'"],
    ['a nonce', "'nonce-abc'"],
    ['everything', '*'],
    ['a scheme', 'https:'],
    ['data', 'data:'],
    ['blob', 'blob:'],
    ['javascript', 'javascript:alert(1)'],
    ['a file', 'file:///etc'],
    ['an empty string', ''],
    ['a quote that would close the attribute', 'https://a.example"><script>'],
    ['user information', 'https://user@evil.example'],
    ['a query', 'https://a.example/?x'],
    ['a fragment', 'https://a.example/#x'],
    ['a backslash', 'https://a.example\\@evil.example'],
    ['a letter that is not ASCII', 'https://exämple.example'],
    ['an invisible space', 'https://a.example\u00a0'],
    ['a null character', 'https://a.example\0'],
    ['a wildcard in the middle', 'https://a.*.example'],
    ['a number', 7],
    ['an object that prints as a domain', { toString: () => 'https://a.example' }],
    ['a nested list', ['https://a.example']],
    ['something too long', `https://${'a'.repeat(300)}.example`],
  ];
  test.each(attempts)('%s', (_name, value) => {
    for (const list of ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const) {
      const { policy, rejected } = buildCsp({ [list]: [value] });
      expect(policy).toBe(closed);
      expect(rejected).toMatchObject([{ list }]);
    }
  });

  test.each([
    ['a string', 'https://a.example'],
    ['a number', 1],
    ['an object', { 0: 'https://a.example', length: 1 }],
  ])('a list that is %s', (_name, value) => {
    const { policy, rejected } = buildCsp({ connectDomains: value });
    expect(policy).toBe(closed);
    expect(rejected).toMatchObject([{ list: 'connectDomains', reason: 'must be an array of domains' }]);
  });

  test('the 65th domain of a list', () => {
    const connectDomains = Array.from({ length: 65 }, (_, i) => `https://a${i}.example`);
    const { applied, rejected } = buildCsp({ connectDomains });
    expect(applied.connectDomains).toEqual(connectDomains.slice(0, 64));
    expect(rejected).toMatchObject([{ value: 'https://a64.example' }]);
  });
});

test('whatever is declared, the policy has the same directives and only known keywords', () => {
  const names = (policy: string): string[] =>
    policy.split(';').map((part) => part.trim().split(' ')[0] ?? '');
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.webUrl(),
    fc.stringMatching(/^https:\/\/[a-z.;, '"*\r\n-]{1,20}$/),
  );
  fc.assert(
    fc.property(
      fc.record({
        connectDomains: fc.array(word),
        frameDomains: fc.array(word),
        baseUriDomains: fc.array(word),
      }),
      (declared) => {
        const { policy } = buildCsp(declared);
        expect(names(policy)).toEqual(names(closed));
        expect(policy).toMatch(/^[\x21-\x7e ]+$/);
        expect(
          policy
            .match(/'[^']*'/g)
            ?.filter((keyword) => !["'none'", "'self'", "'unsafe-inline'"].includes(keyword)),
        ).toEqual([]);
        expect(policy).not.toMatch(/["<>,\\]/);
      },
    ),
  );
});
