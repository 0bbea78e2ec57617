import { expect, test } from 'vitest';
import { lineCount } from '@mcp-apps-bridge/app-runtime';
import { runConsumer } from './run-consumer.ts';

const facts = { title: 'Type check', command: 'node tsc', lines: 3, passed: 2, failed: 1 };
const modes = { content: 'append', structuredContent: 'replace' } as const;

test('lines and figures come out of one stream', () => {
  const consumer = runConsumer(1_000);
  let state = consumer.init();
  state = consumer.chunk(state, {
    range: { first: 0, last: 0 },
    blocks: [{ block: { type: 'text', text: '$ node tsc\none\n' } }],
    structuredContent: { ...facts, lines: 1 },
    modes,
  });
  state = consumer.chunk(state, {
    range: { first: 1, last: 1 },
    blocks: [{ block: { type: 'text', text: 'two\n' } }],
    modes,
  });
  expect(lineCount(state.log)).toBe(3);
  expect(state.facts).toEqual({ ...facts, lines: 1 });
});

test('the end is made of the result alone and shows the same log', () => {
  const consumer = runConsumer(1_000);
  const end = consumer.final({
    content: [{ type: 'text', text: 'Type check passed.' }],
    structuredContent: { ...facts, exitCode: 0, log: '$ node tsc\none\ntwo' },
  });
  expect(end.log.blocks.flatMap(({ lines }) => lines)).toEqual(['$ node tsc', 'one', 'two']);
  expect(end.facts).toEqual({ ...facts, exitCode: 0 });
});

test('an error result without figures still shows its text', () => {
  const end = runConsumer(1_000).final({ isError: true, content: [{ type: 'text', text: 'no such file' }] });
  expect(end.log.blocks.flatMap(({ lines }) => lines)).toEqual(['no such file']);
});
