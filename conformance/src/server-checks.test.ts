import { afterAll, describe, expect, it } from 'vitest';
import { checkServer, type ServerOptions } from './lib/server/check-server.ts';
import { SERVER_CHECKS, type ServerCheckId } from './lib/server/catalogue.ts';
import type { CheckResult, Report, Status } from './lib/report.ts';
import { openHttp } from './lib/wire/http-link.ts';
import type { Era } from './lib/wire/message.ts';
import { createRawServer, REPORT } from './testing/raw-server.ts';
import { linkTo, serveHttp } from './testing/serve-raw.ts';
import { SERVER_FAULTS, type ServerFault, type ServerFaultInfo } from './testing/server-faults.ts';

const closers: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const close of closers.splice(0)) await close();
});

const common = {
  cancel: { name: 'hold', arguments: {} },
  task: { name: 'task', arguments: {} },
  quietMs: 60,
} satisfies Partial<ServerOptions>;

async function check(
  transport: 'http' | 'stdio',
  era: Era,
  fault?: ServerFault,
  options: Partial<ServerOptions> = {},
): Promise<Report> {
  const server = createRawServer(fault);
  let open = linkTo(server);
  if (transport === 'http') {
    const { url, close } = await serveHttp(server);
    closers.push(close);
    open = openHttp(url, era);
  }
  return checkServer({ subject: fault ?? 'good', open, era, tool: 'report', ...common, ...options });
}

function ids(report: Report, status: Status): string[] {
  return report.results.filter((result) => result.status === status).map(({ id }) => id);
}

describe('a good server written by hand', () => {
  it.each([
    ['stdio', 'modern'],
    ['stdio', 'legacy'],
    ['http', 'modern'],
    ['http', 'legacy'],
  ] as const)('passes every check over %s, %s', async (transport, era) => {
    const report = await check(transport, era, undefined, { tool: undefined });
    // What the transport cannot show is said, not passed.
    const hidden = {
      'stdio modern': ['s9-on-the-requests-stream'],
      'stdio legacy': ['s9-on-the-requests-stream'],
      'http modern': ['s9-cancel-stops-partials'],
      'http legacy': [],
    }[`${transport} ${era}` as const];
    expect(problems(report)).toEqual([]);
    expect(ids(report, 'SKIPPED')).toEqual(hidden);
  });

  it('passes with a fixture, and the report says that one was used', async () => {
    const report = await check('stdio', 'modern', undefined, { expected: REPORT });
    expect(find(report, 's7-final-is-complete')).toMatchObject({
      status: 'SUCCESS',
      message: expect.stringContaining('fixture'),
    });
  });
});

describe('a server broken in one way is caught by name', () => {
  const faults = Object.entries(SERVER_FAULTS) as Array<[ServerFault, ServerFaultInfo]>;
  it.concurrent.each(faults)('%s', async (fault, { fails, warns = [], over = 'stdio', fixture }) => {
    const options: Partial<ServerOptions> = {
      ...(fixture && { expected: REPORT }),
      // A server that never responds costs one time-out.
      ...(fault === 'never-responds' && { timeoutMs: 1_500 }),
    };
    const report = await check(over, 'modern', fault, options);
    expect(ids(report, 'FAILURE').sort()).toEqual([...fails].sort());
    expect(ids(report, 'WARNING').sort()).toEqual([...warns].sort());
  });

  it('every check has a server that it catches', () => {
    const caught = new Set(faults.flatMap(([, { fails, warns = [] }]) => [...fails, ...warns]));
    expect(Object.keys(SERVER_CHECKS).filter((id) => !caught.has(id as ServerCheckId))).toEqual([]);
  });
});

describe('without a fixture', () => {
  it('a final that always leans on partials passes the baseline only with a warning or not at all', async () => {
    const report = await check('stdio', 'modern', 'always-leans-on-partials');
    expect(find(report, 's7-final-is-complete').message).toContain('baseline');
  });
});

function problems(report: Report): CheckResult[] {
  return report.results.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
}

function find(report: Report, id: ServerCheckId): CheckResult {
  return report.results.find((result) => result.id === id)!;
}
