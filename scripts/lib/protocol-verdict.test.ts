import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { judge } from './protocol-verdict.mjs';
import type { Check, Subject } from './protocol-verdict.mjs';

const subject: Subject = {
  name: 'it',
  version: '2026-07-28',
  entry: '',
  env: {},
  run: ['lists', 'calls'],
  fails: [{ scenario: 'calls', checks: ['known'], reason: 'a reason' }],
  notRun: [{ scenarios: ['prompts'], reason: 'no prompts' }],
};
const good: Record<string, Check[]> = {
  lists: [{ id: 'list', status: 'SUCCESS' }],
  calls: [
    { id: 'call', status: 'SUCCESS' },
    { id: 'known', status: 'FAILURE' },
    { id: 'should', status: 'WARNING' },
  ],
  prompts: [{ id: 'prompt', status: 'FAILURE' }],
};

function problems(changed: Record<string, Check[]>, of: Partial<Subject> = {}): string[] {
  const { totals, problems: found } = judge(
    { ...subject, ...of },
    new Map(Object.entries({ ...good, ...changed })),
  );
  expect(totals.failed).toBe(found.length);
  return found;
}

test('what goes as listed is no problem; a listed failure is skipped, a scenario not run is not counted', () => {
  const { totals, problems: found } = judge(subject, new Map(Object.entries(good)));
  expect(found).toEqual([]);
  expect(totals).toEqual({ passed: 2, failed: 0, skipped: 1 });
});

test('an unlisted failure is a problem', () => {
  const failing = [...good['lists']!, { id: 'shape', status: 'FAILURE', errorMessage: 'no name' }];
  expect(problems({ lists: failing })).toEqual(['lists: shape: no name']);
});

test('a listed failure that passes is a problem', () => {
  const passing = [{ id: 'known', status: 'SUCCESS' }];
  expect(problems({ calls: passing })).toEqual([expect.stringContaining('calls: known does not fail')]);
});

test('a scenario in which nothing passed is a problem', () => {
  expect(problems({ lists: [{ id: 'list', status: 'INFO' }] })).toEqual(['lists: no check passed']);
});

test('a scenario without a result is a problem', () => {
  expect(problems({ lists: [] })).toEqual(['lists: no check passed']);
});

test('a new scenario, a scenario that went and a scenario listed twice are problems', () => {
  expect(problems({ fresh: [] })).toEqual([expect.stringContaining('fresh: not listed')]);
  const notRun = [...subject.notRun, { scenarios: ['gone', 'lists'], reason: 'a reason' }];
  expect(problems({}, { notRun })).toEqual([
    expect.stringContaining('lists: listed twice'),
    expect.stringContaining('gone: listed, but'),
  ]);
});

test('every row of the list has its reason', () => {
  const { subjects } = JSON.parse(readFileSync('conformance/protocol/scenarios.json', 'utf8')) as {
    subjects: Subject[];
  };
  expect(subjects.map(({ run }) => run.length)).not.toContain(0);
  for (const { reason } of subjects.flatMap(({ fails, notRun }) => [...fails, ...notRun])) {
    expect(reason).toMatch(/\w+ \w+/);
  }
});
