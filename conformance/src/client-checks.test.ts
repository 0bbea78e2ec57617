import { describe, expect, it } from 'vitest';
import { CLIENT_CHECKS } from './lib/client/catalogue.ts';
import { checkClient, type ClientOptions, type RunClient } from './lib/client/check-client.ts';
import type { Report, Status } from './lib/report.ts';
import { CLIENT_FAULTS, type ClientFault } from './testing/client-faults.ts';
import { createRawClient } from './testing/raw-client.ts';
import type { FaultInfo } from './testing/server-faults.ts';
import { runSdkClient } from './testing/sdk-client.ts';

const PAIRS = [
  ['http', 'modern'],
  ['http', 'legacy'],
  ['stdio', 'modern'],
  ['stdio', 'legacy'],
] as const;

function ids(report: Report, status: Status): string[] {
  return report.results.filter((result) => result.status === status).map(({ id }) => id);
}

function check(run: RunClient, options: Partial<ClientOptions> = {}): Promise<Report> {
  return checkClient({ subject: 'client', run, flood: 300, ...options });
}

const sdkClient: RunClient = async (plan, line) => {
  await runSdkClient(plan, (event) => line(JSON.stringify(event)));
  return 'exit 0';
};

describe('a good client', () => {
  it.each(PAIRS)('written by hand passes every check over %s, %s', async (transport, era) => {
    const report = await check(createRawClient(), { transport, era, oneRun: true });
    expect(report.results.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
  });

  it.each(PAIRS)('of callTool and createReorder passes every check over %s, %s', async (transport, era) => {
    const report = await check(sdkClient, { transport, era, oneRun: true });
    expect(ids(report, 'FAILURE').concat(ids(report, 'WARNING'))).toEqual([]);
    // Its tokens are no numbers.
    expect(ids(report, 'SKIPPED')).toEqual(['s10-token-type-matters']);
  });
});

describe('a client broken in one way is caught by name', () => {
  const faults = Object.entries(CLIENT_FAULTS) as Array<[ClientFault, FaultInfo<keyof typeof CLIENT_CHECKS>]>;

  it.concurrent.each(faults)('%s', async (fault, { fails, warns = [] }) => {
    // One stream in one order, so that what a fault shows does not depend on timing. A client that
    // ends in mid-run is started again for each scenario.
    const dies = fault.startsWith('dies-');
    const report = await check(createRawClient(fault), { transport: dies ? 'http' : 'stdio', oneRun: !dies });
    expect(ids(report, 'FAILURE').sort()).toEqual([...fails].sort());
    expect(ids(report, 'WARNING').sort()).toEqual([...warns].sort());
  });

  it('every check has a client that it catches', () => {
    const caught = new Set<string>(faults.flatMap(([, { fails, warns = [] }]) => [...fails, ...warns]));
    expect(Object.keys(CLIENT_CHECKS).filter((id) => !caught.has(id))).toEqual([]);
  });
});

it('a client that cannot even start fails, and the report says how it ended', async () => {
  const report = await check(() => Promise.resolve('exit 127'));
  expect(ids(report, 'FAILURE')).toEqual(Object.keys(CLIENT_CHECKS));
  expect(report.results[0]).toMatchObject({ message: expect.stringContaining('exit 127') });
});
