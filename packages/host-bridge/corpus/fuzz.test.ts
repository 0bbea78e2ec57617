import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  isPlainObject,
  isToken,
  parsePartialToolResult,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { createManualScheduler } from '@mcp-apps-bridge/partial-results/testing';
import { buildCsp } from '../src/lib/sandbox/csp.ts';
import { createSandboxHandler } from '../src/lib/sandbox/handler.ts';
import { createFrameChannel } from '../src/lib/frame/frame-channel.ts';
import { createToolOutput } from '../src/lib/stream/output.ts';
import { parseAck } from '../src/lib/stream/ack.ts';
import { createSanitizer } from '../src/lib/stream/sanitize/sanitizer.ts';
import { checkPrototypes } from './paths.ts';
import { runs } from './runs.ts';

afterEach(checkPrototypes);

const name = fc.oneof(
  fc.constantFrom(
    'partialResultToken',
    'seq',
    'content',
    'structuredContent',
    'final',
    'taskId',
    '_meta',
    'type',
    'text',
    'resource',
    'uri',
    'mimeType',
    'blob',
    'data',
    'isError',
    'icons',
    'src',
    'name',
    'annotations',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'length',
    'then',
    'toJSON',
  ),
  fc.string({ maxLength: 6 }),
);
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    't',
    0,
    1,
    -1,
    1.5,
    9e99,
    NaN,
    Infinity,
    null,
    undefined,
    true,
    '',
    'text',
    'image',
    'audio',
    'resource',
    'resource_link',
    'text/html',
    'image/png',
    'application/a2ui+json',
    'AAAA',
    'ui://x',
    'javascript:1',
    '{"version":"v0.9"}\n',
    '[',
    '\ud800',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.double(),
);
/** What JSON cannot hold, and what bites who touches it. */
const ODD: readonly (() => unknown)[] = [
  () => () => 1,
  () => Symbol('x'),
  () => 1n,
  () => new Date(0),
  () => new Map([[1, 2]]),
  () => new Uint8Array(3),
  () => new Error('x'),
  () => Object.create(null),
  () => new Proxy({}, { get: () => thrower(), ownKeys: () => thrower(), getPrototypeOf: () => thrower() }),
  () => ({
    get text() {
      return thrower();
    },
  }),
  () => Object.assign([1], { extra: 1 }),
  () => cyclic(),
  () => deep(5_000),
];
/** Stands for one of those until it is used: fast-check prints what it generates, and would be bitten. */
class Odd {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}
const odd = fc.nat(ODD.length - 1).map((index) => new Odd(index));

function revive<T>(value: T): T {
  if (value instanceof Odd) return ODD[value.index]!() as T;
  if (Array.isArray(value)) return value.map(revive) as T;
  if (typeof value !== 'object' || value === null) return value;
  return toObject(Object.entries(value).map(([key, it]) => [key, revive(it) as unknown])) as T;
}

function thrower(): never {
  throw new Error('bitten');
}
function cyclic(): unknown {
  const ring: Record<string, unknown> = {};
  ring['self'] = { list: [ring] };
  return ring;
}
function deep(levels: number): unknown {
  let it: unknown = 1;
  for (let i = 0; i < levels; i++) it = i % 2 ? [it] : { it };
  return it;
}

const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: scalar, weight: 4 },
    { arbitrary: odd, weight: 1 },
    { arbitrary: fc.array(tie('anything'), { maxLength: 3 }), weight: 2 },
    { arbitrary: fc.array(fc.tuple(name, tie('anything')), { maxLength: 5 }).map(toObject), weight: 5 },
  ),
}));

function isChunk(value: unknown): value is object {
  return isPlainObject(value) && Object.getOwnPropertyDescriptor(value, 'partialResultToken')?.value === 't';
}

function toObject(entries: [string, unknown][]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** A block that is nearly one. */
const block = fc
  .tuple(fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'x'), anything, anything)
  .map(([type, a, b]) => ({
    type,
    text: a,
    data: a,
    uri: a,
    name: b,
    mimeType: b,
    resource: isPlainObject(a) ? a : { uri: 'ui://x', text: a, mimeType: b },
  }));
