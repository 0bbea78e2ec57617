import { expect, test } from 'vitest';
import { asSentence } from './sentence.ts';

test.each([
  [new TypeError('Failed to fetch'), 'Failed to fetch.'],
  [new Error('The configuration is not available (404).'), 'The configuration is not available (404).'],
  ['Is it there?', 'Is it there?'],
])('%s ends as a sentence does', (error, sentence) => {
  expect(asSentence(error)).toBe(sentence);
});
