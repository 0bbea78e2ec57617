import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

test('blocks end at empty lines, but not inside fenced code', () => {
  expect(splitBlocks('# a\n\nb\nc\n\n\n```\nx\n\ny\n```\n\nd')).toEqual([
    '# a',
    'b\nc',
    '```\nx\n\ny\n```',
    'd',
  ]);
});

test('growing text changes its last block only', () => {
  const piece = fc.constantFrom('a', ' ', '\n', '\n\n', '```\n', '# ');
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), (head, tail) => {
      const before = splitBlocks(head.join(''));
      const after = splitBlocks([...head, ...tail].join(''));
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    }),
  );
});
