import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interopDocument, PAIRINGS } from './interop.mjs';

const pair = (server: string, client: string): string => `server-${server} over stdio, ${client} client`;

test('a cell says what the run saw', () => {
  const assertionResults = [
    { ancestorTitles: [pair('v2', 'v1')], title: 'a', fullName: '', status: 'passed' },
    { ancestorTitles: [pair('v1', 'v1')], title: 'a', fullName: '', status: 'failed' },
    { ancestorTitles: [pair('v1', 'v1')], title: 'b', fullName: '', status: 'passed' },
    { ancestorTitles: [], title: 'AppBridge 2.0.4, App 1.7.5, with acks: x', fullName: '', status: 'passed' },
  ];
  const document = interopDocument({ testResults: [{ name: '', assertionResults }] });
  expect(document).toContain('| check | v1 → v2, stdio | v1 → v1, stdio |');
  expect(document).toContain('| a | ✓ | **failed** |');
  expect(document).toContain('| b | – | ✓ |');
  expect(document).toContain('| AppBridge 2.0.4, App 1.7.5, with acks | ✓ |');
});

test('the page holds every check there is, and each passed for each pairing', () => {
  const page = readFileSync('docs/interop.md', 'utf8');
  const source = readFileSync(PAIRINGS, 'utf8');
  const titles = [...source.matchAll(/^ {2}it\('([^']+)'/gm)].map(([, title]) => title!);
  expect(titles.length).toBeGreaterThan(15);
  expect(titles.filter((title) => !page.includes(title))).toEqual([]);
  expect(page).not.toMatch(/failed\*\*|\| – /);
  expect(
    page
      .split('\n')
      .find((line) => line.startsWith('| check'))
      ?.split(' → '),
  ).toHaveLength(13);
});