const chunk = fc
  .tuple(
    fc.nat(5),
    fc.oneof(anything, fc.array(fc.oneof(block, anything), { maxLength: 3 })),
    anything,
    anything,
  )
  .map(([seq, content, structuredContent, _meta]) => ({
    partialResultToken: 't',
    seq,
    content,
    structuredContent,
    _meta,
  }));

/** JSON and nothing else, by the platform's own judgement; no key that reaches a prototype. */
function expectInert(value: unknown): void {
  const clone: unknown = structuredClone(value);
  expect(clone).toEqual(value);
  (function walk(it: unknown, levels: number): void {
    expect(levels).toBeLessThan(80);
    if (typeof it !== 'object' || it === null) {
      expect(['string', 'number', 'boolean', 'object', 'undefined']).toContain(typeof it);
      return;
    }
    expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(it));
    for (const key of Object.keys(it)) {
      expect(key).not.toBe('__proto__');
      const child = (it as Record<string, unknown>)[key];
      if (key === 'constructor' || key === 'prototype')
        expect(typeof child === 'object' && child !== null).toBe(false);
      walk(child, levels + 1);
    }
  })(value, 0);
}

describe('intake, sanitizer and stages between, fed with anything', () => {
  test('nothing throws, what comes out is inert, and a good chunk afterwards still goes through', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(chunk, anything), { maxLength: 5 }), anything, (chunks, result) => {
        const shown: unknown[] = [];
        // No gap is waited for, and each number comes once: what is tested here is what the chunks hold.
        const output = createToolOutput({
          scheduler: createManualScheduler(),
          limits: { reorder: { maxItems: 0 } },
        });
        output.subscribe({ chunk: ({ body }) => shown.push(body) });
        const sent = chunks.map(revive).map((it, seq) => (isChunk(it) ? { ...it, seq } : it));
        for (const it of sent) output.push(it);
        const taken = shown.length;
        output.push({ partialResultToken: 't', seq: sent.length, content: [{ type: 'text', text: 'good' }] });
        expect(shown.length).toBe(taken + 1);
        shown.forEach(expectInert);
        const { received, delivered } = output.counters;
        expect(received).toBe(chunks.length + 1);
        expect(delivered).toBeGreaterThan(0);
        output.finish(revive(result) as ToolResult);
        const { end } = output;
        expect(end?.status).toMatch(/^(?:complete|failed)$/);
        if (end && 'result' in end) expectInert(end.result);
      }),
      runs(250),
    );
  });

  test('the sanitizer by itself neither throws nor gives out anything but JSON, with any rules', () => {
    const rule = fc.constantFrom<((it: never) => never | undefined) | undefined>(
      undefined,
      (it) => it,
      () => undefined,
      () => thrower(),
    );
    fc.assert(
      fc.property(
        anything,
        fc.array(fc.oneof(block, anything), { maxLength: 3 }),
        anything,
        rule,
        (...given) => {
          const [a, content, meta] = revive(given.slice(0, 3)) as [unknown, unknown[], unknown];
          const blockRule = given[3];
          const reports: string[] = [];
          const report = (code: string, path: string, message: string): void => {
            expect([typeof code, typeof path, typeof message]).toEqual(['string', 'string', 'string']);
            expect(path).toMatch(/^\$/);
            reports.push(code);
          };
          const sanitizer = createSanitizer(blockRule && { blockRule: blockRule as never });
          expectInert(sanitizer.result({ content, structuredContent: a, _meta: meta } as never, report));
          expectInert(sanitizer.structured(a, report) ?? null);
          expectInert(sanitizer.meta(meta as never, report) ?? null);
          expectInert(
            sanitizer.content(
              content.map((it) => ({ block: it as never })),
              report,
            ),
          );
          expectInert(sanitizer.result(a as never, report));
        },
      ),
      runs(250),
    );
  });
});

