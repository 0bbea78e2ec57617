import { expect, test } from 'vitest';
import { createRestartGuard } from './restart-guard.ts';

const chunk = (seq: number, text: string) => ({
  partialResultToken: 't',
  seq,
  content: [{ type: 'text', text }],
});

test('a second number 0 with other content begins a second numbering; all that follows belongs to it', () => {
  const guard = createRestartGuard();
  const chunks = [chunk(0, 'a'), chunk(1, 'b'), chunk(0, 'c'), chunk(1, 'd'), chunk(2, 'e'), chunk(0, 'a')];
  expect(chunks.map((each) => guard.isForeign(each))).toEqual([false, false, true, true, true, true]);
});

test('the same number 0 again, whatever its _meta, is a duplicate; so is any other number', () => {
  const guard = createRestartGuard();
  expect(guard.isForeign(chunk(1, 'b'))).toBe(false);
  expect(guard.isForeign(chunk(0, 'a'))).toBe(false);
  expect(guard.isForeign({ ...chunk(0, 'a'), _meta: { replayed: true } })).toBe(false);
  expect(guard.isForeign(chunk(1, 'x'))).toBe(false);
  expect(guard.isForeign({ partialResultToken: 't', seq: 0, structuredContent: 0 })).toBe(true);
});
