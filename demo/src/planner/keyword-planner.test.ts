import { describe, expect, test } from 'vitest';
import { createKeywordPlanner, readPeriod } from './keyword-planner.ts';

const tools = [
  { server: 'report', name: 'generate_dashboard' },
  { server: 'report', name: 'write_report' },
  { server: 'runner', name: 'run_checks' },
];
const planner = createKeywordPlanner();

describe('the keyword planner', () => {
  test.each([
    ['Build me a Q2 revenue dashboard', 'generate_dashboard', { quarter: 2 }],
    [
      'dashboard for the third quarter of 2025 in Europe',
      'generate_dashboard',
      { quarter: 3, year: 2025, region: 'Europe' },
    ],
    ['Show me the LATAM numbers', 'generate_dashboard', { region: 'Latin America' }],
    ['Write a revenue report for Q4', 'write_report', { quarter: 4 }],
    ['Summarize Q1 in Asia Pacific', 'write_report', { quarter: 1, region: 'Asia Pacific' }],
    ['Run the unit tests', 'run_checks', { suite: 'partial-results' }],
    ['Type-check the project', 'run_checks', { suite: 'types' }],
    ['run the host bridge tests', 'run_checks', { suite: 'host-bridge' }],
  ])('answers "%s" with %s', async (prompt, tool, args) => {
    const plan = await planner.plan(prompt, tools);
    expect(plan.call).toEqual({ server: tool === 'run_checks' ? 'runner' : 'report', tool, arguments: args });
    expect(plan.say).not.toBe('');
  });

  test('calls nothing for a prompt it does not understand', async () => {
    expect((await planner.plan('What is the weather?', tools)).call).toBeUndefined();
  });

  test('never names a tool that is not on offer', async () => {
    const plan = await planner.plan('Build me a Q2 revenue dashboard', [
      { server: 'runner', name: 'run_checks' },
    ]);
    expect(plan.call).toBeUndefined();
  });

  test('tells the two Americas apart', () => {
    expect(readPeriod('latin america')).toEqual({ region: 'Latin America' });
    expect(readPeriod('north america')).toEqual({ region: 'North America' });
  });
});