describe('message guards, fed with anything', () => {
  test('an ack is integers in range or names the field that is not', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.record(
            {
              epoch: scalar,
              seq: scalar,
              counters: fc.oneof(
                anything,
                fc.record({ applied: scalar, gaps: scalar }, { requiredKeys: [] }),
              ),
            },
            { requiredKeys: [] },
          ),
        ),
        (given) => {
          const it: unknown = revive(given);
          if (!isCloneable(it)) return;
          const ack = parseAck(it);
          if ('path' in ack) expect(ack.path).toMatch(/^\$/);
          else {
            const { epoch, seq, counters = {} } = ack;
            for (const number of [epoch, seq + 1, ...Object.values<number>(counters)])
              expect(Number.isSafeInteger(number) && number >= 0).toBe(true);
          }
        },
      ),
      runs(400),
    );
  });

  test('the channel takes JSON-RPC from its own frame and origin, and counts the rest', () => {
    const windows = [{ id: 'frame' }, { id: 'other' }, null] as unknown as (Window | null)[];
    const method = fc.oneof(scalar, fc.constantFrom('ui/initialize', 'ui/notifications/sandbox-ready'));
    const rpc = fc.record(
      {
        jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '1.0', 2),
        id: scalar,
        method,
        params: anything,
        result: anything,
        error: anything,
      },
      { requiredKeys: [] },
    );
    const event = fc.record({
      data: fc.oneof(rpc, anything),
      source: fc.constantFrom(...windows),
      origin: fc.constantFrom('https://sandbox.example', 'https://sandbox.example.evil', 'null', ''),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), (events) => {
        const target = new EventTarget();
        const taken: unknown[] = [];
        const rejected: string[] = [];
        const channel = createFrameChannel({
          listenOn: target as Window,
          frame: () => windows[0]!,
          origin: 'https://sandbox.example',
          onSandbox: (name) => void taken.push(name),
          onMessage: (message) => void taken.push(message),
          onRejected: ({ code }) => void rejected.push(code),
        });
        const fit = revive(events.map(({ data }) => data))
          .map((data, i) => ({ ...events[i]!, data }))
          .filter(({ data }) => isCloneable(data));
        for (const { data, source, origin } of fit)
          target.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }));
        const ours = fit.filter(({ source }) => source === windows[0]);
        const { received, wrongOrigin, malformed } = channel.counters;
        expect(wrongOrigin).toBe(ours.filter(({ origin }) => origin !== 'https://sandbox.example').length);
        expect(received + wrongOrigin + malformed).toBe(ours.length);
        expect(taken).toHaveLength(received);
        expect(rejected.length).toBeLessThanOrEqual(2);
        for (const it of taken) if (typeof it !== 'string') expect(it).toMatchObject({ jsonrpc: '2.0' });
        channel.close();
        target.dispatchEvent(
          Object.assign(new Event('message'), {
            data: { jsonrpc: '2.0', method: 'x' },
            source: windows[0],
            origin: 'https://sandbox.example',
          }),
        );
        expect(taken).toHaveLength(received);
      }),
      runs(300),
    );
  });

  test('they answer and never throw, and what they accept is what they say', () => {
    fc.assert(
      fc.property(fc.oneof(chunk, anything), (given) => {
        const it: unknown = revive(given);
        // Only who reads a getter can be bitten by one; what crosses a window or a wire has none.
        if (!isCloneable(it)) return;
        const parsed = parsePartialToolResult(it);
        expect(typeof isToken(it)).toBe('boolean');
        if (parsed.ok) {
          const { seq, content, partialResultToken } = parsed.value;
          expect(Number.isSafeInteger(seq) && seq >= 0 && isToken(partialResultToken)).toBe(true);
          expect(
            content === undefined ||
              (Array.isArray(content) && content.every((block) => typeof block.type === 'string')),
          ).toBe(true);
        } else expect(parsed.rejection.path).toMatch(/^\$/);
      }),
      runs(400),
    );
  });
});

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

