import { expect, test } from 'vitest';
import { safeLink } from './open-link.ts';

test.each([
  ['https://example.test/a?b#c', 'https://example.test/a?b#c'],
  ['HTTP://Example.test', 'http://example.test/'],
  ['  https://example.test/', 'https://example.test/'],
  ['ht\ntps://example.test/', 'https://example.test/'],
])('%j opens as %s', (given, opened) => {
  expect(safeLink(given)?.href).toBe(opened);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://example.test/1',
  'file:///etc/passwd',
  'about:blank',
  'intent://x',
  '//example.test',
  '/relative',
  '',
  'https://',
  'https://bank.example@evil.example/',
  'https://user:pw@evil.example/',
  `https://example.test/${'a'.repeat(9000)}`,
  7,
  null,
  undefined,
  { href: 'https://example.test' },
])('%j does not open', (given) => {
  expect(safeLink(given)).toBeUndefined();
});
