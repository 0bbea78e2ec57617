import { expect, test } from 'vitest';
import { readPageOptions } from './config.ts';

test.each([
  ['', { prompt: undefined, partials: true }],
  ['?prompt=Build%20it', { prompt: 'Build it', partials: true }],
  ['?prompt=%20&partials=off', { prompt: undefined, partials: false }],
  ['?partials=on', { prompt: undefined, partials: true }],
])('the address %s is read', (search, options) => {
  expect(readPageOptions(search)).toEqual(options);
});