describe('policies from anything', () => {
  const piece = fc.constantFrom(
    'https://',
    'wss://',
    'http:',
    'a.example',
    '*.',
    '*',
    ':443',
    ':*',
    '/p',
    ';',
    ',',
    ' ',
    "'self'",
    "'unsafe-eval'",
    '\n',
    '\u00a0',
    'data:',
    '@',
    '%3b',
    '\\',
    '..',
    '例',
    'script-src',
    '?',
    '#',
  );
  const domain = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 20 }),
    anything,
    fc.webUrl(),
  );
  const list = fc.oneof(fc.array(domain, { maxLength: 5 }), anything);
  const declaration = fc.oneof(
    fc.record(
      { connectDomains: list, resourceDomains: list, frameDomains: list, baseUriDomains: list },
      { requiredKeys: [] },
    ),
    anything,
  );
  const FIXED: Record<string, string> = {
    'default-src': "'none'",
    'object-src': "'none'",
    'form-action': "'none'",
  };
  const ALWAYS: Record<string, string[]> = {
    'script-src': ["'self'", "'unsafe-inline'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'data:'],
  };
  const LISTS: Record<string, string> = {
    'connect-src': 'connectDomains',
    'frame-src': 'frameDomains',
    'base-uri': 'baseUriDomains',
  };

  /** Read by the rules of the CSP specification: policies by comma, directives by semicolon, first name wins. */
  function expectSound(policy: string, declared: unknown): void {
    expect(policy).toMatch(/^[\x21-\x7e ]+$/);
    expect(policy.split(',')).toHaveLength(1);
    const directives = policy.split(';').map((it) => it.trim().split(/[\t\n\f\r ]+/));
    const names = directives.map(([it]) => it!);
    expect(names).toEqual([...new Set(names)]);
    const expected = [
      'default-src',
      'script-src',
      'style-src',
      'img-src',
      'font-src',
      'media-src',
      'connect-src',
      'frame-src',
      'object-src',
      'base-uri',
      'form-action',
    ];
    expect(names.filter((it) => it !== 'frame-ancestors')).toEqual(
      expected.filter((it) => it !== 'font-src' || names.includes('font-src')),
    );
    for (const [directive, ...sources] of directives) {
      if (directive === 'frame-ancestors') continue;
      if (FIXED[directive!]) {
        expect(sources).toEqual([FIXED[directive!]]);
        continue;
      }
      const own = ALWAYS[directive!] ?? [];
      expect(sources.slice(0, own.length)).toEqual(own);
      const domains = sources.slice(own.length);
      const given: unknown = (declared as Record<string, unknown> | undefined)?.[
        LISTS[directive!] ?? 'resourceDomains'
      ];
      for (const source of domains) {
        if (source === "'none'" || (directive === 'base-uri' && source === "'self'")) {
          expect(domains).toHaveLength(1);
          continue;
        }
        expect(given).toContain(source);
        // A host of letters, digits, dots and hyphens, with at most a scheme, a port and a path around it.
        const [, scheme = 'https:', host = '', port = ''] =
          /^(?:([a-z]+:)\/\/)?([^/:]+)(?::([^/]+))?(?:\/.*)?$/i.exec(source) ?? [];
        expect(['http:', 'https:', 'ws:', 'wss:']).toContain(scheme.toLowerCase());
        expect(host).toMatch(/^(?:\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i);
        expect(port).toMatch(/^(?:\d{1,5}|\*)?$/);
      }
    }
  }

  test('the policy has exactly the directives it should, and each source was declared and is a host', () => {
    fc.assert(
      fc.property(declaration, (given) => {
        const declared: unknown = revive(given);
        if (!isCloneable(declared)) return;
        const { policy, applied, rejected } = buildCsp(declared);
        expectSound(policy, declared);
        expectInert(JSON.parse(JSON.stringify({ applied, rejected })));
      }),
      runs(400),
    );
  });

  test('so has the header of the sandbox, and nothing of the query gets into another one', async () => {
    const serve = createSandboxHandler({ hostOrigins: ['https://chat.example'] });
    const plain = await serve(new Request('https://sandbox.example/'));
    const othersOf = ({ headers }: Response): [string, string][] =>
      [...headers].filter(([it]) => it !== 'content-security-policy');
    await fc.assert(
      fc.asyncProperty(
        declaration,
        fc.oneof(
          fc.constant('https://chat.example'),
          fc.webUrl(),
          fc.string({ unit: 'binary', maxLength: 20 }),
        ),
        async (given, host) => {
          const declared: unknown = revive(given);
          const csp = isCloneable(declared) && !isCyclic(declared) ? (JSON.stringify(declared) ?? '') : '{';
          const response = await serve(
            new Request(`https://sandbox.example/?${new URLSearchParams({ host, csp }).toString()}`),
          );
          const policy = response.headers.get('content-security-policy')!;
          expect(othersOf(response)).toEqual(othersOf(plain));
          if (response.status !== 200) {
            expect(policy).toBe("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'");
            return;
          }
          expect(host).toBe('https://chat.example');
          expectSound(policy, csp === '' ? undefined : JSON.parse(csp));
          expect(policy).toMatch(/; frame-ancestors https:\/\/chat\.example$/);
        },
      ),
      runs(150),
    );
  });
});

function isCyclic(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}
